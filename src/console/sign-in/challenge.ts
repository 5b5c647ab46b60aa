// Passkey challenges. They contain the database time and our signature, so that nothing is stored for unanswered ones;
// that each is used only once is recorded with the passkey.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { consoleSecret } from '../../store/people/console-secret.ts';
import type { Pool } from '../../store/connections/pool.ts';

// Long enough to find the right phone.
const LASTS_MICROS = 5n * 60n * 1_000_000n;
const TIME_BYTES = 8;
const SAID_BYTES = TIME_BYTES + 16;
const MARK_BYTES = 16;

async function nowMicros(pool: Pool): Promise<bigint> {
  const [row] = await pool.query<{ now: string }>(
    'select (extract(epoch from clock_timestamp()) * 1000000)::bigint::text as now',
  );
  return BigInt((row as { now: string }).now);
}

const markOf = (secret: Buffer, purpose: string, said: Buffer): Buffer =>
  createHmac('sha256', secret).update(`challenge ${purpose} `).update(said).digest().subarray(0, MARK_BYTES);

export async function makeChallenge(pool: Pool, purpose: string): Promise<Uint8Array<ArrayBuffer>> {
  const said = Buffer.alloc(SAID_BYTES);
  said.writeBigInt64BE(await nowMicros(pool));
  randomBytes(SAID_BYTES - TIME_BYTES).copy(said, TIME_BYTES);
  return Uint8Array.from(Buffer.concat([said, markOf(await consoleSecret(pool), purpose, said)]));
}

/** When it was made, where it is one of ours, for that purpose, and not too old. */
export async function readChallenge(pool: Pool, purpose: string, challenge: string): Promise<bigint | undefined> {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== SAID_BYTES + MARK_BYTES) return undefined;
  const said = bytes.subarray(0, SAID_BYTES);
  if (!timingSafeEqual(bytes.subarray(SAID_BYTES), markOf(await consoleSecret(pool), purpose, said))) return undefined;
  const madeAt = said.readBigInt64BE();
  return (await nowMicros(pool)) - madeAt <= LASTS_MICROS ? madeAt : undefined;
}
