// Sessions in the database. Only the SHA-256 of a browser's secret is stored. Expiry is checked here, by the clock of
// the database.
import { createHash, randomBytes } from 'node:crypto';
import type { Pool } from '../connections/pool.ts';

export type SignInMethod = 'link' | 'password' | 'passkey' | 'oidc';

/** How a session was started, and whether that proves the person's presence. */
export type Arrival = {
  readonly method: SignInMethod;
  readonly isProved: boolean;
  /** By a recovery link: its creator. */
  readonly recoveryBy?: string;
};

/** The browser and address. */
export type Origin = { readonly address: string; readonly agent: string };

export type Session = Origin & {
  readonly id: string;
  readonly personId: string;
  readonly method: SignInMethod;
  readonly createdAt: number;
  readonly seenAt: number;
  /** Whether the person has recently confirmed their identity, so that sensitive actions are allowed. */
  readonly isProved: boolean;
  /** Whether more than a one-time link was presented in it. */
  readonly isStrong: boolean;
  /** The creator of the recovery link that started it. */
  readonly recoveryBy?: string;
  /** Whether the notice of a recovery link was dismissed in it. */
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

// A working day and some more: after a night, sign in again.
const IDLE = `interval '12 hours'`;
const ABSOLUTE = `interval '7 days'`;
// Enough to look something up and to mistype.
const PROOF = `interval '10 minutes'`;
// Activity is recorded once a minute, not with every click.
const NOTED_EVERY = `interval '1 minute'`;
const IS_ALIVE = `seen_at > now() - ${IDLE} and created_at > now() - ${ABSOLUTE}`;
/** Not idle for longer than people of a live merchant may be. `minutes`: a parameter. */
const isBusy = (minutes: string): string => `(seen_at > now() - ${minutes} * interval '1 minute' or not exists (
  select 1 from memberships join merchants on merchants.id = memberships.merchant_id
  where memberships.person_id = sessions.person_id and merchants.live))`;
export const ENDED_SESSION = `not (${IS_ALIVE})`;
// More at once would be a script.
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

/** Returns the secret for the browser. The oldest sessions of a person are replaced. */
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

/** A request that a script made by itself does not count as activity. */
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

/** No one may use it any more, so that it cannot be renewed. */
export async function forgetIdleSession(pool: Pool, secret: string): Promise<void> {
  await pool.query('delete from sessions where hash = $1', [hashOf(secret)]);
}

/** The person of a session, even if it has been idle for too long. */
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

/**
 * A passkey or a code was presented or registered: returns the new secret for the browser, which replaces the old one.
 */
export async function renewSession(pool: Pool, id: string): Promise<string | undefined> {
  const secret = newSecret();
  const rows = await pool.query(
    'update sessions set hash = $2, proved_at = now(), is_strong = true where id = $1 returning id',
    [id, hashOf(secret)],
  );
  return rows.length > 0 ? secret : undefined;
}

/** False if it has ended; until the transaction ends, it cannot be ended. The person must be locked. */
export async function holdSession(within: Pool, id: string): Promise<boolean> {
  const rows = await within.query(`select 1 from sessions where id = $1 and ${IS_ALIVE} for update`, [id]);
  return rows.length > 0;
}

/** Ends one session of a person, or all but one; returns the number. */
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

/** Dismisses the notice of a recovery link in the session. */
export async function noteTold(pool: Pool, id: string): Promise<void> {
  await pool.query('update sessions set is_told = true where id = $1', [id]);
}
