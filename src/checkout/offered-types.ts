// Which kinds of payment a checkout offers: those of which the shop left a method on, and an invoice only where there is
// somebody to send it to.
import { billedCountryOf } from '../domain/consumer.ts';
import { amountBy } from '../domain/fee.ts';
import { METHODS, offeredMethods } from '../domain/offered-methods.ts';
import type { Payment, PaymentMethod } from '../domain/payment.ts';

export type OfferedType = {
  readonly type: 'card' | 'invoice';
  readonly methods: readonly string[];
  /** What is paid, with the fee of the method if it has one. */
  readonly amount: number;
};

/** A shop that asks for nobody's data must have told whom. */
function canBeInvoiced({ checkout, consumer }: Payment): boolean {
  if (checkout.merchantHandlesConsumerData !== true) return true;
  return (consumer.person ?? consumer.company) !== undefined && billedCountryOf(consumer) !== undefined;
}

function offeredOf(payment: Payment, paymentType: PaymentMethod['paymentType']): OfferedType | undefined {
  const offered = offeredMethods(payment);
  const methods = METHODS.filter((method) => method.paymentType === paymentType)
    .map(({ name }) => name)
    .filter((name) => offered.includes(name));
  const [first] = methods;
  if (first === undefined) return undefined;
  const type = paymentType === 'CARD' ? 'card' : 'invoice';
  return { type, methods, amount: amountBy(payment, { paymentMethod: first }) };
}

/** In the order of the page. */
export const offeredTypes = (payment: Payment): readonly OfferedType[] =>
  [offeredOf(payment, 'CARD'), canBeInvoiced(payment) ? offeredOf(payment, 'INVOICE') : undefined].filter(
    (offered) => offered !== undefined,
  );
