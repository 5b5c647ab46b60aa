// GET /v1/events/stream: a merchant's events as they happen, as server-sent events. The text is produced at the client's
// pace: while it does not read, nothing more is loaded and only a few events are held for it. A client that stops
// reading is disconnected after the usual idle time. It can resume with Last-Event-ID and misses nothing.
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { EventName } from '../../domain/decision.ts';
import { NO_ID } from '../../domain/id.ts';
import * as Type from '../../schema/type.ts';
import { failure, NO_CODE } from '../../server/answer.ts';
import { findHolder, Unauthorized } from '../../server/auth.ts';
import type { CostlyWork } from '../../server/costly-work.ts';
import { requireKnownFilters } from '../../server/query.ts';
import { BYTES_OF_ONE } from '../../server/rate-limit.ts';
import { Budgets } from '../../ops/budget.ts';
import type { Budget } from '../../ops/budget.ts';
import { findEventUpTo, lastPosition, listEvents } from '../../store/events/events.ts';
import type { EventPage, StoredEvent } from '../../store/events/events.ts';
import type { Store } from '../../store/store.ts';
import { FORGOTTEN, NOT_AN_EVENT, TYPES, UNKNOWN_TYPE } from '../openapi/event-examples.ts';
import { event, IDS } from '../openapi/story.ts';
import { operation, refusal } from '../operation.ts';
import { readAfter, readTypes } from '../parts/event-input.ts';
import { presentEvents } from '../parts/event-presenter.ts';
import { EventWatch } from '../parts/event-watch.ts';
import type { Subscription } from '../parts/event-watch.ts';
import { TYPE } from '../schemas/event.ts';

const Query = (description: string) => Type.Optional(Type.String({ description }));

const EventStreamQuery = Type.Object({
  type: Query(TYPE),
  after: Query('Begins after this event instead of now; the header Last-Event-ID goes before it.'),
});

// Per merchant and process: a stream for every developer of a large shop, not one for every request.
const MOST_STREAMS = 20;

// Shorter than the idle timeout of common proxies, and of ours.
const HEARTBEAT_MS = 15_000;

const PAGE = 100;

const RETRY_AFTER_S = '10';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Asks buffering proxies to pass events on at once.
  'x-accel-buffering': 'no',
};

// An id without data is no event, but gives the position to resume from if the stream breaks before its first event.
const greetingOf = (id: string): string => `retry: 1000\nid: ${id}\n\n`;

const HEARTBEAT = ': still here\n\n';

const textOf = ({ id, name }: StoredEvent, body: string): string => `id: ${id}\nevent: ${name}\ndata: ${body}\n\n`;

type Streaming = {
  readonly publicUrl: string;
  readonly store: Store;
  readonly costly: CostlyWork;
  readonly subscription: Subscription;
  readonly request: FastifyRequest;
  readonly names: readonly EventName[] | undefined;
  readonly after: number;
  /** Limits the merchant's streams. */
  readonly budget: Budget | null;
};

/** The id of the last event up to a position; before the first one, an id of no event. */
const placeOf = async (store: Store, merchantId: number, position: number): Promise<string> =>
  (await findEventUpTo(store.pool, merchantId, position))?.id ?? NO_ID;

type Reading = Pick<Streaming, 'store' | 'costly' | 'names' | 'after'> & { readonly merchantId: number };

/** The next page, and the merchant's latest position. It takes a turn, so that streams leave connections for others. */
async function readNext({ store, costly, merchantId, names, after }: Reading): Promise<EventPage & { last: number }> {
  const wanted = { merchantId, after, limit: PAGE, ...(names && { names }) };
  // Both from one server: a position counted by a server that was lost may belong to other events here.
  const read = async () => {
    const last = await lastPosition(store.pool, merchantId);
    return { ...(await listEvents(store.pool, wanted)), last };
  };
  return costly.streams.run({ tenant: merchantId }, () => store.kept(read));
}

async function* eventTexts({
  store,
  publicUrl,
  costly,
  subscription,
  request,
  names,
  after,
  budget,
}: Streaming): AsyncGenerator<string> {
  const { merchantId, signal } = subscription;
  const onLarge = (bytes: number): void => budget?.spend(bytes / BYTES_OF_ONE);
  let position = after;
  let sentAt = performance.now();
  yield greetingOf(await placeOf(store, merchantId, after));
  while (!subscription.isOver) {
    // A key that was revoked meanwhile can read nothing more.
    if ((await findHolder(store.merchants, request.headers.authorization)) === undefined)
      throw new Unauthorized('the key is good no more');
    // A backlog is sent evenly: at the merchant's rate, and not at the expense of its requests.
    await budget?.payOff();
    const { last, events, lookedTo } = await readNext({ store, costly, merchantId, names, after: position });
    let sent = 0;
    for await (const body of presentEvents(store, events, { publicUrl, onLarge })) {
      onLarge(body.length);
      yield textOf(events[sent] as StoredEvent, body);
      sent += 1;
    }
    if (events.length > 0) sentAt = performance.now();
    const isMore = events.length === PAGE || lookedTo !== undefined;
    // Positions before the last one that are missing here were filtered out.
    position = Math.max(position, events.at(-1)?.position ?? 0, lookedTo ?? (isMore ? 0 : last));
    if (isMore) continue;
    await signal.wait(sentAt + HEARTBEAT_MS - performance.now());
    if (performance.now() - sentAt < HEARTBEAT_MS || subscription.isOver) continue;
    yield HEARTBEAT;
    sentAt = performance.now();
  }
}

/** Errors that end a stream are only logged: the client reconnects and gets the response then. */
async function* endQuietly(texts: AsyncGenerator<string>, onTrouble: (error: Error) => void): AsyncGenerator<string> {
  try {
    yield* texts;
  } catch (error) {
    onTrouble(error as Error);
  }
}

const TOO_MANY = failure(
  429,
  NO_CODE,
  `There are ${MOST_STREAMS} streams of your events already; close one of them first.`,
);

const { eventId } = IDS;
const STREAM = [
  'retry: 1000',
  '',
  `id: ${eventId}`,
  'event: payment.charge.created',
  `data: ${JSON.stringify(event)}`,
  '',
  ': still here',
  '',
  '',
].join('\n');

export const streamEvents = operation('streamEvents', 'GET /v1/events/stream', 'read', {
  query: EventStreamQuery,
  options: { exposeHeadRoute: false },
  tag: 'Events',
  summary: 'Stream events',
  description:
    'Your events as they happen, as server-sent events: from now on, or from the event after `Last-Event-ID` or ' +
    '`after`. Each has its `id`, its name as `event` and the event itself as `data`. A comment every 15 seconds says ' +
    'that the stream is alive. It ends when the service stops: come back with the `id` that you read last, and ' +
    `nothing is missed. At most ${MOST_STREAMS} at once; one that is not read for a minute is cut off.`,
  header: 'LastEventId',
  parameters: { type: TYPES, after: { example: IDS.eventId } },
  success: {
    status: 200,
    description: 'The stream.',
    schema: Type.String(),
    mediaType: 'text/event-stream',
    examples: { 'An event, and a sign of life': STREAM },
  },
  refused: [
    UNKNOWN_TYPE,
    NOT_AN_EVENT('Last-Event-ID'),
    FORGOTTEN('Last-Event-ID'),
    refusal('Too many streams', TOO_MANY),
  ],
  start: ({ store, costly, ...context }, api) => {
    const watch = new EventWatch(store);
    const budgets = new Budgets();
    api.addHook('preClose', async () => watch.end());
    return async (request, _context, reply) => {
      const { query } = request;
      requireKnownFilters(query, EventStreamQuery);
      const merchantId = request.merchant.id;
      const names = readTypes(query.type);
      // A reconnecting client repeats the original URL, and sends its position in the header.
      const seen = request.headers['last-event-id'];
      const from =
        typeof seen === 'string' && seen !== ''
          ? await readAfter(store, request.merchant, 'Last-Event-ID', seen)
          : await readAfter(store, request.merchant, 'after', query.after);
      await store.publisher.catchUp(request.merchant);
      // The client reconnects with it, even if it received nothing else.
      const after = await store.kept(async () => from ?? (await lastPosition(store.pool, merchantId)));
      if (watch.count(merchantId) >= MOST_STREAMS) {
        reply.header('retry-after', RETRY_AFTER_S);
        return TOO_MANY;
      }
      const subscription = watch.open(merchantId);
      const leave = (): void => watch.close(subscription);
      reply.raw.once('close', leave);
      if (reply.raw.destroyed) leave();
      const publicUrl = context.publicUrl();
      const rate = request.budget?.whole?.rate ?? request.budget?.rate;
      const budget = rate === undefined ? null : budgets.of(merchantId, rate);
      const texts = eventTexts({ store, publicUrl, costly, subscription, request, names, after, budget });
      const onTrouble = (error: Error): void => request.log.info({ err: error }, 'a stream of events ended');
      // The next text is produced while the last one is being sent.
      const stream = Readable.from(endQuietly(texts, onTrouble), { objectMode: true, highWaterMark: 1 });
      void reply.headers(HEADERS).send(stream);
      return undefined;
    };
  },
});
