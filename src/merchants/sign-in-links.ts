// The use cases of sign-in links. A link for somebody who cannot sign in is an invitation. For somebody who can it is
// account recovery, by which whoever has it acts in another's name: the person is told of it, what is done in its session
// is marked in the audit, and at a live merchant a second admin approves it before it is a link.
import type { Actor } from '../domain/audit.ts';
import type { Merchant } from '../domain/merchant.ts';
import { recordAct } from '../store/audit/audit.ts';
import { holdMerchant } from '../store/merchants/merchants.ts';
import * as store from '../store/people/people.ts';
import type { Person } from '../store/people/people.ts';
import type { Pool } from '../store/connections/pool.ts';
import {
  approveLinkRequest,
  dropLinkRequest,
  listLinkRequests,
  makeLink,
  requestLink,
} from '../store/people/sign-in-links.ts';
import type { LinkRequest } from '../store/people/sign-in-links.ts';
import { withinTransaction } from '../store/connections/transaction.ts';
import { merchantIdsOf, recordAtEach, roleAt } from './person-acts.ts';

// Long enough for somebody to be told of it by another way, and to come back from a weekend.
const LINK_SECONDS = 3 * 24 * 3_600;
export const LINK_LASTS = '3 days';

/** A link that is one at once; the links before it are worth nothing any more. The person is held. */
export async function giveLink(within: Pool, actor: Actor, { id, canSignIn }: Person): Promise<string> {
  if (!canSignIn) return makeLink(within, id, LINK_SECONDS);
  await store.noteRecovery(within, id, actor.name);
  return makeLink(within, id, LINK_SECONDS, actor.name);
}

/** One that is a link once another admin has approved it. The merchant and the person are held. */
export async function askForLink(within: Pool, actor: Actor, merchant: Merchant, person: Person): Promise<string> {
  const { id: personId, email } = person;
  const asked = { personId, merchantId: merchant.id, asker: actor, seconds: LINK_SECONDS };
  const secret = await requestLink(within, asked);
  await recordAct(within, merchant, { actor, action: 'person.link-ask', subject: personId, after: { email } });
  return secret;
}

/** Whether the merchant has an admin who is none of these. */
export async function hasApprover(within: Pool, merchantId: number, others: readonly string[]): Promise<boolean> {
  const people = await store.listPeople(within, merchantId);
  return people.some((person) => !others.includes(person.id) && roleAt(person, merchantId) === 'admin');
}

type Linked = { readonly kind: 'linked'; readonly person: Person; readonly linkSecret: string };
type NotLinked =
  | { readonly kind: 'no_person' }
  | { readonly kind: 'belongs_elsewhere' }
  | { readonly kind: 'only_admin' };

/** For somebody who belongs to this merchant alone, by an admin of it. */
export async function linkMember(
  pool: Pool,
  actor: Actor,
  merchantId: number,
  personId: string,
): Promise<Linked | (Omit<Linked, 'kind'> & { readonly kind: 'asked' }) | NotLinked> {
  return withinTransaction(pool, async (within) => {
    const merchant = await holdMerchant(within, merchantId);
    const person = await store.holdPerson(within, personId);
    if (merchant === undefined || person === undefined || roleAt(person, merchantId) === undefined)
      return { kind: 'no_person' };
    if (person.memberships.length > 1) return { kind: 'belongs_elsewhere' };
    if (!merchant.live || !person.canSignIn) return linkPerson(within, actor, person.id);
    if (!(await hasApprover(within, merchantId, [actor.id, person.id]))) return { kind: 'only_admin' };
    return { kind: 'asked', person, linkSecret: await askForLink(within, actor, merchant, person) };
  });
}

/** A way in for somebody who is known: also when all else is lost. */
export async function linkPerson(
  pool: Pool,
  actor: Actor,
  idOrEmail: string,
): Promise<Linked | { readonly kind: 'no_person' }> {
  return withinTransaction(pool, async (within) => {
    const person = await store.holdPerson(within, idOrEmail);
    if (person === undefined) return { kind: 'no_person' };
    const linkSecret = await giveLink(within, actor, person);
    const { id, email, canSignIn } = person;
    await recordAtEach(within, merchantIdsOf(person), () => ({
      actor,
      action: 'person.link',
      subject: id,
      after: { email, ...(canSignIn && { recovery: true }) },
    }));
    return { kind: 'linked', person, linkSecret };
  });
}

type Decided = { readonly kind: 'approved' | 'refused'; readonly email: string };
/** It is there no more, or who asked is no admin any more; or it is their own to ask for, and not to approve. */
type NotDecided = { readonly kind: 'gone' } | { readonly kind: 'own' };

const adminsAmong = (people: readonly Person[], merchantId: number): ReadonlySet<string> =>
  new Set(people.filter((each) => roleAt(each, merchantId) === 'admin').map(({ id }) => id));

/**
 * By an admin: everything is looked at again while merchant and person are held, so that of two who decide at once one
 * does, and an asker or approver who has lost the role meanwhile does not count. Nobody approves what they asked for, nor
 * what is for them, nor in a session that a recovery link began.
 */
export async function decideLinkRequest(
  pool: Pool,
  actor: Actor,
  merchantId: number,
  requestId: string,
  isApproved: boolean,
): Promise<Decided | NotDecided> {
  return withinTransaction(pool, async (within) => {
    const merchant = await holdMerchant(within, merchantId);
    const findRequest = async (): Promise<LinkRequest | undefined> =>
      (await listLinkRequests(within, merchantId)).find(({ id }) => id === requestId);
    const seen = await findRequest();
    const person = seen && (await store.holdPerson(within, seen.personId));
    const request = person && (await findRequest());
    if (merchant === undefined || person === undefined || request === undefined) return { kind: 'gone' };
    const admins = adminsAmong(await store.listPeople(within, merchantId), merchantId);
    const { email } = person;
    const told = { actor, subject: person.id, after: { email } };
    if (!isApproved) {
      if (!admins.has(actor.id) || !(await dropLinkRequest(within, requestId))) return { kind: 'gone' };
      await recordAct(within, merchant, { ...told, action: 'person.link-refuse' });
      return { kind: 'refused', email };
    }
    const isOwn = [request.askedById, person.id].includes(actor.id) || actor.recoveryBy !== undefined;
    if (isOwn) return { kind: 'own' };
    const isStillSo = person.memberships.every((each) => each.merchantId === merchantId);
    if (!isStillSo || !admins.has(actor.id) || !admins.has(request.askedById)) return { kind: 'gone' };
    const by = `${request.askedBy}, ${actor.name}`;
    if (!(await approveLinkRequest(within, requestId, by))) return { kind: 'gone' };
    await store.noteRecovery(within, person.id, by);
    await recordAct(within, merchant, { ...told, action: 'person.link-approve' });
    return { kind: 'approved', email };
  });
}
