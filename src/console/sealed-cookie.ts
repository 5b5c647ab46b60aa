// Sealed cookies: encrypted with a secret shared by all processes, bound to a purpose and context, with a timestamp.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { consoleSecret } from '../store/people/console-secret.ts';
import { databaseNowMs } from '../store/people/passwords.ts';
import type { ConsoleContext } from './context.ts';

const CIPHER = 'aes-256-gcm';
const [IV_BYTES, TAG_BYTES] = [12, 16];

export type Seal = {
  readonly purpose: 'told' | 'form';
  /** Whose it is, and for what; of use with the same text alone. */
  readonly bound: string;
};

const poolOf = ({ payments }: ConsoleContext) => payments.store.pool;

const keyOf = async (context: ConsoleContext, { purpose }: Seal): Promise<Buffer> =>
  createHmac('sha256', await consoleSecret(poolOf(context)))
    .update(purpose)
    .digest();

/** As a cookie can hold it. */
export async function seal(context: ConsoleContext, by: Seal, content: object): Promise<string> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, await keyOf(context, by), iv).setAAD(Buffer.from(by.bound));
  const text = JSON.stringify({ atMs: await databaseNowMs(poolOf(context)), content });
  return Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

function openWith(key: Buffer, bound: string, sealed: Buffer): string | undefined {
  if (sealed.length < IV_BYTES + TAG_BYTES) return undefined;
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES), options).setAAD(Buffer.from(bound));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

/** Undefined if it is invalid, bound to something else, or too old. */
export async function unseal<Content extends object>(
  context: ConsoleContext,
  by: Seal,
  sealed: string,
  seconds: number,
): Promise<Content | undefined> {
  const text = openWith(await keyOf(context, by), by.bound, Buffer.from(sealed, 'base64url'));
  if (text === undefined) return undefined;
  const { atMs, content } = JSON.parse(text) as { readonly atMs: number; readonly content: Content };
  return (await databaseNowMs(poolOf(context))) - atMs <= seconds * 1_000 ? content : undefined;
}
