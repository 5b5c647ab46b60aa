// Identifies a database and the statements that check it: results of one say nothing about another, about a restored
// one, or about what other statements would find.
import { createHash } from 'node:crypto';
import { codeOf } from '../../connections/pool.ts';
import type { Pool } from '../../connections/pool.ts';
import { readStatement } from '../../statements/statement.ts';
import { STATEMENTS } from './ranges.ts';

const NO_RIGHT = '42501';

export type Identity = {
  readonly name: string;
  /** The amount of WAL ever written: an older copy has less. */
  readonly written: number;
};

/** A restore and a promotion begin a new timeline. Undefined if the role may not read it. */
export async function identify(pool: Pool): Promise<Identity | undefined> {
  const texts = createHash('sha256');
  for (const name of STATEMENTS) texts.update(readStatement(name).text);
  try {
    const [row] = await pool.query<Identity>(
      `select concat_ws('/', system_identifier, timeline_id, database.oid) as name,
         (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end
           - '0/0'::pg_lsn)::bigint as written
       from pg_control_system(), pg_control_checkpoint(), pg_database as database
       where database.datname = current_database()`,
    );
    return row && { ...row, name: `${row.name}/${texts.digest('hex')}` };
  } catch (error) {
    if (codeOf(error) === NO_RIGHT) return undefined;
    throw error;
  }
}
