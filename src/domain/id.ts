// Ids of payments and their movements: 32 lower-case hex digits, a version 7 UUID without dashes. After the 48 bits of
// time and the version stand the 12 bits of the payment's part, so any id says where it lives.

export const PARTS = 4096;

/** Stands as the target of an idempotency record whose operation has no target yet: a create. */
export const NO_ID = '0'.repeat(32);

const ID = /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

/** The id in its one spelling, or undefined when the text is none. */
export function readId(text: string): string | undefined {
  const id = text.toLowerCase();
  return ID.test(id) ? id : undefined;
}

export const partOf = (id: string): number => Number.parseInt(id.slice(13, 16), 16);

export const timeOf = (id: string): number => Number.parseInt(id.slice(0, 12), 16);

/** Puts time, part and 16 random hex digits together; the first of those gives its two bits to the variant. */
export function makeId(atMs: number, part: number, random: string): string {
  const variant = '89ab'.charAt(Number.parseInt(random.charAt(0), 16) & 3);
  const time = atMs.toString(16).padStart(12, '0');
  return `${time}7${part.toString(16).padStart(3, '0')}${variant}${random.slice(1, 16)}`;
}

/** The smallest id of a moment: where a list that starts then begins. */
export const firstIdAt = (atMs: number): string => `${atMs.toString(16).padStart(12, '0')}${'0'.repeat(20)}`;

/** An event's id says when and where it happened, and which of its merchant's events it is. */
export const eventIdOf = (atMs: number, part: number, position: number): string =>
  makeId(atMs, part, position.toString(16).padStart(16, '0'));

export const positionOf = (eventId: string): number => Number.parseInt(eventId.slice(17), 16);
