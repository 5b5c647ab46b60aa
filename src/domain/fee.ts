// A fee of a method of payment: an item that the shop adds to the order when the consumer pays by that method. It is no
// part of the order until a reservation by that method is approved; then the order has the item and its amount.
import { refuse } from './decision.ts';
import type { Refused } from './decision.ts';
import type { OrderItem } from './item.ts';
import type { Payment, PaymentMethod } from './payment.ts';

// As for every order.
const HIGHEST_AMOUNT = 1_000_000_000_000;

type Ordered = Pick<Payment, 'order' | 'checkout'>;
type Method = Pick<PaymentMethod, 'paymentMethod'>;

/** The item that paying by this method adds; undefined when it costs nothing. */
export const feeOf = ({ checkout }: Pick<Payment, 'checkout'>, { paymentMethod }: Method): OrderItem | undefined =>
  checkout.fees?.find(({ method }) => method === paymentMethod)?.item;

/** What the consumer pays by this method. */
export const amountBy = (payment: Ordered, method: Method): number =>
  payment.order.amount + (feeOf(payment, method)?.grossTotalAmount ?? 0);

/** The payment once it is reserved: its order has the fee of the method that it was reserved with. */
export function withFee(payment: Payment): Payment {
  const { order, method } = payment;
  const fee = method && feeOf(payment, method);
  if (!method || !fee) return payment;
  return { ...payment, order: { ...order, amount: amountBy(payment, method), items: [...order.items, fee] } };
}

/** Refuses an order whose amount would be out of range with a fee. */
export function refuseFeeOutOfRange(payment: Ordered): Refused | undefined {
  for (const { method, item } of payment.checkout.fees ?? []) {
    const amount = payment.order.amount + item.grossTotalAmount;
    if (amount < 1 || amount > HIGHEST_AMOUNT)
      return refuse({ name: 'amount_with_fee_is_out_of_range', method, amount, most: HIGHEST_AMOUNT });
  }
  return undefined;
}
