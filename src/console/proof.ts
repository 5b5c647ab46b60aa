// Fresh proof: keys, people and secrets are changed, and consumers erased, only by who has shown within the last minutes to
// be there, and not by whoever finds a browser open. Signing in counts as proof, and a passkey or a code renews it.
import type { FastifyReply } from 'fastify';
import { signInTexts } from './languages/sign-in.ts';
import type { Visitor } from './visitor.ts';

/** The answer of an API where proof is needed; undefined where it is fresh, and the act may go on. */
export const requireProof = ({ session, language }: Visitor, reply: FastifyReply): FastifyReply | undefined =>
  session.isProved
    ? undefined
    : reply.code(403).send({ reason: 'proof_needed', message: signInTexts(language).proofFirst });

/** The same for pages and forms: leads to where it is proved, and from there to the path that is given. */
export const leadToProof = (
  { session }: Visitor,
  root: string,
  next: string,
  reply: FastifyReply,
): FastifyReply | undefined =>
  session.isProved ? undefined : reply.redirect(`${root}/console/prove?next=${encodeURIComponent(next)}`, 303);

const HERE = 'http://localhost';

/** Where to go on: a path of the console, whatever an address names; nobody is led elsewhere. */
export function ownPath(root: string, next: unknown): string {
  const home = `${root}/console`;
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, HERE)) return home;
  // As a browser reads it, with its slashes, dots and what it leaves out.
  const { origin, pathname, search } = new URL(next, HERE);
  return origin === HERE && pathname.startsWith(`${home}/`) ? pathname + search : home;
}
