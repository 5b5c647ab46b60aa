// Marks browsers in which a person has signed in with a password. It grants no access, but such a browser has its own
// attempt counter, so that strangers cannot lock a person out. A new password invalidates all marks.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { consoleSecret } from '../../store/people/console-secret.ts';
import type { Password } from '../../store/people/passwords.ts';
import type { ConsoleContext } from '../context.ts';
import { readCookie, setCookie } from '../cookie.ts';

const NAME = 'kassa-known';
const MARK = /^([\w-]{22})\.([\w-]{43})$/;
const KEPT_SECONDS = 180 * 86_400;

const sign = (secret: Buffer, { personId, hash }: Password, nonce: string): Buffer =>
  createHmac('sha256', secret).update(`known-browser ${personId} ${nonce} ${hash}`).digest();

/** What names the browser, where it is known for that person. */
export async function knownBrowser(
  { payments, publicUrl }: ConsoleContext,
  request: FastifyRequest,
  password: Password,
): Promise<string | undefined> {
  const [, nonce, given] = MARK.exec(readCookie(request, publicUrl(), NAME) ?? '') ?? [];
  if (nonce === undefined || given === undefined) return undefined;
  const expected = sign(await consoleSecret(payments.store.pool), password, nonce);
  const bytes = Buffer.from(given, 'base64url');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected) ? nonce : undefined;
}

/** One that has a mark keeps it: each mark has tries of its own. */
export async function markBrowser(
  context: ConsoleContext,
  request: FastifyRequest,
  reply: FastifyReply,
  password: Password,
): Promise<void> {
  if ((await knownBrowser(context, request, password)) !== undefined) return;
  const nonce = randomBytes(16).toString('base64url');
  const mark = sign(await consoleSecret(context.payments.store.pool), password, nonce).toString('base64url');
  setCookie(reply, context.publicUrl(), { name: NAME, value: `${nonce}.${mark}`, seconds: KEPT_SECONDS });
}
