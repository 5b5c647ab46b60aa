// Passkeys in the database: public keys and signature counters. Using one is a single statement, so that a response to
// a challenge counts once and a cloned authenticator is detected by any process.
import type { Pool } from '../connections/pool.ts';

export type Passkey = {
  readonly id: string;
  readonly personId: string;
  readonly name: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: number;
  readonly usedAt: number | undefined;
};

export type PasskeyToAdd = Omit<Passkey, 'createdAt' | 'usedAt'>;

type PasskeyRow = {
  id: string;
  person_id: string;
  name: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
  created_at: Date;
  used_at: Date | null;
};

const COLUMNS = 'id, person_id, name, public_key, counter::float8 as counter, transports, created_at, used_at';

// Some devices, and a few keys in drawers.
const MOST_PASSKEYS = 20;

const readPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  personId: row.person_id,
  name: row.name,
  publicKey: row.public_key,
  counter: row.counter,
  transports: row.transports,
  createdAt: row.created_at.getTime(),
  usedAt: row.used_at?.getTime(),
});

export async function findPasskey(pool: Pool, id: string): Promise<Passkey | undefined> {
  const [row] = await pool.query<PasskeyRow>(`select ${COLUMNS} from passkeys where id = $1`, [id]);
  return row && readPasskey(row);
}

export async function listPasskeys(pool: Pool, personId: string): Promise<Passkey[]> {
  const rows = await pool.query<PasskeyRow>(
    `select ${COLUMNS} from passkeys where person_id = $1 order by created_at, id`,
    [personId],
  );
  return rows.map(readPasskey);
}

/** False if it is already registered, or the person has too many. */
export async function addPasskey(
  pool: Pool,
  { id, personId, name, publicKey, counter, transports }: PasskeyToAdd,
): Promise<boolean> {
  const rows = await pool.query(
    `insert into passkeys (id, person_id, name, public_key, counter, transports)
     select $1, $2, $3, $4, $5, $6
     where (select count(*) from passkeys where person_id = $2) < ${MOST_PASSKEYS}
     on conflict (id) do nothing returning 1`,
    [id, personId, name, publicKey, counter, transports],
  );
  return rows.length > 0;
}

/**
 * True if the challenge is later than all before it, and the counter has increased; it stays at 0 for authenticators
 * that do not count.
 */
export async function usePasskey(
  pool: Pool,
  { id, counter, challengedAt }: { readonly id: string; readonly counter: number; readonly challengedAt: bigint },
): Promise<boolean> {
  const rows = await pool.query(
    `update passkeys set counter = $2, challenged_at = $3, used_at = now()
     where id = $1 and challenged_at < $3 and (counter < $2 or (counter = 0 and $2 = 0)) returning 1`,
    [id, counter, challengedAt],
  );
  return rows.length > 0;
}

/** False if the person had none. */
export async function deletePasskey(pool: Pool, personId: string, id: string): Promise<boolean> {
  const rows = await pool.query('delete from passkeys where person_id = $1 and id = $2 returning 1', [personId, id]);
  return rows.length > 0;
}
