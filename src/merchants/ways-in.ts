// The use cases of a person's own ways in: coming in by one, and changing one. Each is told in the audit of every merchant
// of theirs, in the transaction of what was done.
import type { Actor, Facts } from '../domain/audit.ts';
import { findPerson } from '../store/people.ts';
import type { Person } from '../store/people.ts';
import type { Pool } from '../store/pool.ts';
import { beginSession, dropLinks, endSessions } from '../store/sessions.ts';
import type { Arrival, Origin, Session } from '../store/sessions.ts';
import { withinTransaction } from '../store/transaction.ts';
import { merchantIdsOf, recordAtEach } from './people.ts';

/** Gives what the browser is to hold; undefined for who was removed meanwhile. */
export async function signInPerson(
  pool: Pool,
  personId: string,
  how: Arrival,
  origin: Origin,
): Promise<string | undefined> {
  return withinTransaction(pool, async (within) => {
    const person = await findPerson(within, personId);
    if (person === undefined) return undefined;
    const { secret } = await beginSession(within, person.id, how, origin);
    const actor = { kind: 'person', id: person.id, name: person.email, address: origin.address } as const;
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

/** By the person alone. Whoever is in or could come in by what was before is out: other sessions, and unused links. */
export async function changeCredential(
  pool: Pool,
  actor: Actor,
  { person, session }: { readonly person: Person; readonly session: Pick<Session, 'id'> },
  { before, after, change }: CredentialChange,
): Promise<boolean> {
  return withinTransaction(pool, async (within) => {
    if (!(await change(within))) return false;
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
