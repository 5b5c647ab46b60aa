// One-time links in the database, and those that wait for another admin's approval. Only the SHA-256 of a link's secret
// is stored. Expiry is checked here, by the clock of the database.
import { randomBytes } from 'node:crypto';
import type { Pool } from '../connections/pool.ts';
import { hashOf, newSecret } from './sessions.ts';

/** Returns the secret of a link. `recoveryBy`: its creator, if the person can already sign in. */
export async function makeLink(pool: Pool, personId: string, seconds: number, recoveryBy?: string): Promise<string> {
  const secret = newSecret();
  await pool.query(
    `with over as (delete from sign_in_links where expires_at < now() or person_id = $2),
       requests as (delete from link_requests where person_id = $2)
     insert into sign_in_links (hash, person_id, expires_at, recovery_by)
     values ($1, $2, now() + $3 * interval '1 second', $4)`,
    [hashOf(secret), personId, seconds, recoveryBy ?? null],
  );
  return secret;
}

/** Unused links, and those that wait for approval. */
export async function dropLinks(pool: Pool, personId: string): Promise<void> {
  await pool.query(
    `with requests as (delete from link_requests where person_id = $1)
     delete from sign_in_links where person_id = $1`,
    [personId],
  );
}

/** A link for a person who could not sign in when it was created. */
export async function dropInvitation(pool: Pool, personId: string): Promise<void> {
  await pool.query('delete from sign_in_links where person_id = $1 and recovery_by is null', [personId]);
}

/** Deletes all credentials of a person: only a new link works then. */
export async function dropWaysIn(pool: Pool, personId: string): Promise<void> {
  await pool.query(
    `with links as (delete from sign_in_links where person_id = $1),
       requests as (delete from link_requests where person_id = $1),
       keys as (delete from passkeys where person_id = $1),
       codes as (delete from recovery_codes where person_id = $1),
       words as (delete from passwords where person_id = $1)
     delete from sessions where person_id = $1`,
    [personId],
  );
}

export type FoundLink = { readonly personId: string; readonly recoveryBy?: string };

/** The person of a valid link. */
export async function findLink(pool: Pool, secret: string): Promise<FoundLink | undefined> {
  const [row] = await pool.query<{ personId: string; recoveryBy: string | null }>(
    `select person_id as "personId", recovery_by as "recoveryBy" from sign_in_links
     where hash = $1 and expires_at > now()`,
    [hashOf(secret)],
  );
  return row && { personId: row.personId, ...(row.recoveryBy !== null && { recoveryBy: row.recoveryBy }) };
}

/** Consumes the link: true if it was valid; of several concurrent calls, one succeeds. */
export async function useLink(pool: Pool, secret: string): Promise<boolean> {
  const [row] = await pool.query<{ isGood: boolean }>(
    `delete from sign_in_links where hash = $1 returning expires_at > now() as "isGood"`,
    [hashOf(secret)],
  );
  return row?.isGood === true;
}

/** Who requested a link, for whom, and when. */
export type LinkRequest = {
  readonly id: string;
  readonly personId: string;
  readonly email: string;
  readonly askedById: string;
  readonly askedBy: string;
  readonly askedAt: number;
};

type NewRequest = {
  readonly personId: string;
  readonly merchantId: number;
  readonly asker: { readonly id: string; readonly name: string };
  readonly seconds: number;
};

/** Returns the secret of a link that does not work until it is approved; replaces an earlier request. */
export async function requestLink(pool: Pool, { personId, merchantId, asker, seconds }: NewRequest): Promise<string> {
  const secret = newSecret();
  await pool.query('delete from link_requests where expires_at < now() or person_id = $1', [personId]);
  await pool.query(
    `insert into link_requests (id, hash, person_id, merchant_id, asked_by_id, asked_by, expires_at)
     values ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 second')`,
    [`request_${randomBytes(8).toString('hex')}`, hashOf(secret), personId, merchantId, asker.id, asker.name, seconds],
  );
  return secret;
}

/** Valid requests of a merchant, oldest first. */
export async function listLinkRequests(pool: Pool, merchantId: number): Promise<LinkRequest[]> {
  const rows = await pool.query<Omit<LinkRequest, 'askedAt'> & { askedAt: Date }>(
    `select link_requests.id, person_id as "personId", email, asked_by_id as "askedById", asked_by as "askedBy",
       asked_at as "askedAt"
     from link_requests join people on people.id = person_id
     where merchant_id = $1 and expires_at > now() order by asked_at, id`,
    [merchantId],
  );
  return rows.map((row) => ({ ...row, askedAt: row.askedAt.getTime() }));
}

/** Whether it is a link that waits for approval. */
export async function isLinkRequested(pool: Pool, secret: string): Promise<boolean> {
  const rows = await pool.query('select 1 from link_requests where hash = $1 and expires_at > now()', [hashOf(secret)]);
  return rows.length > 0;
}

/** Makes it the only link of its person; false if the request no longer exists. */
export async function approveLinkRequest(within: Pool, id: string, recoveryBy: string): Promise<boolean> {
  const rows = await within.query(
    `with taken as (delete from link_requests where id = $1 and expires_at > now() returning hash, person_id, expires_at),
       over as (delete from sign_in_links where person_id in (select person_id from taken))
     insert into sign_in_links (hash, person_id, expires_at, recovery_by)
     select hash, person_id, expires_at, $2 from taken returning 1`,
    [id, recoveryBy],
  );
  return rows.length > 0;
}

export async function dropLinkRequest(within: Pool, id: string): Promise<boolean> {
  return (await within.query('delete from link_requests where id = $1 returning id', [id])).length > 0;
}
