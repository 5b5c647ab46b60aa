// The order of a charge of a subscription, alone or in a bulk.
import type { Order } from '../../domain/payment.ts';
import type { SubscriptionChargeBody } from '../schemas/subscription.ts';
import { readItems, requireFewRates, requireSum } from '../sum-rule.ts';

/** The order of a charge; problems are reported with their path. */
export function readOrder(
  { amount, currency, reference, items: given }: SubscriptionChargeBody['order'],
  field: string,
): Order {
  const items = readItems(given);
  requireSum(`${field}.amount`, amount, items);
  requireFewRates(`${field}.items`, items);
  return { amount, currency: currency.toUpperCase(), ...(reference && { reference }), items };
}
