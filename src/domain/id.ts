// Ids of payments and their movements: 32 lowercase hex digits, a version 7 UUID without dashes. The 48 bits of time and
// the version are followed by the 12 bits of the payment's part, so that every id contains its part.

export const PARTS = 4096;

/** The target of an idempotency record for a create, which has no target yet. */
export const NO_ID = '0'.repeat(32);

const ID = /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

/** The id in its canonical form, or undefined if the text is not an id. */
export function readId(text: string): string | undefined {
  const id = text.toLowerCase();
  return ID.test(id) ? id : undefined;
}

export const partOf = (id: string): number => Number.parseInt(id.slice(13, 16), 16);

export const timeOf = (id: string): number => Number.parseInt(id.slice(0, 12), 16);

/** Builds an id from time, part and 16 random hex digits; two bits of the first are the variant. */
export function makeId(atMs: number, part: number, random: string): string {
  const variant = '89ab'.charAt(Number.parseInt(random.charAt(0), 16) & 3);
  const time = atMs.toString(16).padStart(12, '0');
  return `${time}7${part.toString(16).padStart(3, '0')}${variant}${random.slice(1, 16)}`;
}

/** The smallest id of a moment, as the start of a list. */
export const firstIdAt = (atMs: number): string => `${atMs.toString(16).padStart(12, '0')}${'0'.repeat(20)}`;

/** An event's id contains its time, its part, and its number among its merchant's events. */
export const eventIdOf = (atMs: number, part: number, position: number): string =>
  makeId(atMs, part, position.toString(16).padStart(16, '0'));

export const positionOf = (eventId: string): number => Number.parseInt(eventId.slice(17), 16);
