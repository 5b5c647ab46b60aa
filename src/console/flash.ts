// Flash messages: the result of a form, including one-time secrets, shown on the page after the redirect. They are in a
// sealed cookie bound to the session and page, for a minute, with unique names so that tabs do not interfere.
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

/** Redirects to a console page that shows the flash message. */
export async function flashAt(
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

/** Takes the flash message of this page; undefined if it was already shown. */
export async function takeFlash<Flash extends object>(
  context: ConsoleContext,
  visitor: Visitor,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Flash | undefined> {
  const { told: id } = request.query as { told?: unknown };
  if (typeof id !== 'string' || !ID.test(id)) return undefined;
  const value = readCookie(request, context.publicUrl(), cookieOf(id));
  if (value === undefined) return undefined;
  setCookie(reply, context.publicUrl(), { name: cookieOf(id), value: '', seconds: 0 });
  const path = rootOf(context) + (request.url.split('?', 1)[0] as string);
  return unseal<Flash>(context, sealFor(visitor, path), value, SECONDS);
}
