// What follows when somebody is let in or has proved to be there: a session with a new secret in the browser's cookie.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { signInPerson } from '../../merchants/ways-in.ts';
import { renewSession } from '../../store/sessions.ts';
import type { Origin, SignInMethod } from '../../store/sessions.ts';
import type { ConsoleContext } from '../context.ts';
import { setSessionCookie } from '../session-cookie.ts';
import type { Visitor } from '../visitor.ts';

const originOf = ({ ip, headers }: FastifyRequest): Origin => ({ address: ip, agent: headers['user-agent'] ?? '' });

type LetIn = {
  readonly personId: string;
  readonly method: SignInMethod;
  /** Whether coming in so is a proof of its own: what asks for one may be done for some minutes. */
  readonly isProved?: boolean;
};

export async function letIn(
  { payments, publicUrl }: ConsoleContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { personId, method, isProved = true }: LetIn,
): Promise<void> {
  const secret = await signInPerson(payments.store.pool, personId, { method, isProved }, originOf(request));
  if (secret !== undefined) setSessionCookie(reply, publicUrl(), secret);
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
