// The use cases of a person's own ways in: coming in by one, changing one, and ending sessions. Each holds the person
// first, as do those that give a role or take ways in away: so what was shown or asked for before such a change is looked
// at again after it. Coming in and changing are told in the audit of every merchant of theirs, in their transaction.
import type { Actor, Facts } from '../domain/audit.ts';
import { holdPerson, noteCompany } from '../store/people/people.ts';
import type { Person } from '../store/people/people.ts';
import type { Pool } from '../store/connections/pool.ts';
import { beginSession, endSessions, holdSession } from '../store/people/sessions.ts';
import { dropInvitation, dropLinks } from '../store/people/sign-in-links.ts';
import type { Arrival, Origin, Session } from '../store/people/sessions.ts';
import { withinTransaction } from '../store/connections/transaction.ts';
import { merchantIdsOf, recordAtEach } from './person-acts.ts';

export type Coming = Arrival & {
  readonly personId: string;
  /** Takes what was shown, the link, the passkey or the code, within the transaction; false where it is good no more. */
  readonly take: (within: Pool) => Promise<boolean>;
};

/** Gives what the browser is to hold; undefined for who was removed meanwhile, or has lost that way in. */
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
      // Whoever made it could otherwise come in as somebody who can sign in without it.
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
  /** Within the transaction; false where nothing was changed, and nothing is told. */
  readonly change: (within: Pool) => Promise<boolean>;
};

type Own = { readonly person: Pick<Person, 'id'>; readonly session: Pick<Session, 'id'> };

/**
 * By the person alone, whose session has not ended meanwhile. Whoever is in or could come in by what was before is out:
 * other sessions, and unused links.
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

/** And tells of it, where a session was still there. */
async function endAndTell(
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

/** Ends one session of the person: the one that asks, or another. */
export const signOut = (pool: Pool, actor: Actor, leaving: Leaving, sessionId: string): Promise<void> =>
  withinTransaction(pool, (within) => endAndTell(within, actor, leaving, { only: sessionId }));

/** Whoever comes in at the same moment is out, too, or comes in after it. */
export async function endOtherSessions(pool: Pool, actor: Actor, leaving: Leaving): Promise<void> {
  await withinTransaction(pool, async (within) => {
    await holdPerson(within, leaving.person.id);
    await endAndTell(within, actor, leaving, { allBut: leaving.session.id });
  });
}
