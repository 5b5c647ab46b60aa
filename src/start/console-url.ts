// The console's address in the banner, with a one-time sign-in link for a sandbox. Every start creates a link as long as
// the user from the first start can only sign in with links and has only test merchants. It is shown only on a terminal,
// since other output may be stored, and anyone who reads a link can use it.
import type { FirstSignIn } from '../console/context.ts';
import { KASSA } from '../domain/audit.ts';
import { invitePerson } from '../merchants/people.ts';
import { linkPerson } from '../merchants/sign-in-links.ts';
import { findPerson, listPeople } from '../store/people/people.ts';
import type { Person } from '../store/people/people.ts';
import type { Pool } from '../store/connections/pool.ts';
import type { KeylessSandbox } from './sandbox.ts';

/** No e-mail is ever sent to it. */
const FIRST_EMAIL = 'you@sandbox.example';
const KNOWN_MS = 1_000;

const needsLink = ({ email, hasWayIn, memberships }: Person): boolean =>
  email === FIRST_EMAIL && !hasWayIn && memberships.length > 0 && memberships.every(({ live }) => !live);

/** Whether the first user can only sign in with a link. Creates the user if there is none yet. */
async function needsFirstLink(pool: Pool, merchantId: number): Promise<boolean> {
  const people = await listPeople(pool);
  if (people.length > 0) return people.some(needsLink);
  const invited = await invitePerson(pool, KASSA, { email: FIRST_EMAIL, merchantId, role: 'admin' });
  return invited.kind === 'invited';
}

/** For the sign-in page. Strangers may request that page, so the result is cached. */
export function watchFirstSignIn(
  pool: Pool,
  isInTerminal: boolean,
  command: string,
): () => Promise<FirstSignIn | undefined> {
  let known: Promise<Person | undefined> | undefined;
  let readAt = 0;
  return async () => {
    if (known === undefined || performance.now() - readAt > KNOWN_MS) {
      readAt = performance.now();
      known = findPerson(pool, FIRST_EMAIL).catch(() => undefined);
    }
    const person = await known;
    return person && needsLink(person) ? { email: FIRST_EMAIL, isInTerminal, command } : undefined;
  };
}

export async function consoleUrlFor(
  pool: Pool,
  sandbox: KeylessSandbox | undefined,
  { url, isTerminal, command }: { readonly url: string; readonly isTerminal: boolean; readonly command: string },
): Promise<string> {
  if (sandbox === undefined || !(await needsFirstLink(pool, sandbox.merchantId))) return `${url}/console`;
  if (!isTerminal) return `${url}/console, sign in with: ${command} user link ${FIRST_EMAIL}`;
  const linked = await linkPerson(pool, KASSA, FIRST_EMAIL);
  return linked.kind === 'linked' ? `${url}/console/link/${linked.linkSecret}` : `${url}/console`;
}
