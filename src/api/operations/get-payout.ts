// GET /report/v1/payouts/{payoutId}: a payout with its charges and refunds.
import { timeOf } from '../../domain/id.ts';
import type { PaymentMethod } from '../../domain/payment.ts';
import { isoTime } from '../../domain/time.ts';
import { Id, Timestamp } from '../../events/body-parts.ts';
import * as Type from '../../schema/type.ts';
import { NOT_FOUND } from '../../server/answer.ts';
import { listInTurn } from '../../server/costly-work.ts';
import { findPayout, listPayoutActions } from '../../store/books/payouts/read.ts';
import type { Payout, PayoutAction } from '../../store/books/payouts/read.ts';
import { charged, chargeMade, paidOut, presentation } from '../openapi/story.ts';
import { answers, BAD_ID, operation, problem } from '../operation.ts';
import {
  asksForOwn,
  FEE_FIELDS,
  FEES,
  filtersOf,
  listText,
  MERCHANT_NUMBER,
  MerchantNumber,
  PAGE,
  Page,
  pageOf,
  PAYOUT,
  presentPayout,
  Sum,
  Zero,
} from '../parts/payout-report.ts';
import { dashedIdIn } from '../request.ts';

const PayoutQuery = Type.Object({ merchantNumber: MerchantNumber, ...Page });

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
    ...FEE_FIELDS,
    subscriptionId: Type.Optional(Id('Of a payment of a subscription, of either kind.')),
  },
  { title: 'PaymentAction' },
);

const presentAction = ({ id, paymentId, kind, method, at, ...action }: PayoutAction): object => ({
  id,
  paymentId,
  paymentAction: kind === 'charge' ? 'CHARGE' : 'REFUND',
  paymentMethod: method.paymentMethod,
  paymentType: method.paymentType,
  timestamp: isoTime(at.getTime()),
  ...(action.reference !== null && { reference: action.reference }),
  ...(action.invoiceNumber !== null && { invoiceNumber: action.invoiceNumber }),
  amount: action.amount,
  vatAmount: action.vat,
  currency: action.currency,
  fee: 0,
  flexibleFee: 0,
  fixedFee: 0,
  ...FEES,
  ...(action.subscriptionId !== null && { subscriptionId: action.subscriptionId }),
});

const presentDetails = (
  merchantId: number,
  payout: Payout,
  actions: readonly PayoutAction[],
): { readonly head: object; readonly actions: readonly object[] } => ({
  head: { ...presentPayout(merchantId, payout), numberOfPaymentActions: payout.actionCount },
  actions: actions.map(presentAction),
});

const example = presentDetails(presentation.merchant.id, paidOut, [
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

export const getPayout = operation('getPayout', 'GET /report/v1/payouts/:payoutId', 'read', {
  query: PayoutQuery,
  tag: 'Payouts',
  summary: 'Read a payout',
  description: 'With the charges and refunds that it is made of, page by page.',
  parameters: { ...MERCHANT_NUMBER, ...PAGE },
  success: answers(
    200,
    'The payout.',
    Type.Object(
      {
        ...PAYOUT,
        numberOfPaymentActions: Type.Integer({ minimum: 1, description: 'In all, on whichever page.' }),
        paymentActions: Type.Array(PaymentAction, { description: 'In the order in which they were written.' }),
      },
      { title: 'PayoutDetails' },
    ),
    {
      'A day': { ...example.head, paymentActions: example.actions },
    },
  ),
  refused: [BAD_ID('payoutId'), problem('No such page', 'pageSize', 'must be a whole number from 1 to 1000')],
  handler: async (request, { store, costly }, reply) => {
    const merchant = request.merchant;
    const query = filtersOf(request, PayoutQuery);
    const page = pageOf(query);
    const id = dashedIdIn(request, 'payoutId');
    if (id === undefined || !asksForOwn(request, query)) return NOT_FOUND;
    const body = await listInTurn(costly, request, reply, async () => {
      const found = await findPayout(store.pool, merchant, id);
      if (found === undefined) return undefined;
      const made = page.skip < found.actionCount ? await listPayoutActions(store.pool, id, { merchant, ...page }) : [];
      const { head, actions } = presentDetails(merchant.id, found, made);
      return listText(head, 'paymentActions', actions);
    });
    return body === undefined ? NOT_FOUND : { status: 200, body };
  },
});
