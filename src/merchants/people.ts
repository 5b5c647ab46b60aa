// The use cases of people: inviting a person to a merchant, changing roles, removing people. Callers, such as a command
// or the console, get a named outcome and present it in their own words.
import type { Actor } from '../domain/audit.ts';
import { recordAct } from '../store/audit/audit.ts';
import { holdMerchant } from '../store/merchants/merchants.ts';
import * as store from '../store/people/people.ts';
import type { Person } from '../store/people/people.ts';
import type { Pool } from '../store/connections/pool.ts';
import { endSessions } from '../store/people/sessions.ts';
import { dropLinks, dropWaysIn } from '../store/people/sign-in-links.ts';
import { merchantIdsOf, recordAtEach, roleAt } from './person-audit.ts';
import { requestLinkApproval, issueLink, hasApprover } from './sign-in-links.ts';
import { withinTransaction } from '../store/connections/transaction.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Role } from '../domain/role.ts';

const LONGEST_EMAIL = 254;
/** Of a merchant: all of them stand on one page. */
export const MOST_MEMBERS = 500;

/** A plausible e-mail address; it is not verified. */
const isEmail = (text: string): boolean =>
  text.length <= LONGEST_EMAIL && /^[^\s@<>",;]+@[^\s@<>",;]+$/u.test(text) && !/\p{Cc}/u.test(text);

export type Invited = {
  readonly kind: 'invited';
  readonly person: Person;
  /** The secret of the one-time link. */
  readonly linkSecret: string;
  /** The link only works once another admin has approved it. */
  readonly waits?: true;
};

export type Invitation = {
  readonly email: string;
  readonly merchantId: number;
  readonly role: Role;
  /** Whether the role comes from groups of the sign-in provider; undefined: unchanged. */
  readonly byGroups?: boolean;
};

type BadInvitation = { readonly kind: 'bad_email' } | { readonly kind: 'no_merchant' };
type NotAdded = { readonly kind: 'is_there' | 'is_known' | 'too_many' | 'only_admin' };
/** The merchant would have no admin any more. */
type LastAdmin = { readonly kind: 'last_admin' };

type Held = { readonly id: string; readonly known?: Person };

/** Locks the person with this address, or creates one. Of two concurrent creates, the second finds the first. */
async function holdOrInsert(within: Pool, email: string): Promise<Held> {
  const there = await store.holdPerson(within, email);
  if (there) return { id: there.id, known: there };
  const id = store.newPersonId();
  if (await store.insertPerson(within, id, email)) return { id };
  const meanwhile = await store.holdPerson(within, email);
  if (meanwhile === undefined) throw new Error('a person came and went meanwhile');
  return { id: meanwhile.id, known: meanwhile };
}

/** Sets the role of the person at the merchant. The merchant stays locked until the end of the transaction. */
async function putMember(
  within: Pool,
  actor: Actor,
  merchant: Merchant,
  invitation: Invitation,
  { id, known }: Held,
): Promise<Person> {
  const { role, byGroups = false } = invitation;
  const before = known && roleAt(known, merchant.id);
  await store.setMembership(within, id, invitation);
  // An admin elsewhere who invited this person had a link of theirs, and may have registered a credential with it.
  if (known && before === undefined) await dropWaysIn(within, id);
  const person = (await store.findPerson(within, id)) as Person;
  const facts = { email: person.email, role };
  await recordAct(within, merchant, {
    actor,
    action: before === undefined || (before === role && !byGroups) ? 'person.invite' : 'person.role',
    subject: id,
    ...(before !== undefined && { before: { ...facts, role: before } }),
    after: { ...facts, ...(byGroups && { byGroups }) },
  });
  return person;
}

/** For the operator of Kassa, who may invite anyone. */
export async function invitePerson(pool: Pool, actor: Actor, invitation: Invitation): Promise<Invited | BadInvitation> {
  if (!isEmail(invitation.email)) return { kind: 'bad_email' };
  return withinTransaction(pool, async (within) => {
    const merchant = await holdMerchant(within, invitation.merchantId);
    if (merchant === undefined) return { kind: 'no_merchant' };
    const held = await holdOrInsert(within, invitation.email);
    const person = await putMember(within, actor, merchant, { ...invitation, byGroups: false }, held);
    return { kind: 'invited', person, linkSecret: await issueLink(within, actor, person) };
  });
}

/**
 * For an admin, who gets the link. It refuses people of other merchants, whose accounts the link would open; only the
 * operator can add them. A person without memberships can only sign in with the new link. There is no link if single
 * sign-on is required.
 */
export async function addMember(
  pool: Pool,
  actor: Actor,
  invitation: Invitation,
  { withLink }: { readonly withLink: boolean },
): Promise<Invited | (Omit<Invited, 'linkSecret'> & { readonly linkSecret?: undefined }) | BadInvitation | NotAdded> {
  const { email, merchantId } = invitation;
  if (!isEmail(email)) return { kind: 'bad_email' };
  return withinTransaction(pool, async (within) => {
    const merchant = await holdMerchant(within, merchantId);
    if (merchant === undefined) return { kind: 'no_merchant' };
    if ((await store.countMembers(within, merchantId)).all >= MOST_MEMBERS) return { kind: 'too_many' };
    const held = await holdOrInsert(within, email);
    if (held.known && roleAt(held.known, merchantId) !== undefined) return { kind: 'is_there' };
    if (held.known && held.known.memberships.length > 0) return { kind: 'is_known' };
    // A person who was removed and is invited again can already sign in, so this is account recovery.
    const isRecovery = withLink && merchant.live && held.known?.canSignIn === true;
    if (isRecovery && !(await hasApprover(within, merchant.id, [actor.id, held.id]))) return { kind: 'only_admin' };
    const person = await putMember(within, actor, merchant, invitation, held);
    if (!withLink) return { kind: 'invited', person };
    if (!isRecovery) return { kind: 'invited', person, linkSecret: await issueLink(within, actor, person) };
    return {
      kind: 'invited',
      person,
      linkSecret: await requestLinkApproval(within, actor, merchant, person),
      waits: true,
    };
  });
}

/** For group roles, of a person who is just signing in. */
export async function joinMember(pool: Pool, actor: Actor, invitation: Invitation): Promise<void> {
  await withinTransaction(pool, async (within) => {
    const merchant = await holdMerchant(within, invitation.merchantId);
    if (merchant === undefined) return;
    if ((await store.countMembers(within, merchant.id)).all < MOST_MEMBERS)
      await putMember(within, actor, merchant, invitation, await holdOrInsert(within, invitation.email));
  });
}

/** Whether the person is the only admin. The merchant must be locked. */
async function isLastAdmin(within: Pool, person: Person, merchantId: number): Promise<boolean> {
  return roleAt(person, merchantId) === 'admin' && (await store.countMembers(within, merchantId)).admins === 1;
}

/** Of somebody who belongs to the merchant. */
export async function changeRole(
  pool: Pool,
  actor: Actor,
  merchantId: number,
  personId: string,
  { role, byGroups }: Pick<Invitation, 'role' | 'byGroups'>,
): Promise<{ readonly kind: 'changed'; readonly person: Person } | { readonly kind: 'no_person' } | LastAdmin> {
  return withinTransaction(pool, async (within) => {
    const merchant = await holdMerchant(within, merchantId);
    const person = await store.holdPerson(within, personId);
    const before = person?.memberships.find((each) => each.merchantId === merchantId);
    if (merchant === undefined || person === undefined || before === undefined) return { kind: 'no_person' };
    if (before.role === role && before.byGroups === (byGroups ?? before.byGroups)) return { kind: 'changed', person };
    if (before.role !== role && (await isLastAdmin(within, person, merchantId))) return { kind: 'last_admin' };
    const invitation = { email: person.email, merchantId, role, ...(byGroups !== undefined && { byGroups }) };
    const held = { id: person.id, known: person };
    return { kind: 'changed', person: await putMember(within, actor, merchant, invitation, held) };
  });
}

/** For an admin: removes a person from the merchant, unless it would have no admin. */
export async function removeMember(
  pool: Pool,
  actor: Actor,
  merchantId: number,
  personId: string,
): Promise<Removed | { readonly kind: 'no_person' } | LastAdmin> {
  return withinTransaction(pool, async (within) => {
    await holdMerchant(within, merchantId);
    const person = await store.findPerson(within, personId);
    if (person && (await isLastAdmin(within, person, merchantId))) return { kind: 'last_admin' };
    return removePerson(within, actor, personId, merchantId);
  });
}

type Removed = { readonly kind: 'removed'; readonly person: Person };

/** Removes a person from one merchant or from all. Without memberships, all their sessions and links end. */
export async function removePerson(
  pool: Pool,
  actor: Actor,
  idOrEmail: string,
  merchantId?: number,
): Promise<Removed | { readonly kind: 'no_person' }> {
  return withinTransaction(pool, async (within) => {
    const person = await store.holdPerson(within, idOrEmail);
    if (person === undefined) return { kind: 'no_person' };
    const isGone =
      merchantId === undefined
        ? await store.deletePerson(within, person.id)
        : await store.deleteMembership(within, person.id, merchantId);
    if (!isGone) return { kind: 'no_person' };
    const { id, email } = person;
    const left = merchantIdsOf(person).filter((each) => each === (merchantId ?? each));
    // Without memberships, there is nothing to sign in to.
    const isOut = left.length === person.memberships.length;
    if (isOut) {
      await endSessions(within, id, {});
      await dropLinks(within, id);
    }
    await recordAtEach(within, left, (at) => ({
      actor,
      action: 'person.remove',
      subject: id,
      before: { email, role: roleAt(person, at) ?? null },
      after: { signedOutEverywhere: isOut },
    }));
    return { kind: 'removed', person };
  });
}
