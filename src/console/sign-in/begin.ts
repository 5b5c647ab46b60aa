// Starts a session, or renews its secret after a confirmation.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { signInPerson } from '../../merchants/sign-in.ts';
import type { Coming } from '../../merchants/sign-in.ts';
import { renewSession } from '../../store/people/sessions.ts';
import type { Origin } from '../../store/people/sessions.ts';
import type { ConsoleContext } from '../context.ts';
import type { Visitor } from '../visitor.ts';
import { setSessionCookie } from '../cookie.ts';
import { forgetNext } from './next-page.ts';

const originOf = ({ ip, headers }: FastifyRequest): Origin => ({ address: ip, agent: headers['user-agent'] ?? '' });

/** False if the credential is no longer valid. Signing in counts as confirmation by default. */
export async function letIn(
  { payments, publicUrl }: ConsoleContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { isProved = true, ...coming }: Omit<Coming, 'isProved'> & { readonly isProved?: boolean },
): Promise<boolean> {
  const secret = await signInPerson(payments.store.pool, { ...coming, isProved }, originOf(request));
  if (secret === undefined) return false;
  setSessionCookie(reply, publicUrl(), secret);
  forgetNext(request, reply, publicUrl());
  return true;
}

/** The same session goes on, under another secret. */
export async function renewProof(
  { payments, publicUrl }: ConsoleContext,
  reply: FastifyReply,
  { session }: Visitor,
): Promise<void> {
  const secret = await renewSession(payments.store.pool, session.id);
  if (secret !== undefined) setSessionCookie(reply, publicUrl(), secret);
}
