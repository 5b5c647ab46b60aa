// Where the banner sends people to: the console, and on a sandbox of ours straight into it. As long as the person whom the
// first start made has no way in but links, and belongs to test merchants alone, every start makes a link that signs in
// once. It is shown at a terminal alone: whatever else a banner goes to is kept by somebody, and a link lets in whoever
// reads it.
import type { FirstWayIn } from '../console/context.ts';
import { KASSA } from '../domain/audit.ts';
import { invitePerson } from '../merchants/people.ts';
import { linkPerson } from '../merchants/sign-in-links.ts';
import { findPerson, listPeople } from '../store/people/people.ts';
import type { Person } from '../store/people/people.ts';
import type { Pool } from '../store/connections/pool.ts';
import type { KeylessSandbox } from './sandbox.ts';

/** Nothing is ever sent there. */
const FIRST_EMAIL = 'you@sandbox.example';
const KNOWN_MS = 1_000;

const needsLink = ({ email, hasWayIn, memberships }: Person): boolean =>
  email === FIRST_EMAIL && !hasWayIn && memberships.length > 0 && memberships.every(({ live }) => !live);

/** Whether only a link lets the first person in: then that one is there. */
async function isFirstAwaited(pool: Pool, merchantId: number): Promise<boolean> {
  const people = await listPeople(pool);
  if (people.length > 0) return people.some(needsLink);
  const invited = await invitePerson(pool, KASSA, { email: FIRST_EMAIL, merchantId, role: 'admin' });
  return invited.kind === 'invited';
}

/** For the page to sign in. Strangers may ask for that, so the answer is good for a while. */
export function watchFirstWayIn(
  pool: Pool,
  isInTerminal: boolean,
  command: string,
): () => Promise<FirstWayIn | undefined> {
  let known: Promise<Person | undefined> | undefined;
  let lookedAt = 0;
  return async () => {
    if (known === undefined || performance.now() - lookedAt > KNOWN_MS) {
      lookedAt = performance.now();
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
  if (sandbox === undefined || !(await isFirstAwaited(pool, sandbox.merchantId))) return `${url}/console`;
  if (!isTerminal) return `${url}/console, the way in: ${command} user link ${FIRST_EMAIL}`;
  const linked = await linkPerson(pool, KASSA, FIRST_EMAIL);
  return linked.kind === 'linked' ? `${url}/console/link/${linked.linkSecret}` : `${url}/console`;
}
