// Makes ids: the clock and the randomness that the domain is free of. Random bytes are drawn from the system by the
// page, since a call for every id costs more than all the rest of it.
import { createHash, randomBytes, randomFillSync, randomInt } from 'node:crypto';
import { makeId, PARTS } from '../domain/id.ts';

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

export const anyPart = (): number => randomInt(PARTS);

/** Two creates with one key must meet, so the key chooses the part. */
export function partOfKey(merchantId: number, key: string): number {
  return createHash('sha256').update(`${merchantId}:${key}`).digest().readUInt16BE(0) % PARTS;
}
