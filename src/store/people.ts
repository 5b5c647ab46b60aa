// People and their memberships in the database: who may enter the console, for whom, and in which role.
import { randomBytes } from 'node:crypto';
import type { Role } from '../domain/role.ts';
import type { Pool } from './pool.ts';

export type Membership = {
  readonly merchantId: number;
  readonly merchantName: string;
  readonly live: boolean;
  readonly role: Role;
};

export type Person = {
  readonly id: string;
  readonly email: string;
  readonly createdAt: number;
  /** Whether they can come in without a link: by a passkey, or by a password with its app. */
  readonly hasWayIn: boolean;
  readonly memberships: readonly Membership[];
};

type PersonRow = { id: string; email: string; created_at: Date; has_way_in: boolean; memberships: Membership[] };

const PERSON = `people.id, people.email, people.created_at,
  exists (select 1 from passkeys where passkeys.person_id = people.id)
    or exists (select 1 from passwords where passwords.person_id = people.id) as has_way_in, coalesce((
  select json_agg(json_build_object('merchantId', merchants.id, 'merchantName', merchants.name, 'live', merchants.live,
    'role', memberships.role) order by merchants.name, merchants.id)
  from memberships join merchants on merchants.id = memberships.merchant_id
  where memberships.person_id = people.id), '[]') as memberships`;

const readPerson = ({ created_at: createdAt, has_way_in: hasWayIn, ...row }: PersonRow): Person => ({
  ...row,
  createdAt: createdAt.getTime(),
  hasWayIn,
});

export const newPersonId = (): string => `person_${randomBytes(8).toString('hex')}`;

export async function findPerson(pool: Pool, idOrEmail: string): Promise<Person | undefined> {
  const [row] = await pool.query<PersonRow>(
    `select ${PERSON} from people where people.id = $1 or people.email = lower($1)`,
    [idOrEmail],
  );
  return row && readPerson(row);
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

/** Whoever has that address already is the one that is given. */
export async function insertPerson(pool: Pool, id: string, email: string): Promise<string> {
  const [row] = await pool.query<{ id: string }>(
    `insert into people (id, email) values ($1, lower($2))
     on conflict (email) do update set email = people.email returning id`,
    [id, email],
  );
  if (row === undefined) throw new Error('a person that was written is not there');
  return row.id;
}

export async function setMembership(pool: Pool, personId: string, merchantId: number, role: Role): Promise<void> {
  await pool.query(
    `insert into memberships (person_id, merchant_id, role) values ($1, $2, $3)
     on conflict (person_id, merchant_id) do update set role = excluded.role`,
    [personId, merchantId, role],
  );
}

/** How many belong to a merchant, and how many of them are admins. */
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

/** True where there was one. */
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
