// Keeps a submitted form while the person confirms their identity, and submits it afterwards. It is in a sealed cookie
// bound to the person, for as long as the confirmation may take; URLs contain only its name. It is removed when it is
// read, so that it is submitted once. Only the latest form is kept.
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

/** Bound to the person, since confirming with a link or a provider starts another session. */
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
 * Redirects to the confirmation page if the last confirmation is too old, and keeps the form. `next`: the page of the form.
 * Returns true if it has replied.
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

/** Takes the form with that name out of the browser; undefined if it is gone. */
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
