// Reads a bulk: all entries in order, or a page of them.
import type { FastifyRequest } from 'fastify';
import { answerWith, NOT_FOUND } from '../../server/answer.ts';
import type { Answer } from '../../server/answer.ts';
import { merchantOf } from '../../server/asker.ts';
import { badField } from '../../server/problem.ts';
import { readBulk } from '../../store/payments/bulks.ts';
import type { BulkEntry, BulkPurpose } from '../../store/payments/bulks.ts';
import { dashedIdIn } from '../request.ts';
import type { ReadingContext } from '../request.ts';
import { MOST_ENTRIES } from '../schemas/subscription.ts';
import type { Spelling } from './subscription-spelling.ts';

const STATES = { pending: 'Pending', succeeded: 'Succeeded', failed: 'Failed' } as const;

const presentEntry = ({ idName }: Spelling, purpose: BulkPurpose, entry: BulkEntry): object => ({
  [idName]: entry.subscriptionId,
  ...(purpose === 'charge' && { paymentId: entry.paymentId }),
  ...(entry.chargeId !== undefined && { chargeId: entry.chargeId }),
  status: STATES[entry.state],
  ...(entry.message !== undefined && { message: entry.message }),
  ...(entry.code !== undefined && { code: entry.code }),
  ...(purpose === 'charge' && entry.source !== undefined && { source: entry.source }),
});

function readPage(request: FastifyRequest): { readonly skip: number; readonly take: number } {
  const query = request.query as Readonly<Record<string, string | undefined>>;
  const whole = (name: string, least: number): number | undefined => {
    const text = query[name];
    if (text === undefined) return undefined;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
    if (value < least) throw badField(name, `must be a whole number from ${least} on`);
    return value;
  };
  const [skip, take] = [whole('skip', 0), whole('take', 1)];
  const [pageNumber, pageSize] = [whole('pageNumber', 0), whole('pageSize', 1)];
  if ((skip ?? take) !== undefined && (pageNumber ?? pageSize) !== undefined)
    throw badField('pageNumber', 'must be left out when skip or take is given');
  if ((skip ?? take) !== undefined) return { skip: skip ?? 0, take: Math.min(take ?? MOST_ENTRIES, MOST_ENTRIES) };
  const size = Math.min(pageSize ?? MOST_ENTRIES, MOST_ENTRIES);
  return { skip: Math.min((pageNumber ?? 0) * size, MOST_ENTRIES), take: size };
}

export const readBulkOf =
  (spelling: Spelling, purpose: BulkPurpose) =>
  async (request: FastifyRequest, { store }: ReadingContext): Promise<Answer> => {
    const { skip, take } = readPage(request);
    const id = dashedIdIn(request, 'bulkId');
    const merchantId = merchantOf(request).id;
    const bulk = id && (await readBulk(store.pool, { merchantId, kind: spelling.kind, purpose, skip, take, id }));
    if (!bulk) return NOT_FOUND;
    // After a restart it is only shown once the synchronous standby has it, like payments.
    await store.read({ merchantId, target: id });
    const { entries, count, isDone } = bulk;
    return answerWith(200, {
      page: entries.map((entry) => presentEntry(spelling, purpose, entry)),
      more: skip + entries.length < count,
      status: isDone ? 'Done' : 'Processing',
    });
  };
