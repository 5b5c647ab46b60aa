// Ends a subscription for the consumer or the merchant. What is under way at that moment is finished and told; whatever is
// to be charged afterwards is refused. One whose time is over has nothing left to end.
import { hasExpired } from '../domain/subscription.ts';
import type { EndedBy, Subscription } from '../domain/subscription.ts';
import { endSubscription as writeEnd } from '../store/end-subscription.ts';
import type { Payments } from './service.ts';

/** `over`: it was ended before, or has expired. */
export async function endSubscription(
  { store }: Pick<Payments, 'store'>,
  subscription: Subscription,
  by: EndedBy,
): Promise<'ended' | 'over'> {
  const { id, merchantId, state } = subscription;
  const at = Date.now();
  if (state === 'ended' || hasExpired(subscription, at)) return 'over';
  if (!(await writeEnd(store.pool, id, by, at))) return 'over';
  store.publisher.add({ id, merchantId });
  return 'ended';
}
