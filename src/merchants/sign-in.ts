// The use cases of sign-in: signing in, changing credentials, and ending sessions. Each locks the person first, as do
// changes of roles and credentials, so that everything is checked again after such a change. Sign-ins and changes are
// recorded in the audit of all merchants of the person, in the same transaction.
import type { Actor, Facts } from '../domain/audit.ts';
import { holdPerson, noteCompany } from '../store/people/people.ts';
import type { Person } from '../store/people/people.ts';
import type { Pool } from '../store/connections/pool.ts';
import { beginSession, endSessions, holdSession } from '../store/people/sessions.ts';
import { dropInvitation, dropLinks } from '../store/people/sign-in-links.ts';
import type { Arrival, Origin, Session } from '../store/people/sessions.ts';
import { withinTransaction } from '../store/connections/transaction.ts';
import { merchantIdsOf, recordAtEach } from './person-audit.ts';

export type Coming = Arrival & {
  readonly personId: string;
  /** Consumes the link, passkey assertion or code within the transaction; false if it is no longer valid. */
  readonly take: (within: Pool) => Promise<boolean>;
};

/** Returns the session secret for the browser; undefined if the person or the credential was removed meanwhile. */
export async function signInPerson(
  pool: Pool,
  { personId, take, ...how }: Coming,
  origin: Origin,
): Promise<string | undefined> {
  return withinTransaction(pool, async (within) => {
    const person = await holdPerson(within, personId);
    if (person === undefined || !(await take(within))) return undefined;
    const { secret } = await beginSession(within, person.id, how, origin);
    if (how.method === 'oidc') {
      await noteCompany(within, person.id);
      // Otherwise the creator of the invitation could sign in as a person who does not need it any more.
      await dropInvitation(within, person.id);
    }
    const { recoveryBy } = how;
    const actor: Actor = {
      kind: 'person',
      id: person.id,
      name: person.email,
      address: origin.address,
      ...(recoveryBy !== undefined && { recoveryBy }),
    };
    await recordAtEach(within, merchantIdsOf(person), () => ({
      actor,
      action: 'person.sign-in',
      subject: person.id,
      after: { method: how.method },
    }));
    return secret;
  });
}

export type CredentialChange = {
  readonly before?: Facts;
  readonly after?: Facts;
  /** Runs within the transaction; false if nothing changed and nothing is to be recorded. */
  readonly change: (within: Pool) => Promise<boolean>;
};

type Own = { readonly person: Pick<Person, 'id'>; readonly session: Pick<Session, 'id'> };

/**
 * For the person themselves, in a session that has not ended meanwhile. Ends other sessions and unused links, which may be
 * based on the old credential.
 */
export async function changeCredential(
  pool: Pool,
  actor: Actor,
  { person: { id }, session }: Own,
  { before, after, change }: CredentialChange,
): Promise<boolean> {
  return withinTransaction(pool, async (within) => {
    const person = await holdPerson(within, id);
    if (person === undefined || !(await holdSession(within, session.id)) || !(await change(within))) return false;
    await endSessions(within, person.id, { allBut: session.id });
    await dropLinks(within, person.id);
    await recordAtEach(within, merchantIdsOf(person), () => ({
      actor,
      action: 'person.credential',
      subject: person.id,
      ...(before && { before }),
      ...(after && { after }),
    }));
    return true;
  });
}

type Leaving = { readonly person: Person; readonly session: Pick<Session, 'id'> };

/** Ends sessions, and records it if there were any. */
async function endAndRecord(
  within: Pool,
  actor: Actor,
  { person, session }: Leaving,
  which: Parameters<typeof endSessions>[2],
): Promise<void> {
  const ended = await endSessions(within, person.id, which);
  if (ended === 0) return;
  const isOwn = 'only' in which && which.only === session.id;
  await recordAtEach(within, merchantIdsOf(person), () => ({
    actor,
    action: 'person.sign-out',
    subject: person.id,
    ...(!isOwn && { after: { sessions: ended } }),
  }));
}

/** Ends one session of the person: the current one, or another. */
export const signOut = (pool: Pool, actor: Actor, leaving: Leaving, sessionId: string): Promise<void> =>
  withinTransaction(pool, (within) => endAndRecord(within, actor, leaving, { only: sessionId }));

/** A concurrent sign-in is either ended as well, or happens after it. */
export async function endOtherSessions(pool: Pool, actor: Actor, leaving: Leaving): Promise<void> {
  await withinTransaction(pool, async (within) => {
    await holdPerson(within, leaving.person.id);
    await endAndRecord(within, actor, leaving, { allBut: leaving.session.id });
  });
}
