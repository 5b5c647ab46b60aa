// Changes of a payment without a movement: its cart, its references, its termination. Each is written in the commit
// that makes it, and deleted with its payment.
import { isDeepStrictEqual } from 'node:util';
import { partOf } from '../../domain/id.ts';
import type { Payment } from '../../domain/payment.ts';
import type { CommitRequest } from './commit-request.ts';
import type { Pool } from '../connections/pool.ts';

export type ChangeKind = 'cart' | 'reference' | 'termination';
type Values = Readonly<Record<string, string | number | null>>;

export type PaymentChange = {
  readonly kind: ChangeKind;
  readonly at: number;
  /** Neither: the consumer chose a method with a fee. */
  readonly keyId?: string;
  readonly personId?: string;
  readonly before: Values;
  readonly after: Values;
};

const cartOf = ({ order }: Payment): Values => ({ amount: order.amount, items: order.items.length });
const referencesOf = ({ order, myReference, checkoutUrl }: Payment): Values => ({
  reference: order.reference ?? null,
  myReference: myReference ?? null,
  checkoutUrl: checkoutUrl ?? null,
});

function differenceOf(payment: Payment, before: Payment): Pick<PaymentChange, 'kind' | 'before' | 'after'> | undefined {
  if (payment.terminatedAt !== before.terminatedAt) return { kind: 'termination', before: {}, after: {} };
  const { order } = payment;
  // The same cart sent again, for example after a lost response, is not a change.
  if (order.amount !== before.order.amount || !isDeepStrictEqual(order.items, before.order.items))
    return { kind: 'cart', before: cartOf(before), after: cartOf(payment) };
  const [was, is] = [referencesOf(before), referencesOf(payment)];
  const names = Object.keys(is).filter((name) => is[name] !== was[name]);
  if (names.length === 0) return undefined;
  const pick = (values: Values): Values => Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
  return { kind: 'reference', before: pick(was), after: pick(is) };
}

/** The row of a change without a movement; undefined for others. */
export function changeRowOf({ change: { payment }, before, made, act }: CommitRequest) {
  if (before === undefined || made === undefined) return undefined;
  const difference = differenceOf(payment, before);
  return (
    difference && {
      part: partOf(payment.id),
      payment_id: payment.id,
      version: before.version + 1,
      ...difference,
      happened_at: new Date(made.at).toISOString(),
      key_id: made.keyId,
      person_id: act?.actor.kind === 'person' ? act.actor.id : undefined,
    }
  );
}

type Row = {
  kind: ChangeKind;
  happened_at: Date;
  key_id: string | null;
  person_id: string | null;
  before: Values;
  after: Values;
};

/** The newest first, up to a limit. */
export async function listPaymentChanges(pool: Pool, paymentId: string, limit: number): Promise<PaymentChange[]> {
  const rows = await pool.query<Row>(
    `select kind, happened_at, key_id, person_id, before, after from payment_changes
     where part = $1 and payment_id = $2 order by version desc limit $3`,
    [partOf(paymentId), paymentId, limit],
  );
  return rows.map((row) => ({
    kind: row.kind,
    at: row.happened_at.getTime(),
    ...(row.key_id !== null && { keyId: row.key_id }),
    ...(row.person_id !== null && { personId: row.person_id }),
    before: row.before,
    after: row.after,
  }));
}

/** The key that created a payment, if known. */
export async function findCreator(pool: Pool, paymentId: string): Promise<string | undefined> {
  const [row] = await pool.query<{ created_by: string | null }>(
    'select created_by from payments where part = $1 and id = $2',
    [partOf(paymentId), paymentId],
  );
  return row?.created_by ?? undefined;
}
