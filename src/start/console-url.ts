// Where the banner sends people to: the console, and on a sandbox of ours straight into it. As long as nobody is known but
// the person whom the first start made, and that one is nowhere signed in, every start makes a link that signs in once.
import { KASSA } from '../domain/audit.ts';
import { invitePerson, linkPerson } from '../merchants/people.ts';
import { listPeople } from '../store/people.ts';
import type { Pool } from '../store/pool.ts';
import { listSessions } from '../store/sessions.ts';
import type { KeylessSandbox } from './sandbox.ts';

/** Nothing is ever sent there. */
const FIRST_EMAIL = 'you@sandbox.example';

async function firstLink(pool: Pool, merchantId: number): Promise<string | undefined> {
  const [first, ...others] = await listPeople(pool);
  if (first === undefined) {
    const invited = await invitePerson(pool, KASSA, { email: FIRST_EMAIL, merchantId, role: 'admin' });
    return invited.kind === 'invited' ? invited.linkSecret : undefined;
  }
  if (first.email !== FIRST_EMAIL || others.length > 0 || (await listSessions(pool, first.id)).length > 0)
    return undefined;
  const linked = await linkPerson(pool, KASSA, first.id);
  return linked.kind === 'linked' ? linked.linkSecret : undefined;
}

export async function consoleUrlFor(
  pool: Pool,
  sandbox: KeylessSandbox | undefined,
  publicUrl: string,
): Promise<string> {
  const secret = sandbox && (await firstLink(pool, sandbox.merchantId));
  return secret === undefined ? `${publicUrl}/console` : `${publicUrl}/console/link/${secret}`;
}
