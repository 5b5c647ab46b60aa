// Recent confirmation of identity, required to change keys, people and secrets, to erase consumers and to make large
// refunds, so that an open browser is not enough. Signing in counts, and a passkey or a code renews it.
import type { FastifyReply } from 'fastify';
import { consoleTexts } from './texts.ts';
import type { Visitor } from './visitor.ts';

/** The answer of an API where proof is needed; undefined where it is fresh, and the act may go on. */
export const requireProof = ({ session, language }: Visitor, reply: FastifyReply): FastifyReply | undefined =>
  session.isProved
    ? undefined
    : reply.code(403).send({ reason: 'proof_needed', message: consoleTexts(language).signIn.proofFirst });

/** For adding a credential: at test merchants, the first one needs no confirmation. */
export const asAdding = (visitor: Visitor): Visitor =>
  visitor.isFirstWayFree ? { ...visitor, session: { ...visitor.session, isProved: true } } : visitor;

/** To where it is proved, and from there to the path that is given. `more`: of the address. */
export const proveFirst = (root: string, next: string, reply: FastifyReply, more = ''): FastifyReply =>
  reply.redirect(`${root}/console/prove?next=${encodeURIComponent(next)}${more}`, 303);

/** The same for pages, and for forms with a password in them: that is not kept, and the page of the proof says so. */
export const leadToProof = (
  { session }: Visitor,
  root: string,
  next: string,
  reply: FastifyReply,
): FastifyReply | undefined =>
  session.isProved ? undefined : proveFirst(root, next, reply, reply.request.method === 'POST' ? '&again=yes' : '');

const HERE = 'http://localhost';

/** An address of the page of the proof, as it was asked. */
export type AskedProof = { readonly next: string; readonly form?: string; readonly isAgain: boolean };

export function readAskedProof(root: string, query: unknown): AskedProof {
  const { next, form, again } = query as Readonly<Record<string, unknown>>;
  const isKept = typeof form === 'string' && /^[0-9a-f]{12}$/.test(form);
  return { next: ownPath(root, next), ...(isKept && { form }), isAgain: again !== undefined };
}

/** Where a proof leads to: the page that asked, or back here, from where the form that was kept is sent on. */
export const onwardOf = (root: string, { next, form }: AskedProof): string =>
  form === undefined ? next : `${root}/console/prove?next=${encodeURIComponent(next)}&form=${form}`;

/** The other way round. */
export function askedBy(root: string, onward: string): AskedProof {
  const own = `${root}/console/prove?`;
  const isOwn = onward.startsWith(own);
  return readAskedProof(
    root,
    isOwn ? Object.fromEntries(new URLSearchParams(onward.slice(own.length))) : { next: onward },
  );
}

/** The path to continue at: always within the console, to prevent open redirects. */
export function ownPath(root: string, next: unknown): string {
  const home = `${root}/console`;
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, HERE)) return home;
  // As a browser reads it, with its slashes, dots and what it leaves out.
  const { origin, pathname, search } = new URL(next, HERE);
  return origin === HERE && pathname.startsWith(`${home}/`) ? pathname + search : home;
}
