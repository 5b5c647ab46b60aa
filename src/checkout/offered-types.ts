// The payment types that a checkout offers: those with an enabled method, and invoices only if the consumer is known.
import { billedCountryOf } from '../domain/consumer.ts';
import { amountBy } from '../domain/fee.ts';
import { isInApp, METHODS, offeredApps, offeredMethods } from '../domain/offered-methods.ts';
import type { Payment, PaymentMethod } from '../domain/payment.ts';

export type OfferedType = {
  readonly type: 'card' | 'invoice' | AppType;
  readonly methods: readonly string[];
  /** The amount to pay, including the fee of the method, if any. */
  readonly amount: number;
};

/** A shop that handles consumer data itself must have sent it. */
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

export const APP_TYPES = ['swish', 'vipps', 'mobilepay'] as const;
export type AppType = (typeof APP_TYPES)[number];

/** The name of an app, such as MobilePay for mobilepay. */
export const appNamed = (type: string): string | undefined =>
  METHODS.find((method) => isInApp(method) && method.name.toLowerCase() === type)?.name;

/** Each app is a way to pay of its own. */
const appTypesOf = (payment: Payment): readonly OfferedType[] =>
  offeredApps(payment).map((name) => ({
    type: name.toLowerCase() as AppType,
    methods: [name],
    amount: amountBy(payment, { paymentMethod: name }),
  }));

/** In the order of the page. */
export const offeredTypes = (payment: Payment): readonly OfferedType[] =>
  [
    offeredOf(payment, 'CARD'),
    ...appTypesOf(payment),
    canBeInvoiced(payment) ? offeredOf(payment, 'INVOICE') : undefined,
  ].filter((offered) => offered !== undefined);
