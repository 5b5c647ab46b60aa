// Work that is costly for the database, this thread or the invoice printer: lists, searches, reports, exports, streams,
// pages of large payments, PDFs. Each kind has a queue in which merchants take turns, and a merchant has at most two
// pieces under way over all kinds, so connections and processors are left for payments. A merchant with too much waiting
// gets 429. Work that has a turn must not ask for another.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Payment } from '../domain/payment.ts';
import { FairQueue, NoTurn, Together } from '../ops/fair-queue.ts';
import type { WaitingBounds } from '../ops/lines.ts';
import { merchantOf } from './asker.ts';
import { requireBudget, spendTime } from './rate-limit.ts';
import { TooManyRequests } from './too-many-requests.ts';

type Queue = FairQueue<number>;

const MOST_OF_MERCHANT = 2;
// A client that waits longer than this is gone, or soon will be.
const LONGEST_WAIT_MS = 10_000;
// Such a page takes a few milliseconds.
const MOST_LINES_OF_SMALL = 100;

// An invoice of a thousand lines takes up to a megabyte. A shop's staff open a few at once.
const PRINTS: WaitingBounds = {
  ofTenant: { count: 8, bytes: 4_194_304 },
  ofAll: { count: 64, bytes: 16_777_216 },
  displaces: true,
};

export type CostlyWork = ReturnType<typeof openCostlyWork>;

export function openCostlyWork() {
  const together = new Together<number>(MOST_OF_MERCHANT);
  const reads = (ofAll: number, count: number, ofTenant = MOST_OF_MERCHANT): Queue =>
    new FairQueue({ ofAll, ofTenant, waiting: { ofTenant: { count }, forMs: LONGEST_WAIT_MS } }, together);
  return {
    /** For the API: at most half of the connections for reads. */
    lists: reads(4, 8),
    /** Lists, searches and reports of the console: several people of a merchant may use it at once. */
    views: reads(4, 30),
    /** For large payments, in the console and the checkout. */
    pages: reads(2, 30),
    /** Pages of event streams, one at a time; as many may wait as a merchant may have streams. */
    streams: reads(2, 20, 1),
    /** Pages of exports, of which there are few. */
    exports: new FairQueue<number>({ ofAll: 2, waiting: { ofTenant: { count: 8 } } }, together),
    shortPrints: new FairQueue<number>({ ofAll: 1, waiting: PRINTS }, together),
    longPrints: new FairQueue<number>({ ofAll: 1, waiting: PRINTS }, together),
  };
}

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

/** Builds the response to a list request. */
export async function listInTurn<Result>(
  { lists }: CostlyWork,
  request: FastifyRequest,
  reply: FastifyReply,
  read: () => Promise<Result>,
): Promise<Result> {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const asking = { tenant: merchantOf(request).id, signal: gone.signal };
  return inTurn(lists, asking, async () => {
    requireBudget(request);
    return read();
  });
}

/** For a page of the console. */
export const viewInTurn = <Result>(
  { views }: CostlyWork,
  request: FastifyRequest,
  tenant: number,
  read: () => Promise<Result>,
): Promise<Result> => inTurn(views, { tenant }, () => spendTime(request, read));

/** A page of a payment; small ones do not wait. */
export const pageInTurn = <Page>(
  { pages }: CostlyWork,
  { merchantId, order, movements }: Payment,
  make: () => Promise<Page>,
): Promise<Page> =>
  order.items.length + movements.length <= MOST_LINES_OF_SMALL ? make() : inTurn(pages, { tenant: merchantId }, make);
