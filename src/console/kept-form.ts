// A form that was sent by who has to show first that it is still them: it is kept, and sent on once they have. Until
// then it is in a sealed cookie of that browser, of use to that person alone, for as long as a proof may take; the
// address that leads to the proof and back has nothing but its name. Whoever takes it takes it out of the browser, so it
// is sent on once. There is one at a time: a person shows who they are for one act, and the last one is what they want.
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rootOf } from './context.ts';
import type { ConsoleContext } from './context.ts';
import { readCookie, setCookie, readSessionCookie } from './cookie.ts';
import { findIdlePerson } from '../store/people/sessions.ts';
import { fieldsOf } from './form.ts';
import { onwardOf, proveFirst } from './proof.ts';
import { seal, unseal } from './sealed-cookie.ts';
import type { Seal } from './sealed-cookie.ts';
import type { Visitor } from './visitor.ts';

const COOKIE = 'kassa-form';
// As long as the way by a provider, or a link that somebody makes in a terminal.
const SECONDS = 15 * 60;
// With its wrapping, as much as every browser keeps in a cookie.
const MOST_BYTES = 2_600;

export type KeptForm = { readonly action: string; readonly fields: Readonly<Record<string, string>> };

/** Of a person, since a proof by a link or a provider, and signing in again, begin another session. */
const sealOf = (personId: string, id: string): Seal => ({ purpose: 'form', bound: `${personId} ${id}` });

/** The name that it is kept under; undefined where it is more than a browser keeps. */
async function keep(context: ConsoleContext, personId: string, request: FastifyRequest, reply: FastifyReply) {
  const form: KeptForm = { action: rootOf(context) + request.url, fields: fieldsOf(request) };
  if (Buffer.byteLength(JSON.stringify(form)) > MOST_BYTES) return undefined;
  const id = randomBytes(6).toString('hex');
  const value = await seal(context, sealOf(personId, id), form);
  setCookie(reply, context.publicUrl(), { name: COOKIE, value, seconds: SECONDS });
  return id;
}

/**
 * Who has not proved lately is led to do so, and the form is kept meanwhile. `next`: the page on which it stands. True
 * where that is the answer; a reply that is awaited would be none.
 */
export async function proveAndSend(
  context: ConsoleContext,
  visitor: Visitor,
  request: FastifyRequest,
  reply: FastifyReply,
  next: string,
): Promise<boolean> {
  if (visitor.session.isProved) return false;
  const id = await keep(context, visitor.person.id, request, reply);
  proveFirst(rootOf(context), next, reply, id === undefined ? '&again=yes' : `&form=${id}`);
  return true;
}

// What nobody keeps outside of the form itself.
const SECRET_FIELDS = ['password', 'code', 'secret'];

/**
 * Where a form leads to after signing in again that was sent by an idle session: to its page, and on to where it is sent
 * on, if it can be kept. Undefined where nobody sent it, or no page has it.
 */
export async function wayBackOf(
  context: ConsoleContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | undefined> {
  const secret = readSessionCookie(request, context.publicUrl());
  const page = context.pageOfForm(request.url.split('?', 1)[0] as string);
  if (secret === undefined || page === undefined) return undefined;
  const personId = await findIdlePerson(context.payments.store.pool, secret);
  if (personId === undefined) return undefined;
  const [root, next] = [rootOf(context), rootOf(context) + page];
  const isSecret = SECRET_FIELDS.some((name) => name in fieldsOf(request));
  const form = isSecret ? undefined : await keep(context, personId, request, reply);
  return onwardOf(root, { next, isAgain: false, ...(form !== undefined && { form }) });
}

/** The form of that name, which the browser forgets with this answer; undefined where there is none any more. */
export async function takeForm(
  context: ConsoleContext,
  visitor: Visitor,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
): Promise<KeptForm | undefined> {
  const value = readCookie(request, context.publicUrl(), COOKIE);
  if (value === undefined) return undefined;
  const form = await unseal<KeptForm>(context, sealOf(visitor.person.id, id), value, SECONDS);
  if (form) setCookie(reply, context.publicUrl(), { name: COOKIE, value: '', seconds: 0 });
  return form;
}
