// Lists a merchant's payments, newest first. Ids begin with the time, so a period is a range of ids, and the cursor is
// the last id that was shown: payments made meanwhile do not shift the pages.
import { firstIdAt, NO_ID } from '../domain/id.ts';
import type { Lifetimes, Payment } from '../domain/payment.ts';
import { readPayment } from './load.ts';
import type { Pool } from './pool.ts';
import { readStatement } from './statement.ts';

export type ListState = 'created' | 'reserved' | 'charged' | 'refunded' | 'cancelled' | 'terminated' | 'expired';

export type ListQuery = {
  readonly merchantId: number;
  readonly reference?: string;
  readonly state?: ListState;
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly limit: number;
  /** The last id of the page before. */
  readonly after?: string;
};

const LIST = readStatement('list');
const LAST_ID = 'f'.repeat(32);

export async function listPayments(pool: Pool, query: ListQuery, at: number, lifetimes: Lifetimes): Promise<Payment[]> {
  const from = query.fromMs === undefined ? NO_ID : firstIdAt(query.fromMs);
  const to = query.toMs === undefined ? LAST_ID : firstIdAt(query.toMs);
  const before = query.after !== undefined && query.after < to ? query.after : to;
  const oldestPayable = firstIdAt(Math.max(0, at - lifetimes.paymentMs));
  const values = [
    query.merchantId,
    from,
    before,
    query.reference ?? null,
    query.state ?? null,
    oldestPayable,
    query.limit,
  ];
  const rows = await pool.run(LIST, values);
  return rows.map((row) => readPayment(row));
}
