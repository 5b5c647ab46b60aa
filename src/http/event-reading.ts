// Names and ids of events as they come in.
import type { EventName } from '../domain/decision.ts';
import { NO_ID, positionOf, readId } from '../domain/id.ts';
import { definitions } from '../events/definitions.ts';
import { findEvent } from '../store/events.ts';
import type { Store } from '../store/store.ts';
import { badField } from './problem.ts';

const NAMES: ReadonlySet<string> = new Set(definitions.map(({ name }) => name));

export const isName = (name: string): name is EventName => NAMES.has(name);

/** One of the names that there are; a misspelt one would never be heard of. */
export function readName(field: string, name: string): EventName {
  if (isName(name)) return name;
  throw badField(field, `there is no such event; there are ${[...NAMES].join(', ')}`);
}

/** The names in a query, with commas between them. */
export const readTypes = (type: string | undefined): readonly EventName[] | undefined =>
  type?.split(',').map((name) => readName('type', name.trim()));

/**
 * The position of the event that a list goes on from. It must be one of the merchant's: from the id of something else,
 * which could be anywhere, it would go on with nothing.
 */
export async function readPosition(
  store: Store,
  merchantId: number,
  field: string,
  text: string | undefined,
): Promise<number | undefined> {
  if (text === undefined) return undefined;
  // What a stream names that begins before the first event.
  if (text === NO_ID) return 0;
  const id = readId(text);
  const event = id === undefined ? undefined : await findEvent(store.pool, merchantId, id);
  if (event === undefined) throw badField(field, 'must be the id of an event of yours');
  return positionOf(event.id);
}
