// The approximate size of a change: its large parts.
import { roughBytesOf } from '../../domain/size.ts';
import type { CommitRequest } from './commit-request.ts';

// The other rows: numbers, ids, times, events.
const SMALL_BYTES = 1_024;

/** Unchanged parts are not sent. */
export function sizeOfCommit({ change: { payment, moved }, before, record }: CommitRequest): number {
  let bytes = SMALL_BYTES + (record?.recorded?.text.length ?? 0);
  if (payment.order !== before?.order) bytes += roughBytesOf(payment.order.items);
  if (payment.checkout !== before?.checkout) bytes += roughBytesOf(payment.checkout);
  if (payment.consumer !== before?.consumer) bytes += roughBytesOf(payment.consumer);
  for (const { items } of moved) bytes += roughBytesOf(items);
  return bytes;
}
