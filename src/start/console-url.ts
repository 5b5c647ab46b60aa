// Where the banner sends people to: the console, and on a sandbox of ours straight into it. As long as nobody is known but
// the person whom the first start made, and that one is nowhere signed in, every start makes a link that signs in once. It
// is shown at a terminal alone: whatever else a banner goes to is kept by somebody, and a link lets in whoever reads it.
import { KASSA } from '../domain/audit.ts';
import { invitePerson, linkPerson } from '../merchants/people.ts';
import { listPeople } from '../store/people.ts';
import type { Pool } from '../store/pool.ts';
import { listSessions } from '../store/sessions.ts';
import type { KeylessSandbox } from './sandbox.ts';

/** Nothing is ever sent there. */
const FIRST_EMAIL = 'you@sandbox.example';

/** Whether somebody has still to come in for the first time: then that one is there. */
async function isFirstAwaited(pool: Pool, merchantId: number): Promise<boolean> {
  const [first, ...others] = await listPeople(pool);
  if (first === undefined) {
    const invited = await invitePerson(pool, KASSA, { email: FIRST_EMAIL, merchantId, role: 'admin' });
    return invited.kind === 'invited';
  }
  return first.email === FIRST_EMAIL && others.length === 0 && (await listSessions(pool, first.id)).length === 0;
}

export async function consoleUrlFor(
  pool: Pool,
  sandbox: KeylessSandbox | undefined,
  { url, isTerminal }: { readonly url: string; readonly isTerminal: boolean },
): Promise<string> {
  if (sandbox === undefined || !(await isFirstAwaited(pool, sandbox.merchantId))) return `${url}/console`;
  if (!isTerminal) return `${url}/console, the way in: npx kassa user link ${FIRST_EMAIL}`;
  const linked = await linkPerson(pool, KASSA, FIRST_EMAIL);
  return linked.kind === 'linked' ? `${url}/console/link/${linked.linkSecret}` : `${url}/console`;
}
