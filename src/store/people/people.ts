// People and their memberships in the database: who can sign in to the console, at which merchants, in which roles.
import { randomBytes } from 'node:crypto';
import type { Role } from '../../domain/role.ts';
import type { Pool } from '../connections/pool.ts';

export type Membership = {
  readonly merchantId: number;
  readonly merchantName: string;
  readonly live: boolean;
  /** Whether the merchant requires a second factor. */
  readonly secondFactor: boolean;
  readonly role: Role;
  /** Whether it comes from groups of the sign-in provider: then it is only valid after single sign-on. */
  readonly byGroups: boolean;
};

export type Person = {
  readonly id: string;
  readonly email: string;
  readonly createdAt: number;
  /** Whether they can sign in without a link: with a passkey, or with a password and an authenticator app. */
  readonly hasWayIn: boolean;
  /** The same, or with single sign-on: then a link for them is account recovery. */
  readonly canSignIn: boolean;
  /** The recent recovery link, if any: its creator and time. */
  readonly recovery?: { readonly by: string; readonly atMs: number };
  /** The chosen language, as two letters; undefined: the browser's. */
  readonly language?: string;
  /** How often password sign-in was unlocked: failed attempts are counted per value. */
  readonly unlocks: number;
  readonly memberships: readonly Membership[];
};

type PersonRow = {
  id: string;
  email: string;
  created_at: Date;
  has_way_in: boolean;
  by_company: boolean;
  recovery_by: string | null;
  recovery_at: Date | null;
  language: string | null;
  unlocks: number;
  memberships: Membership[];
};

// How long a recovery link is shown as recent.
const TOLD_FOR = `interval '30 days'`;

const PERSON = `people.id, people.email, people.created_at, people.language, people.unlocks, people.by_company,
  people.recovery_by, case when people.recovery_at > now() - ${TOLD_FOR} then people.recovery_at end as recovery_at,
  exists (select 1 from passkeys where passkeys.person_id = people.id)
    or exists (select 1 from passwords where passwords.person_id = people.id) as has_way_in, coalesce((
  select json_agg(json_build_object('merchantId', merchants.id, 'merchantName', merchants.name, 'live', merchants.live,
    'secondFactor', coalesce(merchants.second_factor, merchants.live), 'role', memberships.role,
    'byGroups', memberships.by_groups) order by merchants.name, merchants.id)
  from memberships join merchants on merchants.id = memberships.merchant_id
  where memberships.person_id = people.id), '[]') as memberships`;

const readPerson = ({ id, email, unlocks, memberships, ...row }: PersonRow): Person => ({
  id,
  email,
  unlocks,
  memberships,
  ...(row.language !== null && { language: row.language }),
  createdAt: row.created_at.getTime(),
  hasWayIn: row.has_way_in,
  canSignIn: row.has_way_in || row.by_company,
  ...(row.recovery_by !== null &&
    row.recovery_at !== null && { recovery: { by: row.recovery_by, atMs: row.recovery_at.getTime() } }),
});

export const newPersonId = (): string => `person_${randomBytes(8).toString('hex')}`;

export async function findPerson(pool: Pool, idOrEmail: string): Promise<Person | undefined> {
  const [row] = await pool.query<PersonRow>(
    `select ${PERSON} from people where people.id = $1 or people.email = lower($1)`,
    [idOrEmail],
  );
  return row && readPerson(row);
}

/** Locks the person, so that no one else changes their roles, links or credentials until the transaction ends. */
export async function holdPerson(within: Pool, idOrEmail: string): Promise<Person | undefined> {
  const [held] = await within.query<{ id: string }>(
    'select id from people where id = $1 or email = lower($1) for update',
    [idOrEmail],
  );
  return held && findPerson(within, held.id);
}

export async function listPeople(pool: Pool, merchantId?: number): Promise<Person[]> {
  const rows = await pool.query<PersonRow>(
    `select ${PERSON} from people
     where $1::bigint is null or exists (
       select 1 from memberships where memberships.person_id = people.id and memberships.merchant_id = $1)
     order by people.email`,
    [merchantId ?? null],
  );
  return rows.map(readPerson);
}

/** False if someone has that address already. */
export async function insertPerson(pool: Pool, id: string, email: string): Promise<boolean> {
  const rows = await pool.query(
    'insert into people (id, email) values ($1, lower($2)) on conflict (email) do nothing returning id',
    [id, email],
  );
  return rows.length > 0;
}

/** An undefined `byGroups` leaves it unchanged. */
export async function setMembership(
  pool: Pool,
  personId: string,
  { merchantId, role, byGroups }: Pick<Membership, 'merchantId' | 'role'> & { readonly byGroups?: boolean },
): Promise<void> {
  await pool.query(
    `insert into memberships (person_id, merchant_id, role, by_groups) values ($1, $2, $3, coalesce($4, false))
     on conflict (person_id, merchant_id)
     do update set role = excluded.role, by_groups = coalesce($4, memberships.by_groups)`,
    [personId, merchantId, role, byGroups ?? null],
  );
}

/** Undefined: the browser's language. */
export async function setLanguage(pool: Pool, personId: string, language: string | undefined): Promise<void> {
  await pool.query('update people set language = $2 where id = $1', [personId, language ?? null]);
}

/** Records that someone has a link with which they can sign in as this person. */
export async function noteRecovery(pool: Pool, personId: string, by: string): Promise<void> {
  await pool.query('update people set recovery_by = $2, recovery_at = now() where id = $1', [personId, by]);
}

/** Records that they have used single sign-on. */
export async function noteCompany(pool: Pool, personId: string): Promise<void> {
  await pool.query('update people set by_company = true where id = $1 and not by_company', [personId]);
}

export async function addUnlock(pool: Pool, personId: string): Promise<void> {
  await pool.query('update people set unlocks = unlocks + 1 where id = $1', [personId]);
}

/** The numbers of people and of admins of a merchant. */
export async function countMembers(
  pool: Pool,
  merchantId: number,
): Promise<{ readonly all: number; readonly admins: number }> {
  const [row] = await pool.query<{ all: number; admins: number }>(
    `select count(*)::int as "all", (count(*) filter (where role = 'admin'))::int as admins
     from memberships where merchant_id = $1`,
    [merchantId],
  );
  return row ?? { all: 0, admins: 0 };
}

/** False if there was none. */
export async function deleteMembership(pool: Pool, personId: string, merchantId: number): Promise<boolean> {
  const rows = await pool.query('delete from memberships where person_id = $1 and merchant_id = $2 returning role', [
    personId,
    merchantId,
  ]);
  return rows.length > 0;
}

/** With memberships, links and sessions. */
export async function deletePerson(pool: Pool, id: string): Promise<boolean> {
  return (await pool.query('delete from people where id = $1 returning id', [id])).length > 0;
}
