// The mark of a browser in which a person has signed in with a password before. It lets nobody in; but its tries are
// counted for themselves, so that strangers who guess at an address keep nobody out of their own browser.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { consoleSecret } from '../../store/console-secret.ts';
import type { ConsoleContext } from '../context.ts';
import { readCookie, setCookie } from '../cookie.ts';

const NAME = 'kassa-known';
const MARK = /^([\w-]{22})\.([\w-]{43})$/;
const KEPT_SECONDS = 180 * 86_400;

const sign = (secret: Buffer, personId: string, nonce: string): Buffer =>
  createHmac('sha256', secret).update(`known-browser ${personId} ${nonce}`).digest();

/** What names the browser, where it is known for that person. */
export async function knownBrowser(
  { payments, publicUrl }: ConsoleContext,
  request: FastifyRequest,
  personId: string,
): Promise<string | undefined> {
  const [, nonce, given] = MARK.exec(readCookie(request, publicUrl(), NAME) ?? '') ?? [];
  if (nonce === undefined || given === undefined) return undefined;
  const expected = sign(await consoleSecret(payments.store.pool), personId, nonce);
  const bytes = Buffer.from(given, 'base64url');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected) ? nonce : undefined;
}

export async function markBrowser(
  { payments, publicUrl }: ConsoleContext,
  reply: FastifyReply,
  personId: string,
): Promise<void> {
  const nonce = randomBytes(16).toString('base64url');
  const mark = sign(await consoleSecret(payments.store.pool), personId, nonce).toString('base64url');
  setCookie(reply, publicUrl(), { name: NAME, value: `${nonce}.${mark}`, seconds: KEPT_SECONDS });
}
