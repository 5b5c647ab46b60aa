// Makes ids: the clock and the randomness that the domain is free of. Random bytes are drawn from the system by the
// page, since a call for every id costs more than all the rest of it.
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

/** 32 hex digits that nobody can guess: whoever has them was given them. */
export const newSecret = (): string => randomBytes(16).toString('hex');

/** Whether somebody has a secret, in a time that tells nothing of it. */
export function isSameSecret(given: string, known: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(known)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Where the merchant's own things live: its counter of events, its webhooks. */
export const homePartOf = ({ parts: [home] }: Pick<Merchant, 'parts'>): number => home;

/** Any of the merchant's parts, for a payment. */
export const anyPartOf = ({ parts }: Pick<Merchant, 'parts'>): number =>
  parts.length === 1 ? parts[0] : (parts[randomInt(parts.length)] ?? parts[0]);

/** Two creates with one key must meet, so the key chooses among the merchant's parts. */
export function partOfKey({ id, parts }: Pick<Merchant, 'id' | 'parts'>, key: string): number {
  if (parts.length === 1) return parts[0];
  const drawn = createHash('sha256').update(`${id}:${key}`).digest().readUInt32BE(0);
  return parts[drawn % parts.length] ?? parts[0];
}
