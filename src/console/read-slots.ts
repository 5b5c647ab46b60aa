// Slots for expensive reads of the console, like lists, searches and figures. Merchants take turns, so that none can starve
// payments of the database.
import type { FastifyRequest } from 'fastify';
import { ListSlots } from '../server/list-slots.ts';
import { spendMore } from '../server/rate-limit.ts';
import type { ConsoleContext } from './context.ts';

/** Limit of waiting requests of one merchant; further ones get 429. */
const LIMITS = { underWay: 4, ofMerchant: 2, waiting: 30 };

export const openReadSlots = (): ListSlots => new ListSlots(LIMITS);

export async function withReadSlot<Result>(
  { readSlots }: Pick<ConsoleContext, 'readSlots'>,
  request: FastifyRequest,
  merchantId: number,
  read: () => Promise<Result>,
): Promise<Result> {
  const slot = await readSlots.take(merchantId);
  const startedAt = performance.now();
  try {
    return await read();
  } finally {
    // As the page's own time: the database has processors, too.
    spendMore(request, performance.now() - startedAt);
    slot.finish();
    slot.leave();
  }
}
