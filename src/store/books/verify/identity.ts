// Which database it is, and by what it is looked at: what was found out of one says nothing of another, of one that was
// restored, or of what other statements would find.
import { createHash } from 'node:crypto';
import { codeOf } from '../../connections/pool.ts';
import type { Pool } from '../../connections/pool.ts';
import { readStatement } from '../../statements/statement.ts';
import { STATEMENTS } from './ranges.ts';

const NO_RIGHT = '42501';

export type Identity = {
  readonly name: string;
  /** How much was ever written: an older copy that was put in its place has less. */
  readonly written: number;
};

/** A restore and a promotion begin a new timeline. Undefined where the role may not know it. */
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
