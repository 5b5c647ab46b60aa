// Generates ids: the clock and the randomness that the domain does not use. Random bytes are fetched in pages, since a
// system call per id costs more than everything else.
import { createHash, randomBytes, randomFillSync, randomInt, timingSafeEqual } from 'node:crypto';
import { makeId } from '../domain/id.ts';
import type { Merchant } from '../domain/merchant.ts';

const PAGE_BYTES = 8_192;
const TAIL_BYTES = 8;

const page = Buffer.alloc(PAGE_BYTES);
let used = PAGE_BYTES;

function randomTail(): string {
  if (used === PAGE_BYTES) {
    randomFillSync(page);
    used = 0;
  }
  used += TAIL_BYTES;
  return page.toString('hex', used - TAIL_BYTES, used);
}

/** An id in the given part. */
export const newId = (atMs: number, part: number): string => makeId(atMs, part, randomTail());

/** 32 random hex digits, which cannot be guessed. */
export const newSecret = (): string => randomBytes(16).toString('hex');

/** Compares secrets in constant time. */
export function isSameSecret(given: string, known: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(known)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The part of the merchant's own data: its event counter and its webhooks. */
export const homePartOf = ({ parts: [home] }: Pick<Merchant, 'parts'>): number => home;

/** A random part of the merchant, for a payment. */
export const anyPartOf = ({ parts }: Pick<Merchant, 'parts'>): number =>
  parts.length === 1 ? parts[0] : (parts[randomInt(parts.length)] ?? parts[0]);

/** Two creates with one key must conflict, so the key determines the part. */
export function partOfKey({ id, parts }: Pick<Merchant, 'id' | 'parts'>, key: string): number {
  if (parts.length === 1) return parts[0];
  const drawn = createHash('sha256').update(`${id}:${key}`).digest().readUInt32BE(0);
  return parts[drawn % parts.length] ?? parts[0];
}
