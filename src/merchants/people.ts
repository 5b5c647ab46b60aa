// The use cases of people: letting one in for a merchant, giving a link that signs in once, taking a role or a person away.
// Whoever asks, a command, the first start or the console, gets a named outcome and finds its own words for it.
import type { Act, Actor } from '../domain/audit.ts';
import { NO_MERCHANT, recordAct } from '../store/audit.ts';
import { findMerchant, findMerchants } from '../store/merchants.ts';
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

/** What concerns a person is told at these merchants of theirs, always in one order, so that nobody waits in a ring. */
async function recordAtEach(
  within: Pool,
  merchantIds: readonly number[],
  actAt: (merchantId: number) => Act,
): Promise<void> {
  const merchants = await findMerchants(within, merchantIds);
  for (const merchant of merchants.length === 0 ? [NO_MERCHANT] : merchants)
    await recordAct(within, merchant, actAt(merchant.id));
}

const merchantIdsOf = ({ memberships }: Person): number[] => memberships.map(({ merchantId }) => merchantId);

const roleAt = ({ memberships }: Person, merchantId: number): Role | undefined =>
  memberships.find((each) => each.merchantId === merchantId)?.role;

export type Invitation = { readonly email: string; readonly merchantId: number; readonly role: Role };

/** Whoever is known by that address already is given the role, too. */
export async function invitePerson(
  pool: Pool,
  actor: Actor,
  { email, merchantId, role }: Invitation,
): Promise<Invited | { readonly kind: 'bad_email' } | { readonly kind: 'no_merchant' }> {
  if (!isEmail(email)) return { kind: 'bad_email' };
  return withinTransaction(pool, async (within) => {
    const merchant = await findMerchant(within, merchantId);
    if (merchant === undefined) return { kind: 'no_merchant' };
    const id = await store.insertPerson(within, store.newPersonId(), email);
    const before = roleAt((await store.findPerson(within, id)) as Person, merchantId);
    await store.setMembership(within, id, merchantId, role);
    const linkSecret = await makeLink(within, id, LINK_SECONDS);
    const person = (await store.findPerson(within, id)) as Person;
    const facts = { email: person.email, role };
    await recordAct(within, merchant, {
      actor,
      action: 'person.invite',
      subject: id,
      ...(before !== undefined && { before: { ...facts, role: before } }),
      after: facts,
    });
    return { kind: 'invited', person, linkSecret };
  });
}

/** A way in for somebody who is known: also when all else is lost. The links before it are worth nothing any more. */
export async function linkPerson(
  pool: Pool,
  actor: Actor,
  idOrEmail: string,
): Promise<
  { readonly kind: 'linked'; readonly person: Person; readonly linkSecret: string } | { readonly kind: 'no_person' }
> {
  return withinTransaction(pool, async (within) => {
    const person = await store.findPerson(within, idOrEmail);
    if (person === undefined) return { kind: 'no_person' };
    const linkSecret = await makeLink(within, person.id, LINK_SECONDS);
    const { id, email } = person;
    await recordAtEach(within, merchantIdsOf(person), () => ({
      actor,
      action: 'person.link',
      subject: id,
      after: { email },
    }));
    return { kind: 'linked', person, linkSecret };
  });
}

/** From one merchant, or altogether: then all sessions end as well. */
export async function removePerson(
  pool: Pool,
  actor: Actor,
  idOrEmail: string,
  merchantId?: number,
): Promise<{ readonly kind: 'removed'; readonly person: Person } | { readonly kind: 'no_person' }> {
  return withinTransaction(pool, async (within) => {
    const person = await store.findPerson(within, idOrEmail);
    if (person === undefined) return { kind: 'no_person' };
    const isGone =
      merchantId === undefined
        ? await store.deletePerson(within, person.id)
        : await store.deleteMembership(within, person.id, merchantId);
    if (!isGone) return { kind: 'no_person' };
    const { id, email } = person;
    const left = merchantIdsOf(person).filter((each) => each === (merchantId ?? each));
    await recordAtEach(within, left, (at) => ({
      actor,
      action: 'person.remove',
      subject: id,
      before: { email, role: roleAt(person, at) ?? null },
      after: { signedOutEverywhere: merchantId === undefined },
    }));
    return { kind: 'removed', person };
  });
}
