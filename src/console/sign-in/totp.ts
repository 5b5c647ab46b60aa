// TOTP codes of an authenticator app (RFC 6238). The store records used codes. The library is loaded on first use.
import { randomBytes } from 'node:crypto';
import type { TOTP } from 'otpauth';

const SECRET_BYTES = 20;
const SHOWN_SECRET = /^[A-Z2-7]{32}$/;
// Clocks of phones are a bit off, and people take a moment to type.
const STEPS_OFF = 1;

async function totpOf(secret: Buffer, email = ''): Promise<TOTP> {
  const { Secret, TOTP: Totp } = await import('otpauth');
  return new Totp({ issuer: 'Kassa', label: email, secret: new Secret({ buffer: new Uint8Array(secret).buffer }) });
}

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** As it is typed by hand, and as what is drawn for the camera. */
export async function showTotpSecret(secret: Buffer, email: string): Promise<{ text: string; uri: string }> {
  const totp = await totpOf(secret, email);
  return { text: totp.secret.base32, uri: totp.toString() };
}

export async function readTotpSecret(shown: unknown): Promise<Buffer | undefined> {
  if (typeof shown !== 'string' || !SHOWN_SECRET.test(shown)) return undefined;
  const { Secret } = await import('otpauth');
  return Buffer.from(Secret.fromBase32(shown).bytes);
}

/** The step of the code, where it is the code of one about now. */
export async function stepOfCode(secret: Buffer, code: string, nowMs: number): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const totp = await totpOf(secret);
  const delta = totp.validate({ token: code, timestamp: nowMs, window: STEPS_OFF });
  return delta === null ? undefined : totp.counter({ timestamp: nowMs }) + delta;
}
