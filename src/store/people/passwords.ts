// Passwords, authenticator apps and recovery codes in the database. Codes are consumed here, so that each works once,
// even if it is tried twice at the same time.
import { createHash } from 'node:crypto';
import type { Pool } from '../connections/pool.ts';

export type Password = {
  readonly personId: string;
  readonly hash: string;
  readonly totpSecret: Buffer;
  readonly changedAt: number;
  readonly recoveryCodes: number;
  /** Milliseconds by the clock of the database, which all processes use to check codes. */
  readonly nowMs: number;
};

type PasswordRow = {
  person_id: string;
  hash: string;
  totp_secret: Buffer;
  changed_at: Date;
  recovery_codes: number;
  now_ms: number;
};

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest();

/** Of a person, by id or e-mail address. */
export async function findPassword(pool: Pool, idOrEmail: string): Promise<Password | undefined> {
  const [row] = await pool.query<PasswordRow>(
    `select person_id, hash, totp_secret, changed_at, (extract(epoch from now()) * 1000)::float8 as now_ms,
       (select count(*)::int from recovery_codes where recovery_codes.person_id = passwords.person_id) as recovery_codes
     from passwords join people on people.id = person_id where people.id = $1 or people.email = lower($1)`,
    [idOrEmail],
  );
  return (
    row && {
      personId: row.person_id,
      hash: row.hash,
      totpSecret: row.totp_secret,
      changedAt: row.changed_at.getTime(),
      recoveryCodes: row.recovery_codes,
      nowMs: row.now_ms,
    }
  );
}

/** The time for checking a code of an app that is not registered yet. */
export async function databaseNowMs(pool: Pool): Promise<number> {
  const [row] = await pool.query<{ nowMs: number }>('select (extract(epoch from now()) * 1000)::float8 as "nowMs"');
  return (row as { nowMs: number }).nowMs;
}

/** Earlier ones become invalid. Must run in a transaction. */
export async function setRecoveryCodes(within: Pool, personId: string, codes: readonly string[]): Promise<void> {
  await within.query('delete from recovery_codes where person_id = $1', [personId]);
  await within.query('insert into recovery_codes (person_id, hash) select $1, unnest($2::bytea[])', [
    personId,
    codes.map(hashOf),
  ]);
}

/** Stores an app, with the time step of the code that confirmed it. */
export type TotpToSet = { readonly totpSecret: Buffer; readonly totpStep: number };

export async function setPassword(
  pool: Pool,
  personId: string,
  { hash, totpSecret, totpStep }: TotpToSet & { readonly hash: string },
): Promise<void> {
  await pool.query(
    `insert into passwords (person_id, hash, totp_secret, totp_step) values ($1, $2, $3, $4)
     on conflict (person_id) do update set hash = excluded.hash, totp_secret = excluded.totp_secret,
       totp_step = excluded.totp_step, changed_at = now()`,
    [personId, hash, totpSecret, totpStep],
  );
}

/** The password stays. */
export async function changeTotpSecret(
  pool: Pool,
  personId: string,
  { totpSecret, totpStep }: TotpToSet,
): Promise<void> {
  await pool.query('update passwords set totp_secret = $2, totp_step = $3 where person_id = $1', [
    personId,
    totpSecret,
    totpStep,
  ]);
}

/** The app stays. */
export async function changePasswordHash(pool: Pool, personId: string, hash: string): Promise<void> {
  await pool.query('update passwords set hash = $2, changed_at = now() where person_id = $1', [personId, hash]);
}

/** False if there was none; its recovery codes are deleted as well. */
export async function deletePassword(pool: Pool, personId: string): Promise<boolean> {
  const rows = await pool.query(
    `with codes as (delete from recovery_codes where person_id = $1)
     delete from passwords where person_id = $1 returning 1`,
    [personId],
  );
  return rows.length > 0;
}

/** True for the first use of a code with a later time step than all before it. */
export async function takeTotpStep(pool: Pool, personId: string, step: number): Promise<boolean> {
  const rows = await pool.query(
    'update passwords set totp_step = $2 where person_id = $1 and totp_step < $2 returning 1',
    [personId, step],
  );
  return rows.length > 0;
}

/** True for the first use. */
export async function takeRecoveryCode(pool: Pool, personId: string, code: string): Promise<boolean> {
  const rows = await pool.query('delete from recovery_codes where person_id = $1 and hash = $2 returning 1', [
    personId,
    hashOf(code),
  ]);
  return rows.length > 0;
}
