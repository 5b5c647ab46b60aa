// Ends a subscription for the consumer or the merchant. Charges in progress complete, with their events; later ones are
// refused. The consumer cannot end an expired one; the merchant can, so that no other card reactivates it.
import { hasExpired } from '../domain/subscription.ts';
import type { EndedBy, Subscription } from '../domain/subscription.ts';
import { endSubscription as writeEnd } from '../store/payments/end-subscription.ts';
import { nowOfMerchant } from './clock.ts';
import type { Payments } from './service.ts';

/** `over`: it has already ended or expired. */
export async function endSubscription(
  { store }: Pick<Payments, 'store'>,
  subscription: Subscription,
  by: EndedBy,
): Promise<'ended' | 'over'> {
  const { id, merchantId, state } = subscription;
  const at = await nowOfMerchant(store, merchantId);
  if (by === 'consumer' && state !== 'ended' && hasExpired(subscription, at)) return 'over';
  const writer: Parameters<typeof writeEnd>[0] = {
    run: (statement, values) => store.write({ merchantId, statement, values }),
    confirm: (found) => store.confirm(found),
  };
  if (!(await writeEnd(writer, id, by, at))) return 'over';
  store.publisher.add({ id, merchantId });
  return 'ended';
}
