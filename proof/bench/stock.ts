// Stocks of payments in a given state, ready to be charged, refunded, cancelled or read: copies of a sample payment
// that Kassa itself brought into that state, made in the database, since ten thousand of them through the service would
// take longer than what is measured.
import { NO_QUERY_TIMEOUT } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { idOfCopy, spellingOfCopies, spellRow } from './copy.ts';
import { familyOf } from './rows.ts';
import type { Rows } from './rows.ts';

// Copies made by one statement: well within the time that a query may take.
const STEP = 10_000;

export type Sample = { readonly rows: Rows; readonly family: readonly string[] };

export const sampleOf = (rows: Rows): Sample => ({ rows, family: familyOf(rows) });

/** Numbers of copies, from first to the one before end. */
export type Numbers = { readonly first: number; readonly end: number };

export const idsOfCopies = (time: string, member: number, { first, end }: Numbers): string[] =>
  Array.from({ length: end - first }, (_, index) => idOfCopy(time, member, first + index));

export async function copySample(pool: Pool, time: string, sample: Sample, { first, end }: Numbers): Promise<void> {
  const as = spellingOfCopies(time);
  await pool.withClient(async (client) => {
    // The sample's rows fit together and so do their copies; checking each would take most of the time.
    await client.query('set session_replication_role = replica; set statement_timeout = 0');
    try {
      for (const [table, rows] of sample.rows)
        for (const row of rows) {
          const [columns, values] = spellRow(table, row, sample.family, as);
          for (let from = first; from < end; from += STEP) {
            const numbers = `generate_series(${from}::bigint, ${Math.min(end, from + STEP) - 1}) as n`;
            await client.query(`insert into ${table.name} (${columns}) select ${values} from ${numbers}`);
          }
        }
      const tables = [...sample.rows.keys()].map(({ name }) => name).join(', ');
      // Indexes are left as they are: with millions of rows beside these, tidying them up would take minutes.
      await client.query({ text: `vacuum (analyze, index_cleanup off) ${tables}`, ...NO_QUERY_TIMEOUT });
    } finally {
      await client.query('reset session_replication_role; reset statement_timeout');
    }
  });
}
