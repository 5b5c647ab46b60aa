// The rows of a group of changes, as the commit statement takes them: each kind as a JSON array.
import type { Change } from '../../domain/decision.ts';
import { partOf } from '../../domain/id.ts';
import type { Movement } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import { bytesOf } from '../../domain/size.ts';
import { isoTime } from '../../domain/time.ts';
import { markedFacts } from '../../domain/audit.ts';
import type { OutboxEntry } from '../audit/audit-outbox.ts';
import type { CommitRequest, NewIdempotencyRecord, Renewal } from './commit-request.ts';
import { hooksOf } from './hooks.ts';
import { changeRowOf } from './payment-changes.ts';

function createdRow({ payment }: Change, keyed: boolean, isRenewal: boolean, createdBy: string | undefined) {
  return {
    part: partOf(payment.id),
    id: payment.id,
    merchant_id: payment.merchantId,
    version: payment.version,
    amount: payment.order.amount,
    currency: payment.order.currency,
    reference: payment.order.reference,
    my_reference: payment.myReference,
    items: payment.order.items,
    checkout_url: payment.checkoutUrl,
    checkout: payment.checkout,
    consumer: payment.consumer,
    hooks: hooksOf(payment.checkout.webHooks),
    method: payment.method,
    bytes: bytesOf(payment),
    ...payment.totals,
    created_by: createdBy,
    keyed,
    is_renewal: isRenewal,
  };
}

const isNew = ({ sequence }: Movement, before: Payment | undefined): boolean =>
  sequence > (before?.movements.length ?? 0);

/** The sums that a change was decided on, in the order of the statement. */
const sumsOf = ({ order, totals }: Payment): number[] => [
  order.amount,
  totals.reserved,
  totals.charged,
  totals.charging,
  totals.cancelled,
  totals.cancelling,
  totals.refunded,
  totals.refunding,
];

/** Whether something changed that the payment's seal covers. Unchanged parts are the same objects. */
const isResealed = (payment: Payment, before: Payment): boolean =>
  payment.order !== before.order ||
  payment.checkout !== before.checkout ||
  payment.consumer !== before.consumer ||
  payment.method !== before.method ||
  payment.challenge !== before.challenge ||
  payment.myReference !== before.myReference ||
  payment.checkoutUrl !== before.checkoutUrl ||
  payment.terminatedAt !== before.terminatedAt;

/** Large unchanged parts are omitted, and the statement keeps them. */
function alteredRow({ payment, moved }: Change, before: Payment) {
  const settles = moved.filter((movement) => !isNew(movement, before)).map(({ id }) => id);
  return {
    part: partOf(payment.id),
    id: payment.id,
    version: before.version,
    decided_on: sumsOf(before),
    amount: payment.order.amount,
    reference: payment.order.reference,
    my_reference: payment.myReference,
    items: payment.order === before.order ? undefined : payment.order.items,
    checkout_url: payment.checkoutUrl,
    checkout: payment.checkout === before.checkout ? undefined : payment.checkout,
    consumer: payment.consumer === before.consumer ? undefined : payment.consumer,
    method: payment.method === before.method ? undefined : payment.method,
    challenge: payment.challenge === before.challenge ? undefined : payment.challenge,
    bytes: bytesOf(payment),
    terminated_at: payment.terminatedAt === undefined ? undefined : isoTime(payment.terminatedAt),
    ...payment.totals,
    reseals: isResealed(payment, before) || undefined,
    settles: settles.length === 0 ? undefined : settles,
  };
}

const movementRow = (movement: Movement, paymentId: string, ownTryMs: number) => ({
  part: partOf(movement.id),
  id: movement.id,
  payment_id: paymentId,
  sequence: movement.sequence,
  kind: movement.kind,
  state: movement.state,
  amount: movement.amount,
  items: movement.items,
  updated_at: isoTime(movement.updatedAt),
  acquirer: movement.acquirer,
  source: movement.source,
  charge_id: movement.chargeId,
  refunded: movement.refunded,
  refunding: movement.refunding,
  invoice_number: movement.invoiceNumber,
  reason: movement.reason,
  details: movement.details,
  own_try_ms: movement.state === 'pending' ? ownTryMs : undefined,
});

const recordRow = (record: NewIdempotencyRecord) => ({
  part: partOf(record.paymentId),
  operation: record.operation,
  target: record.target,
  key: record.key,
  subject_id: record.paymentId,
  request: record.request,
  status: record.recorded?.status,
  answer: record.recorded?.text,
  movement_id: record.movementId,
  lasting: record.lasting === true,
});

function cardRow({ subscription }: Change) {
  if (subscription === undefined) return undefined;
  const { kind, id, merchantId, beganOn, intervalDays, endsAt, allowVariableAmount } = subscription;
  return {
    part: partOf(id),
    id,
    merchant_id: merchantId,
    kind,
    began_on: beganOn,
    interval_days: intervalDays,
    ends_at: endsAt === undefined ? undefined : isoTime(endsAt),
    allow_variable_amount: allowVariableAmount,
    payment_part: partOf(subscription.paymentId),
    payment_id: subscription.paymentId,
    acquirer: subscription.acquirer,
    source: subscription.source,
    method: subscription.method,
    consent: subscription.consent,
    secret: subscription.secret,
  };
}

const renewalRow = ({ subscriptionId, version, day, cardPaymentId }: Renewal, paymentId: string) => ({
  part: partOf(subscriptionId),
  id: subscriptionId,
  version,
  payment_id: paymentId,
  day,
  card_payment_id: cardPaymentId,
});

const actRow = ({ actor, action, after }: OutboxEntry, { id, merchantId }: Payment, version: number) => ({
  part: partOf(id),
  subject_id: id,
  version,
  merchant_id: merchantId,
  actor_kind: actor.kind,
  actor_id: actor.id,
  actor_name: actor.name,
  address: actor.address,
  action,
  after: markedFacts(actor, after),
});

/** The parameters of commit.sql, in its order. */
export function valuesOf(requests: readonly CommitRequest[]): string[] {
  const [creates, alterations, movements, settlements, eventRows] = [[], [], [], [], []] as unknown[][];
  const [createRecords, records] = [[], []] as [unknown[], unknown[]];
  const [made, replaced] = [[] as unknown[], new Map<string, unknown>()];
  for (const { change } of requests) {
    const card = cardRow(change);
    if (card === undefined) continue;
    if (change.subscription?.type === 'made') made.push(card);
    // The later of two concurrent ones counts: a row is updated once.
    else replaced.set(card.id, card);
  }
  const [renewals, acts, changes] = [[], [], []] as [unknown[], unknown[], unknown[]];
  for (const request of requests) {
    const { change, before, record, renewal, act, made: by, ownTryMs = 0 } = request;
    const { payment, moved, events } = change;
    const part = partOf(payment.id);
    // Decided again if its subscription gets a new card in the same group.
    if (renewal && !replaced.has(renewal.subscriptionId)) renewals.push(renewalRow(renewal, payment.id));
    const isGatedByKey = record !== undefined && renewal === undefined;
    if (before === undefined) creates?.push(createdRow(change, isGatedByKey, renewal !== undefined, by?.keyId));
    else alterations?.push(alteredRow(change, before));
    for (const movement of moved)
      (isNew(movement, before) ? movements : settlements)?.push(movementRow(movement, payment.id, ownTryMs));
    const version = before === undefined ? payment.version : before.version + 1;
    if (act !== undefined) acts.push(actRow(act, payment, version));
    const changed = changeRowOf(request);
    if (changed !== undefined) changes.push(changed);
    events.forEach(({ name, at, movementId }, ordinal) =>
      eventRows?.push({
        part,
        subject_id: payment.id,
        version,
        ordinal,
        merchant_id: payment.merchantId,
        name,
        happened_at: isoTime(at),
        movement_id: movementId,
      }),
    );
    if (record !== undefined)
      (record.operation === 'create' ? createRecords : records).push({
        merchant_id: payment.merchantId,
        ...recordRow(record),
      });
  }
  const rows = [
    creates,
    alterations,
    movements,
    settlements,
    eventRows,
    createRecords,
    records,
    made,
    [...replaced.values()],
    renewals,
    acts,
    changes,
  ];
  return rows.map((each) => JSON.stringify(each));
}
