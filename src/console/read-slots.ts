// Lists, searches and figures of the console need a slot, as lists of the API do: merchants get theirs in turn, so that
// nobody who asks for one page after the other takes the database from payments.
import { ListSlots } from '../http/list-slots.ts';
import type { ConsoleContext } from './context.ts';

/** Several people of one merchant may look at once; who finds more of them waiting is told to come back. */
const LIMITS = { underWay: 4, ofMerchant: 2, waiting: 30 };

export const openReadSlots = (): ListSlots => new ListSlots(LIMITS);

export async function withReadSlot<Result>(
  { readSlots }: Pick<ConsoleContext, 'readSlots'>,
  merchantId: number,
  read: () => Promise<Result>,
): Promise<Result> {
  const slot = await readSlots.take(merchantId);
  try {
    return await read();
  } finally {
    slot.finish();
    slot.leave();
  }
}
