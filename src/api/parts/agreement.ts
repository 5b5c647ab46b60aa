// The subscription that a create asks for: a new one, or another card for an existing one.
import type { Agreement, SubscriptionKind } from '../../domain/agreement.ts';
import type { CreateCommand } from '../../domain/create.ts';
import { partOf, readId } from '../../domain/id.ts';
import { offeredMethods } from '../../domain/offered-methods.ts';
import { defaultEndOf } from '../../domain/subscription.ts';
import type { Subscription } from '../../domain/subscription.ts';
import { newId, newSecret } from '../../payments/ids.ts';
import { readMoment } from '../../server/formats.ts';
import { badField } from '../../server/problem.ts';
import type { Pool } from '../../store/connections/pool.ts';
import { findSubscription } from '../../store/payments/subscriptions.ts';
import type { CreateBody } from '../schemas/payment-request.ts';

/** Without an id it is a new one, which gets its id together with its payment. */
type Asked = Omit<Agreement, 'id' | 'role'> & { readonly id?: string };

const END_IN_THE_PAST = 'Subscription end date must be in the future';

/** The id in canonical form; an invalid one matches nothing. */
export const readDashedId = (text: string): string | undefined => readId(text.replaceAll('-', ''));

const EMPTY = 'must have create: true for a new one, or the unscheduledSubscriptionId of one that there is';

/** An object without content may mean a subscription or none, so it is refused. */
function refuseEmpty({ unscheduledSubscription: asked }: CreateBody): void {
  if (asked && asked.create === undefined && !asked.unscheduledSubscriptionId)
    throw badField('unscheduledSubscription', EMPTY);
}

const isAskedUnscheduled = ({ unscheduledSubscription: asked }: CreateBody): boolean =>
  asked !== undefined && (asked.create === true || Boolean(asked.unscheduledSubscriptionId));

export const asksForSubscription = (body: CreateBody): boolean =>
  body.subscription !== undefined || isAskedUnscheduled(body);

async function requireKnown(
  pool: Pool,
  merchantId: number,
  kind: SubscriptionKind,
  field: string,
  text: string,
): Promise<Subscription> {
  const id = readDashedId(text);
  const subscription = id && (await findSubscription(pool, merchantId, kind, id));
  if (!subscription) throw badField(field, 'must be the id of a subscription of yours');
  // A new card does not restart a subscription that has ended; the consumer has to agree to a new one.
  if (subscription.state === 'ended') throw badField(field, 'is of a subscription that was ended; begin a new one');
  return subscription;
}

function readEnd(endDate: string | undefined, at: number): number | undefined {
  if (endDate === undefined) return undefined;
  const endsAt = readMoment(endDate) as number;
  if (endsAt <= at) throw badField('subscription.endDate', END_IN_THE_PAST);
  return endsAt;
}

/** For an update: the subscription, and the terms in force. */
const updateOf = ({ id, paymentId, consent: { amount, currency } }: Subscription) => ({
  id,
  replaces: paymentId,
  holding: { amount, currency },
});

const termsNow = ({ intervalDays, endsAt, allowVariableAmount }: Subscription) => ({
  ...(intervalDays !== undefined && { intervalDays }),
  ...(endsAt !== undefined && { endsAt }),
  ...(allowVariableAmount !== undefined && { allowVariableAmount }),
});

async function readScheduled(
  pool: Pool,
  merchantId: number,
  asked: NonNullable<CreateBody['subscription']>,
  at: number,
): Promise<Asked> {
  const { subscriptionId, endDate, interval, allowVariableAmount } = asked;
  const endsAt = readEnd(endDate, at);
  const variable = allowVariableAmount !== undefined && { allowVariableAmount };
  if (!subscriptionId)
    return { kind: 'scheduled', intervalDays: interval ?? 0, endsAt: endsAt ?? defaultEndOf(at), ...variable };
  const held = await requireKnown(pool, merchantId, 'scheduled', 'subscription.subscriptionId', subscriptionId);
  // An update keeps the terms that it leaves out, and the consumer reads them again.
  return {
    kind: 'scheduled',
    ...updateOf(held),
    ...termsNow(held),
    ...(interval !== undefined && { intervalDays: interval }),
    ...(endsAt !== undefined && { endsAt }),
    ...variable,
  };
}

export async function readAgreement(
  pool: Pool,
  merchantId: number,
  body: CreateBody,
  at: number,
): Promise<Asked | undefined> {
  const { subscription, unscheduledSubscription } = body;
  refuseEmpty(body);
  if (subscription !== undefined && isAskedUnscheduled(body))
    throw badField('unscheduledSubscription', 'must be left out when subscription is given');
  if (subscription !== undefined) return readScheduled(pool, merchantId, subscription, at);
  if (!isAskedUnscheduled(body)) return undefined;
  const given = unscheduledSubscription?.unscheduledSubscriptionId;
  if (!given) return { kind: 'unscheduled' };
  const field = 'unscheduledSubscription.unscheduledSubscriptionId';
  return { kind: 'unscheduled', ...updateOf(await requireKnown(pool, merchantId, 'unscheduled', field, given)) };
}

/** A new subscription lives in the part of the payment that begins it. */
export function withAgreement(
  command: CreateCommand,
  asked: Asked | undefined,
  paymentId: string,
  at: number,
): CreateCommand {
  if (asked === undefined) return command;
  const isNew = asked.id === undefined;
  const subscription: Agreement = {
    ...asked,
    id: asked.id ?? newId(at, partOf(paymentId)),
    role: isNew ? 'new' : 'update',
    ...(isNew && { secret: newSecret() }),
  };
  const checkout = { ...command.checkout, subscription };
  if (offeredMethods({ checkout }).length === 0)
    throw badField('paymentMethodsConfiguration', 'leaves no card, and only a card can be charged again');
  return { ...command, checkout };
}
