// What a form's act has to say, also a secret that is shown this one time, on the page that the browser is led to: so a
// reload does nothing twice. Until then it is in a sealed cookie of that browser, of use to that session on that page
// alone, for a minute. Each has a name of its own, so that no tab takes another's.
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rootOf } from './context.ts';
import type { ConsoleContext } from './context.ts';
import { readCookie, setCookie } from './cookie.ts';
import { seal, unseal } from './sealed-cookie.ts';
import type { Seal } from './sealed-cookie.ts';
import type { Visitor } from './visitor.ts';

const ID = /^[0-9a-f]{12}$/;
const SECONDS = 60;

const cookieOf = (id: string): string => `kassa-told-${id}`;

const sealFor = ({ session }: Visitor, path: string): Seal => ({ purpose: 'told', bound: `${session.id} ${path}` });

/** Leads to a page of the console, which takes what is told there. */
export async function tellAt(
  context: ConsoleContext,
  visitor: Visitor,
  reply: FastifyReply,
  path: string,
  told: object,
): Promise<FastifyReply> {
  const id = randomBytes(6).toString('hex');
  const value = await seal(context, sealFor(visitor, path), told);
  setCookie(reply, context.publicUrl(), { name: cookieOf(id), value, seconds: SECONDS });
  return reply.redirect(`${path}?told=${id}`, 303);
}

/** What this page was to tell; undefined where it is told already. The browser forgets it with this answer. */
export async function takeTold<Told extends object>(
  context: ConsoleContext,
  visitor: Visitor,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Told | undefined> {
  const { told: id } = request.query as { told?: unknown };
  if (typeof id !== 'string' || !ID.test(id)) return undefined;
  const value = readCookie(request, context.publicUrl(), cookieOf(id));
  if (value === undefined) return undefined;
  setCookie(reply, context.publicUrl(), { name: cookieOf(id), value: '', seconds: 0 });
  const path = rootOf(context) + (request.url.split('?', 1)[0] as string);
  return unseal<Told>(context, sealFor(visitor, path), value, SECONDS);
}
