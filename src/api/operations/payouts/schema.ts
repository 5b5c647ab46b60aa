// What the reports of payouts take and answer. Both dialects spell them the same.
import * as Type from '../../../schema/type.ts';
import { Id, Timestamp } from '../../../events/body-parts.ts';
import { Currency } from '../../schemas/values.ts';

/** More is asked for in several periods: a report is read for a month or a year. */
export const MOST_DAYS = 366;
export const DEFAULT_PAGE_SIZE = 100;
export const LARGEST_PAGE_SIZE = 1_000;

const Page = {
  pageNumber: Type.Optional(Type.String({ description: 'Which page, counted from 0. By default the first.' })),
  pageSize: Type.Optional(
    Type.String({ description: `How many on a page: 1 to ${LARGEST_PAGE_SIZE}, by default ${DEFAULT_PAGE_SIZE}.` }),
  ),
};

const MerchantNumber = Type.Optional(
  Type.String({ description: 'Your own merchant number. Of any other there is nothing.' }),
);

export const PayoutsQuery = Type.Object({
  fromDate: Type.String({ format: 'full-date', description: 'The first day of the period, in UTC.' }),
  toDate: Type.String({
    format: 'full-date',
    description: `The last day, which is part of the period; at most ${MOST_DAYS} days.`,
  }),
  currency: Type.Optional(Currency),
  merchantNumber: MerchantNumber,
  ...Page,
});

export const PayoutQuery = Type.Object({ merchantNumber: MerchantNumber, ...Page });

const Sum = (description: string) => Type.Integer({ description });
const Zero = (description: string) => Type.Integer({ enum: [0], description });

const FEES = {
  feeVATpercent: Zero('As feeTaxRate; for old clients.'),
  feeTaxRate: Zero('Fees are not taxed.'),
  feeTaxAmount: Zero('Fees are not taxed.'),
  transactionTaxDetails: Type.Array(Type.Object({ rate: Type.Integer(), amount: Type.Integer() }), {
    maxItems: 0,
    description: 'Empty: the items of an order say the tax of each rate, vatAmount its sum.',
  }),
};

const PAYOUT = {
  id: Id('Identifies the payout.'),
  reference: Type.String({ description: 'Your merchant number, the day and the currency.' }),
  date: Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$`, description: 'The UTC day that it is for.' }),
  currency: Type.String(),
  amount: Sum('What you are paid: chargedAmount less refundedAmount and fees. Below 0 when more was refunded.'),
  chargedAmount: Sum('What was charged on that day.'),
  refundedAmount: Sum('What was refunded on that day.'),
  depositedAmount: Zero('Nothing is deposited here.'),
  fees: Zero('There are none here.'),
  ...FEES,
};

const PaymentAction = Type.Object(
  {
    id: Id('The charge or refund.'),
    paymentId: Id('Its payment.'),
    paymentAction: Type.String({ enum: ['CHARGE', 'REFUND'] }),
    paymentMethod: Type.String({ description: 'For example Visa, MasterCard or EasyInvoice.' }),
    paymentType: Type.String({ description: 'CARD or INVOICE.' }),
    timestamp: Timestamp('When it was asked for.'),
    reference: Type.Optional(Type.String({ description: "The order's." })),
    invoiceNumber: Type.Optional(Type.String({ description: "A charge's." })),
    amount: Sum('In minor units.'),
    vatAmount: Sum(
      'The tax in it, as on its invoice: of the items that it names; without items its share of what was left of the ' +
        'order, or of the charge that it gives back.',
    ),
    currency: Type.String(),
    fee: Zero('There is none here.'),
    flexibleFee: Zero('There is none here.'),
    fixedFee: Zero('There is none here.'),
    ...FEES,
    subscriptionId: Type.Optional(Id('Of a payment of a subscription, of either kind.')),
  },
  { title: 'PaymentAction' },
);

export const PayoutList = Type.Object(
  {
    numberOfPayouts: Type.Integer({ minimum: 0, description: 'In all, on whichever page.' }),
    payouts: Type.Array(Type.Object({ ...PAYOUT, numberOfCharges: Type.Integer({ minimum: 0 }) }, { title: 'Payout' })),
  },
  { title: 'Payouts' },
);

export const PayoutDetails = Type.Object(
  {
    ...PAYOUT,
    numberOfPaymentActions: Type.Integer({ minimum: 1, description: 'In all, on whichever page.' }),
    paymentActions: Type.Array(PaymentAction, { description: 'In the order in which they were written.' }),
  },
  { title: 'PayoutDetails' },
);
