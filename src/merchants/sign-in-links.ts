// The use cases of sign-in links. For a person who cannot sign in yet, a link is an invitation. For one who can, it is
// account recovery, with which its holder can act as that person: the person is notified, the actions of its session are
// marked in the audit, and at a live merchant a second admin must approve it.
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
import { merchantIdsOf, recordAtEach, roleAt } from './person-audit.ts';

// Long enough to pass it on, and to come back from a weekend.
const LINK_SECONDS = 3 * 24 * 3_600;
export const LINK_LASTS = '3 days';

/** Creates a link that works immediately; earlier links stop working. The person must be locked. */
export async function issueLink(within: Pool, actor: Actor, { id, canSignIn }: Person): Promise<string> {
  if (!canSignIn) return makeLink(within, id, LINK_SECONDS);
  await store.noteRecovery(within, id, actor.name);
  return makeLink(within, id, LINK_SECONDS, actor.name);
}

/** Creates a link that another admin must approve. The merchant and the person must be locked. */
export async function requestLinkApproval(
  within: Pool,
  actor: Actor,
  merchant: Merchant,
  person: Person,
): Promise<string> {
  const { id: personId, email } = person;
  const asked = { personId, merchantId: merchant.id, asker: actor, seconds: LINK_SECONDS };
  const secret = await requestLink(within, asked);
  await recordAct(within, merchant, { actor, action: 'person.link-ask', subject: personId, after: { email } });
  return secret;
}

/** Whether the merchant has an admin other than these. */
export async function hasApprover(within: Pool, merchantId: number, others: readonly string[]): Promise<boolean> {
  const people = await store.listPeople(within, merchantId);
  return people.some((person) => !others.includes(person.id) && roleAt(person, merchantId) === 'admin');
}

type Linked = { readonly kind: 'linked'; readonly person: Person; readonly linkSecret: string };
type NotLinked =
  | { readonly kind: 'no_person' }
  | { readonly kind: 'belongs_elsewhere' }
  | { readonly kind: 'only_admin' };

/** For an admin, for a person who belongs only to this merchant. */
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
    return { kind: 'asked', person, linkSecret: await requestLinkApproval(within, actor, merchant, person) };
  });
}

/** For the operator: a link for an existing person. */
export async function linkPerson(
  pool: Pool,
  actor: Actor,
  idOrEmail: string,
): Promise<Linked | { readonly kind: 'no_person' }> {
  return withinTransaction(pool, async (within) => {
    const person = await store.holdPerson(within, idOrEmail);
    if (person === undefined) return { kind: 'no_person' };
    const linkSecret = await issueLink(within, actor, person);
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
/** `gone`: the request no longer exists, or its asker is no longer an admin. `own`: it cannot be approved by the asker. */
type NotDecided = { readonly kind: 'gone' } | { readonly kind: 'own' };

const adminsAmong = (people: readonly Person[], merchantId: number): ReadonlySet<string> =>
  new Set(people.filter((each) => roleAt(each, merchantId) === 'admin').map(({ id }) => id));

/**
 * For an admin. Everything is checked again while merchant and person are locked, so that only one of two concurrent
 * decisions counts, and an asker or approver who has lost the role does not. Nobody can approve their own request, a link
 * for themselves, or anything in a session from a recovery link.
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
    const record = { actor, subject: person.id, after: { email } };
    if (!isApproved) {
      if (!admins.has(actor.id) || !(await dropLinkRequest(within, requestId))) return { kind: 'gone' };
      await recordAct(within, merchant, { ...record, action: 'person.link-refuse' });
      return { kind: 'refused', email };
    }
    const isOwn = [request.askedById, person.id].includes(actor.id) || actor.recoveryBy !== undefined;
    if (isOwn) return { kind: 'own' };
    const isStillSo = person.memberships.every((each) => each.merchantId === merchantId);
    if (!isStillSo || !admins.has(actor.id) || !admins.has(request.askedById)) return { kind: 'gone' };
    const by = `${request.askedBy}, ${actor.name}`;
    if (!(await approveLinkRequest(within, requestId, by))) return { kind: 'gone' };
    await store.noteRecovery(within, person.id, by);
    await recordAct(within, merchant, { ...record, action: 'person.link-approve' });
    return { kind: 'approved', email };
  });
}
