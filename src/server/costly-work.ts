// What costs the database, or a printer of invoices, much at once: lists, searches, figures, streams, prints. Each kind has
// a queue in which merchants take turns, so that all of it together leaves connections and processors for payments. Who has
// too much of it waiting is told to come back.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairQueue, NoTurn } from '../ops/fair-queue.ts';
import type { WaitingBounds } from '../ops/lines.ts';
import { merchantOf } from './asker.ts';
import { requireBudget, spendMore } from './rate-limit.ts';
import { TooManyRequests } from './too-many-requests.ts';

type Queue = FairQueue<number>;

// Of one kind, of one merchant.
const MOST_OF_MERCHANT = 2;
// Who waits longer than this is gone, or soon will be.
const LONGEST_WAIT_MS = 10_000;

// An invoice of a thousand lines holds up to a megabyte. A shop's own people ask for a few at once.
const PRINTS: WaitingBounds = {
  ofTenant: { count: 8, bytes: 4_194_304 },
  ofAll: { count: 64, bytes: 16_777_216 },
  displaces: true,
};

const readsOf = (ofAll: number, count: number, ofTenant = MOST_OF_MERCHANT): Queue =>
  new FairQueue({ ofAll, ofTenant, waiting: { ofTenant: { count, bytes: 0 }, forMs: LONGEST_WAIT_MS } });

export type CostlyWork = {
  /** Of the API. */
  readonly lists: Queue;
  /** Lists, searches and figures of the console: several people of a merchant may look at once. */
  readonly views: Queue;
  /** Pages of streams of events. */
  readonly streams: Queue;
  readonly shortPrints: Queue;
  readonly longPrints: Queue;
};

export const openCostlyWork = (): CostlyWork => ({
  // At most half of the connections for reads.
  lists: readsOf(4, 8),
  views: readsOf(4, 30),
  // As many wait as a merchant may have.
  streams: readsOf(2, 20, 1),
  shortPrints: new FairQueue({ ofAll: 1, waiting: PRINTS }),
  longPrints: new FairQueue({ ofAll: 1, waiting: PRINTS }),
});

async function inTurn<Result>(
  queue: Queue,
  asking: { readonly tenant: number; readonly signal?: AbortSignal },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await queue.run(asking, work);
  } catch (error) {
    if (!(error instanceof NoTurn)) throw error;
    const { count } = queue.limits.waiting.ofTenant;
    throw new TooManyRequests(
      `There are ${MOST_OF_MERCHANT} lists of yours under way and up to ${count} waiting; read their answers first.`,
    );
  }
}

/** Makes the answer to a request for a list. */
export async function listInTurn<Result>(
  { lists }: CostlyWork,
  request: FastifyRequest,
  reply: FastifyReply,
  read: () => Promise<Result>,
): Promise<Result> {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const asking = { tenant: merchantOf(request).id, signal: gone.signal };
  try {
    return await inTurn(lists, asking, async () => {
      requireBudget(request, reply);
      return read();
    });
  } catch (error) {
    if (error instanceof TooManyRequests && !reply.hasHeader('retry-after')) reply.header('retry-after', 1);
    throw error;
  }
}

/** For a page of the console. What it takes counts as the page's own time: the database has processors, too. */
export const viewInTurn = <Result>(
  { views }: CostlyWork,
  request: FastifyRequest,
  tenant: number,
  read: () => Promise<Result>,
): Promise<Result> =>
  inTurn(views, { tenant }, async () => {
    const startedAt = performance.now();
    try {
      return await read();
    } finally {
      spendMore(request, performance.now() - startedAt);
    }
  });
