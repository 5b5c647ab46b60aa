// Events in responses, alike in every dialect: each as it is sent to subscribers.
import type { Payment } from '../../domain/payment.ts';
import { bodyOf } from '../../events/body.ts';
import type { StoredEvent } from '../../store/events/events.ts';
import { LargePayment } from '../../store/payments/load.ts';
import type { LoadRequest } from '../../store/payments/load.ts';
import type { Store } from '../../store/store.ts';

// How many events to look ahead for the small payments they need.
const AHEAD = 32;

/**
 * Events as they are sent, each with the current payment. They are produced on demand, and a large payment is loaded
 * when its turn comes, so that a client that does not read holds no page in memory.
 */
export async function* presentEvents(
  store: Store,
  events: readonly StoredEvent[],
  { publicUrl, onLarge }: { readonly publicUrl: string; readonly onLarge?: LoadRequest['onLarge'] },
): AsyncGenerator<string> {
  for (let from = 0; from < events.length; from += AHEAD) {
    const some = events.slice(from, from + AHEAD);
    const payments = await loadSmallPayments(store, some);
    let large: Loading | undefined;
    for (const event of some) {
      const { subjectId } = event;
      if (payments.get(subjectId) !== 'large') large = undefined;
      else if (large?.id !== subjectId)
        large = { id: subjectId, payment: await loadPayment(store, subjectId, onLarge) };
      const payment = payments.get(subjectId);
      yield JSON.stringify(bodyOf(event, payment === 'large' ? large?.payment : payment, publicUrl));
    }
  }
}

type Loading = { readonly id: string; readonly payment: Payment | undefined };

const loadPayment = async (
  store: Store,
  target: string,
  onLarge: LoadRequest['onLarge'],
): Promise<Payment | undefined> => (await store.load({ merchantId: null, target, onLarge })).payment;

async function loadSmallPayments(
  store: Store,
  events: readonly StoredEvent[],
): Promise<ReadonlyMap<string, Payment | 'large' | undefined>> {
  const ofPayments = events.filter(({ data }) => data === undefined);
  const ids = [...new Set(ofPayments.map(({ subjectId }) => subjectId))];
  const loaded = await Promise.all(ids.map((target) => store.loadIfSmall({ merchantId: null, target })));
  return new Map(
    ids.map((id, index) => {
      const found = loaded[index];
      return [id, found instanceof LargePayment ? 'large' : found?.payment];
    }),
  );
}
