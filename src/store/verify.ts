// Verifies the books: walks over all parts, recomputes what can be recomputed, and gives every difference it finds.
import type { PoolClient } from 'pg';
import { PARTS } from '../domain/id.ts';
import { plainId } from './payment-row.ts';
import { NO_QUERY_TIMEOUT } from './pool.ts';
import type { Pool } from './pool.ts';
import { LIMIT_STATEMENTS } from './session-settings.ts';
import { readStatement } from './statement.ts';

/** Without a payment where it is of a merchant's sums. */
export type Difference = { readonly paymentId?: string; readonly difference: string };

export type Counts = {
  readonly merchants: number;
  readonly payments: number;
  readonly movements: number;
  readonly pending: number;
  readonly events: number;
  readonly idempotencyRecords: number;
};

const STATEMENTS = [
  'verify',
  'verify-subscriptions',
  'verify-invoices',
  'verify-payouts',
  'verify-figures',
  'verify-facets',
].map(readStatement);

// Parts in one statement: enough to be quick, few enough to show progress and to hold no snapshot for long.
const STEP = 64;

export async function verifyBooks(
  pool: Pool,
  onProgress: (share: number) => void = () => {},
): Promise<{ counts: Counts; differences: Difference[] }> {
  return pool.withClient(async (client) => {
    await client.query('set statement_timeout = 0');
    try {
      const differences: Difference[] = [];
      for (let part = 0; part < PARTS; part += STEP) {
        for (const statement of STATEMENTS) {
          const query = { ...statement, values: [part, part + STEP - 1], ...NO_QUERY_TIMEOUT };
          const { rows } = await client.query<{ id: string | null; difference: string }>(query);
          differences.push(
            ...rows.map(({ id, difference }) => ({ ...(id && { paymentId: plainId(id) }), difference })),
          );
        }
        onProgress((part + STEP) / PARTS);
      }
      return { counts: await count(client), differences };
    } finally {
      await client.query(LIMIT_STATEMENTS);
    }
  });
}

async function count(client: PoolClient): Promise<Counts> {
  const text = `select
    (select count(*) from merchants) as merchants,
    (select count(*) from payments) as payments,
    (select count(*) from movements) as movements,
    (select count(*) from movements where state = 'pending') as pending,
    (select count(*) from events) as events,
    (select count(*) from idempotency_records) as "idempotencyRecords"`;
  const { rows } = await client.query<Counts>({ text, ...NO_QUERY_TIMEOUT });
  return rows[0] as Counts;
}
