// Sessions in the database. Of what a browser holds only the SHA-256 is kept. All that ends by time is compared here, by
// the clock of the database.
import { createHash, randomBytes } from 'node:crypto';
import type { Pool } from '../connections/pool.ts';

export type SignInMethod = 'link' | 'password' | 'passkey' | 'oidc';

/** By what a session was begun, and whether that shows that the person is there. */
export type Arrival = {
  readonly method: SignInMethod;
  readonly isProved: boolean;
  /** By a recovery link: who made it. */
  readonly recoveryBy?: string;
};

/** Where a session was begun. */
export type Origin = { readonly address: string; readonly agent: string };

export type Session = Origin & {
  readonly id: string;
  readonly personId: string;
  readonly method: SignInMethod;
  readonly createdAt: number;
  readonly seenAt: number;
  /** Whether the person has proved so lately to be there that acts which ask for it may be done. */
  readonly isProved: boolean;
  /** Whether more than a one-time link was shown in it. */
  readonly isStrong: boolean;
  /** Who made the recovery link that began it. */
  readonly recoveryBy?: string;
  /** Whether the notice of a recovery link was closed in it. */
  readonly isTold: boolean;
};

type SessionRow = {
  id: string;
  person_id: string;
  method: SignInMethod;
  address: string;
  agent: string;
  created_at: Date;
  seen_at: Date;
  is_proved: boolean;
  is_strong: boolean;
  recovery_by: string | null;
  is_told: boolean;
};

// A working day, and a bit: whoever comes back after a night signs in again.
const IDLE = `interval '12 hours'`;
const ABSOLUTE = `interval '7 days'`;
// Long enough to look something up and to make a typo.
const PROOF = `interval '10 minutes'`;
// Who is there is noted once a minute, and not with every click.
const NOTED_EVERY = `interval '1 minute'`;
const IS_ALIVE = `seen_at > now() - ${IDLE} and created_at > now() - ${ABSOLUTE}`;
/** While it is not idle for longer than a person of a live merchant may be. `minutes`: a parameter. */
const isBusy = (minutes: string): string => `(seen_at > now() - ${minutes} * interval '1 minute' or not exists (
  select 1 from memberships join merchants on merchants.id = memberships.merchant_id
  where memberships.person_id = sessions.person_id and merchants.live))`;
export const ENDED_SESSION = `not (${IS_ALIVE})`;
// More at once would be somebody's script.
const MOST_SESSIONS = 100;

const LONGEST_ADDRESS = 64;
const LONGEST_AGENT = 256;
const COLUMNS = `id, person_id, method, address, agent, created_at, seen_at, proved_at > now() - ${PROOF} as is_proved,
  (is_strong or method <> 'link') as is_strong, recovery_by, is_told`;

export const newSecret = (): string => randomBytes(32).toString('base64url');
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const readSession = (row: SessionRow): Session => ({
  id: row.id,
  personId: row.person_id,
  method: row.method,
  address: row.address,
  agent: row.agent,
  createdAt: row.created_at.getTime(),
  seenAt: row.seen_at.getTime(),
  isProved: row.is_proved,
  isStrong: row.is_strong,
  ...(row.recovery_by !== null && { recoveryBy: row.recovery_by }),
  isTold: row.is_told,
});

/** Gives what the browser is to hold. Of a person's sessions the oldest make room. */
export async function beginSession(
  pool: Pool,
  personId: string,
  { method, isProved, recoveryBy }: Arrival,
  { address, agent }: Origin,
): Promise<{ readonly secret: string; readonly id: string }> {
  const [secret, id] = [newSecret(), `session_${randomBytes(8).toString('hex')}`];
  await pool.query(
    `with surplus as (
       delete from sessions where hash in (
         select hash from sessions where person_id = $3 order by seen_at desc offset ${MOST_SESSIONS - 1})
     )
     insert into sessions (hash, id, person_id, method, address, agent, proved_at, recovery_by)
     values ($1, $2, $3, $4, $5, $6, case when $7 then now() else timestamptz 'epoch' end, $8)`,
    [
      hashOf(secret),
      id,
      personId,
      method,
      address.slice(0, LONGEST_ADDRESS),
      agent.slice(0, LONGEST_AGENT),
      isProved,
      recoveryBy ?? null,
    ],
  );
  return { secret, id };
}

/** A request that a script made by itself is not noted as the person's. */
export async function findSession(
  pool: Pool,
  secret: string,
  { isBackground, idleMinutes }: { readonly isBackground: boolean; readonly idleMinutes: number },
): Promise<Session | undefined> {
  const [row] = await pool.query<SessionRow & { is_due: boolean }>(
    `select ${COLUMNS}, seen_at < now() - ${NOTED_EVERY} as is_due from sessions
     where hash = $1 and ${IS_ALIVE} and ${isBusy('$2')}`,
    [hashOf(secret), idleMinutes],
  );
  if (row?.is_due && !isBackground)
    await pool.query('update sessions set seen_at = now() where hash = $1', [hashOf(secret)]);
  return row && readSession(row);
}

/** Of which nobody is a visitor any more, so that nothing brings it back. */
export async function forgetIdleSession(pool: Pool, secret: string): Promise<void> {
  await pool.query('delete from sessions where hash = $1', [hashOf(secret)]);
}

/** Whose session it is, or was until it was idle for too long. */
export async function findIdlePerson(pool: Pool, secret: string): Promise<string | undefined> {
  const [row] = await pool.query<{ id: string }>(
    `select person_id as id from sessions where hash = $1 and ${IS_ALIVE}`,
    [hashOf(secret)],
  );
  return row?.id;
}

export async function listSessions(pool: Pool, personId: string, idleMinutes: number): Promise<Session[]> {
  const rows = await pool.query<SessionRow>(
    `select ${COLUMNS} from sessions where person_id = $1 and ${IS_ALIVE} and ${isBusy('$2')} order by seen_at desc`,
    [personId, idleMinutes],
  );
  return rows.map(readSession);
}

/** A passkey or a code was shown or registered: gives what the browser is to hold from now on, in place of what it held. */
export async function renewSession(pool: Pool, id: string): Promise<string | undefined> {
  const secret = newSecret();
  const rows = await pool.query(
    'update sessions set hash = $2, proved_at = now(), is_strong = true where id = $1 returning id',
    [id, hashOf(secret)],
  );
  return rows.length > 0 ? secret : undefined;
}

/** True while it has not ended; until the transaction does, nobody ends it. The person is held already. */
export async function holdSession(within: Pool, id: string): Promise<boolean> {
  const rows = await within.query(`select 1 from sessions where id = $1 and ${IS_ALIVE} for update`, [id]);
  return rows.length > 0;
}

/** One of a person, or all but one; gives how many there were. */
export async function endSessions(
  pool: Pool,
  personId: string,
  which: { readonly only: string } | { readonly allBut?: string },
): Promise<number> {
  const { only, allBut } = { only: null, allBut: null, ...which };
  const ended = await pool.query(
    `delete from sessions where person_id = $1 and ($2::text is null or id = $2) and ($3::text is null or id <> $3)
     returning id`,
    [personId, only, allBut],
  );
  return ended.length;
}

/** The notice of a recovery link is shown in it no more. */
export async function noteTold(pool: Pool, id: string): Promise<void> {
  await pool.query('update sessions set is_told = true where id = $1', [id]);
}
