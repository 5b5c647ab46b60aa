// Names and ids of events in requests.
import type { FastifyRequest } from 'fastify';
import type { EventName } from '../../domain/decision.ts';
import { eventIdOf, NO_ID, partOf, positionOf, readId, timeOf } from '../../domain/id.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { isoTime } from '../../domain/time.ts';
import { definitions } from '../../events/definitions.ts';
import { merchantOf } from '../../server/asker.ts';
import { badField } from '../../server/problem.ts';
import { findEvent, isEventAt, readKeptEvents } from '../../store/events/events.ts';
import type { KeptEvents, StoredEvent } from '../../store/events/events.ts';
import type { Store } from '../../store/store.ts';
import { idIn } from '../request.ts';

const NAMES: ReadonlySet<string> = new Set(definitions.map(({ name }) => name));

export const isName = (name: string): name is EventName => NAMES.has(name);

export const NO_SUCH_EVENT = `there is no such event; there are ${[...NAMES].join(', ')}`;

/** A known event name; a misspelt one would never match. */
export function readName(field: string, name: string): EventName {
  if (isName(name)) return name;
  throw badField(field, NO_SUCH_EVENT);
}

/** The names in a query, separated by commas. */
export const readTypes = (type: string | undefined): readonly EventName[] | undefined =>
  type?.split(',').map((name) => readName('type', name.trim()));

/** The event in the path, if it is the merchant's. */
export async function eventIn(request: FastifyRequest, { pool }: Store): Promise<StoredEvent | undefined> {
  const id = idIn(request, 'eventId');
  return id === undefined ? undefined : findEvent(pool, merchantOf(request).id, id);
}

/**
 * The position of the event before which a list continues. The event must be one of the merchant's: another id could be
 * anywhere, and the list would be empty.
 */
export async function readPosition(
  store: Store,
  merchantId: number,
  field: string,
  text: string | undefined,
): Promise<number | undefined> {
  if (text === undefined) return undefined;
  const id = readId(text);
  const event = id === undefined ? undefined : await findEvent(store.pool, merchantId, id);
  if (event === undefined) throw badField(field, 'must be the id of an event of yours');
  return positionOf(event.id);
}

/** The parts of an event's id, for events that may be deleted already. */
const couldBeEventId = (id: string, parts: readonly number[]): boolean =>
  eventIdOf(timeOf(id), partOf(id), positionOf(id)) === id && parts.includes(partOf(id));

/**
 * The position after an event, where a list continues; undefined without one. A deleted event works as well, unless
 * later ones are deleted too: a client that far behind has to know.
 */
export async function readAfter(
  store: Store,
  { id: merchantId, parts }: Pick<Merchant, 'id' | 'parts'>,
  field: string,
  text: string | undefined,
): Promise<number | undefined> {
  if (text === undefined) return undefined;
  const kept = await readKeptEvents(store.pool, merchantId);
  // The id that a stream sends if it begins before the first event.
  if (text === NO_ID) return kept.purgedTo;
  const id = readId(text);
  const position = id === undefined ? 0 : positionOf(id);
  const isOurs =
    id !== undefined &&
    position <= kept.last &&
    ((await findEvent(store.pool, merchantId, id)) !== undefined ||
      (couldBeEventId(id, parts) && !(await isEventAt(store.pool, merchantId, position))));
  if (!isOurs) throw badField(field, 'must be the id of an event of yours');
  if (position < kept.purgedTo) throw badField(field, showForgotten(kept.purgedBefore));
  return position;
}

/** How to continue for a client that is further behind than events are kept. */
export const showForgotten = (before = 0): string =>
  `is too long ago: events before ${isoTime(before)} are no longer kept; read the payments that matter, and go on with since=${isoTime(before)}`;

/** The same for deliveries. */
export const showForgottenDeliveries = (before: number): string =>
  `which deliveries failed before ${isoTime(before)} is no longer known; give a later since, or leave it out`;

/** Refuses a time before the oldest kept event: a later start would look as if nothing had happened. */
export function requireKept(kept: KeptEvents, sinceMs: number | undefined): void {
  if (sinceMs !== undefined && sinceMs < (kept.purgedBefore ?? Number.NEGATIVE_INFINITY))
    throw badField('since', showForgotten(kept.purgedBefore));
}
