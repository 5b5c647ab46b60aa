// The documentation of payouts: the day on which the story's sneakers were charged.
import { timeOf } from '../../../domain/id.ts';
import type { PaymentMethod } from '../../../domain/payment.ts';
import { FORMAT_TEXTS } from '../../../server/formats.ts';
import { BAD_ID, problem } from '../../openapi/operation.ts';
import type { OperationDoc } from '../../openapi/operation.ts';
import { charged, chargeMade, IDS, presentation } from '../story.ts';
import { presentDetails, presentListed } from './payouts.ts';
import { MOST_DAYS, PayoutDetails, PayoutList } from './schema.ts';

const { id: merchantId } = presentation.merchant;

const payout = {
  id: IDS['payoutId'] as string,
  day: '2026-03-18',
  currency: charged.order.currency,
  charged: chargeMade.amount,
  refunded: 0,
  chargeCount: 1,
  actionCount: 1,
};

const { head, actions } = presentDetails(merchantId, payout, [
  {
    id: chargeMade.id,
    paymentId: charged.id,
    kind: 'charge',
    method: charged.method as PaymentMethod,
    at: new Date(timeOf(chargeMade.id)),
    reference: charged.order.reference ?? null,
    invoiceNumber: chargeMade.invoiceNumber ?? null,
    amount: chargeMade.amount,
    vat: 10_000,
    currency: charged.order.currency,
    subscriptionId: null,
  },
]);

const PAGE = { pageNumber: { example: '0' }, pageSize: { example: '100' } };
const MERCHANT_NUMBER = { merchantNumber: { example: String(merchantId) } };

export const PAYOUT_OPERATIONS: Readonly<Record<string, OperationDoc>> = {
  listPayouts: {
    tag: 'Payouts',
    summary: 'List payouts',
    description:
      'What you are paid: one payout for each UTC day and currency in which something was charged or refunded, oldest ' +
      'first. A day is there once it is over, some minutes after midnight UTC, and stays as it is: what was pending then ' +
      'is in the payout of the day on which its outcome was known. On your first day there are none.',
    query: {
      fromDate: { example: '2026-03-01' },
      toDate: { example: '2026-03-31' },
      currency: { example: 'SEK' },
      ...MERCHANT_NUMBER,
      ...PAGE,
    },
    success: {
      status: 200,
      description: 'The payouts.',
      schema: PayoutList,
      examples: [
        { summary: 'A month', value: { numberOfPayouts: 1, payouts: [presentListed(merchantId, payout)] } },
        { summary: 'Nothing was charged', value: { numberOfPayouts: 0, payouts: [] } },
      ],
    },
    refused: [
      problem('No date', { field: 'fromDate', text: 'is required' }),
      problem('No such date', {
        field: 'fromDate',
        text: `${FORMAT_TEXTS['full-date'] as string}, found "01/03/2026"`,
      }),
      problem('Too long', {
        field: 'toDate',
        text: `must leave a period of at most ${MOST_DAYS} days, found 400`,
      }),
    ],
  },
  getPayout: {
    tag: 'Payouts',
    summary: 'Read a payout',
    description: 'With the charges and refunds that it is made of, page by page.',
    query: { ...MERCHANT_NUMBER, ...PAGE },
    success: {
      status: 200,
      description: 'The payout.',
      schema: PayoutDetails,
      examples: [{ summary: 'A day', value: { ...head, paymentActions: actions } }],
    },
    refused: [
      BAD_ID('payoutId'),
      problem('No such page', { field: 'pageSize', text: 'must be a whole number from 1 to 1000' }),
    ],
  },
};
