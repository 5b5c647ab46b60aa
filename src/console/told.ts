// What a form's act has to say, also a secret that is shown this one time, on the page that the browser is led to: so a
// reload does nothing twice. Until then it is in a cookie of that browser, sealed with the secret that all processes share,
// and of use to that session on that page alone, for a minute. Each has a name of its own, so that no tab takes another's.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { consoleSecret } from '../store/console-secret.ts';
import { databaseNowMs } from '../store/passwords.ts';
import type { ConsoleContext } from './context.ts';
import { readCookie, setCookie } from './cookie.ts';
import { rootOf } from './page-reply.ts';
import type { Visitor } from './visitor.ts';

const ID = /^[0-9a-f]{12}$/;
const SECONDS = 60;
const CIPHER = 'aes-256-gcm';
const [IV_BYTES, TAG_BYTES] = [12, 16];

const cookieOf = (id: string): string => `kassa-told-${id}`;

const poolOf = ({ payments }: ConsoleContext) => payments.store.pool;

const keyOf = async (context: ConsoleContext): Promise<Buffer> =>
  createHmac('sha256', await consoleSecret(poolOf(context)))
    .update('told')
    .digest();

const markOf = ({ session }: Visitor, path: string): Buffer => Buffer.from(`${session.id} ${path}`);

/** Leads to a page of the console, which takes what is told there. */
export async function tellAt(
  context: ConsoleContext,
  visitor: Visitor,
  reply: FastifyReply,
  path: string,
  told: object,
): Promise<FastifyReply> {
  const [id, iv] = [randomBytes(6).toString('hex'), randomBytes(IV_BYTES)];
  const cipher = createCipheriv(CIPHER, await keyOf(context), iv).setAAD(markOf(visitor, path));
  const text = JSON.stringify({ atMs: await databaseNowMs(poolOf(context)), told });
  const sealed = Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  const cookie = { name: cookieOf(id), value: sealed.toString('base64url'), seconds: SECONDS };
  setCookie(reply, context.publicUrl(), cookie);
  return reply.redirect(`${path}?told=${id}`, 303);
}

function unseal(key: Buffer, mark: Buffer, sealed: Buffer): string | undefined {
  if (sealed.length < IV_BYTES + TAG_BYTES) return undefined;
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES), options).setAAD(mark);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
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
  const mark = markOf(visitor, rootOf(context) + (request.url.split('?', 1)[0] as string));
  const text = unseal(await keyOf(context), mark, Buffer.from(value, 'base64url'));
  if (text === undefined) return undefined;
  const { atMs, told } = JSON.parse(text) as { readonly atMs: number; readonly told: Told };
  return (await databaseNowMs(poolOf(context))) - atMs <= SECONDS * 1_000 ? told : undefined;
}
