// Decides a create: the first version of a payment. The request was validated before, so this cannot fail.
import type { Change } from './decision.ts';
import { NO_TOTALS } from './payment.ts';
import type { Checkout, Order } from './payment.ts';
import type { Consumer } from './consumer.ts';

export type CreateCommand = {
  readonly order: Order;
  readonly checkoutUrl?: string;
  readonly checkout: Checkout;
  readonly consumer: Consumer;
  readonly myReference?: string;
};

export function create(id: string, merchantId: number, command: CreateCommand): Change {
  const payment = { id, merchantId, version: 1, ...command, totals: NO_TOTALS, movements: [] };
  return { payment, moved: [], events: [] };
}
