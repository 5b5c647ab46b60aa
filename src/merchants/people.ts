// The use cases of people: letting one in for a merchant, giving a link that signs in once, taking a role or a person away.
// Whoever asks, a command, the first start or the console, gets a named outcome and finds its own words for it.
import { findMerchant } from '../store/merchants.ts';
import * as store from '../store/people.ts';
import type { Person } from '../store/people.ts';
import type { Pool } from '../store/pool.ts';
import { makeLink } from '../store/sessions.ts';
import { withinTransaction } from '../store/transaction.ts';
import type { Role } from '../domain/role.ts';

// Long enough for somebody to be told of it by another way, and to come back from a weekend.
const LINK_SECONDS = 3 * 24 * 3_600;
export const LINK_LASTS = '3 days';
const LONGEST_EMAIL = 254;

/** One address, with a name, an @ and a host: whether anybody reads it is found out by nobody but its owner. */
const isEmail = (text: string): boolean =>
  text.length <= LONGEST_EMAIL && /^[^\s@<>",;]+@[^\s@<>",;]+$/u.test(text) && !/\p{Cc}/u.test(text);

export type Invited = {
  readonly kind: 'invited';
  readonly person: Person;
  /** What lets the person in once: whoever has it is in. */
  readonly linkSecret: string;
};

/** Whoever is known by that address already is given the role, too. */
export async function invitePerson(
  pool: Pool,
  { email, merchantId, role }: { readonly email: string; readonly merchantId: number; readonly role: Role },
): Promise<Invited | { readonly kind: 'bad_email' } | { readonly kind: 'no_merchant' }> {
  if (!isEmail(email)) return { kind: 'bad_email' };
  if ((await findMerchant(pool, merchantId)) === undefined) return { kind: 'no_merchant' };
  return withinTransaction(pool, async (within) => {
    const id = await store.insertPerson(within, store.newPersonId(), email);
    await store.setMembership(within, id, merchantId, role);
    const linkSecret = await makeLink(within, id, LINK_SECONDS);
    return { kind: 'invited', person: (await store.findPerson(within, id)) as Person, linkSecret };
  });
}

/** A way in for somebody who is known: also when all else is lost. The links before it are worth nothing any more. */
export async function linkPerson(
  pool: Pool,
  idOrEmail: string,
): Promise<
  { readonly kind: 'linked'; readonly person: Person; readonly linkSecret: string } | { readonly kind: 'no_person' }
> {
  const person = await store.findPerson(pool, idOrEmail);
  if (person === undefined) return { kind: 'no_person' };
  return { kind: 'linked', person, linkSecret: await makeLink(pool, person.id, LINK_SECONDS) };
}

/** From one merchant, or altogether: then all sessions end as well. */
export async function removePerson(
  pool: Pool,
  idOrEmail: string,
  merchantId?: number,
): Promise<{ readonly kind: 'removed'; readonly person: Person } | { readonly kind: 'no_person' }> {
  const person = await store.findPerson(pool, idOrEmail);
  if (person === undefined) return { kind: 'no_person' };
  const isGone =
    merchantId === undefined
      ? await store.deletePerson(pool, person.id)
      : await store.deleteMembership(pool, person.id, merchantId);
  return isGone ? { kind: 'removed', person } : { kind: 'no_person' };
}
