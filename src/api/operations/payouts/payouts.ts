// GET /report/v1/payouts and /report/v1/payouts/{payoutId}: what a merchant is paid for each UTC day and currency, and what
// that is made of. Only days that are over and gathered whole are shown, so what was read once does not change.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TObject } from '../../../schema/type.ts';
import { readCurrency } from '../../../domain/currency.ts';
import { isoTime } from '../../../domain/time.ts';
import { findPayout, listPayoutActions, listPayouts } from '../../../store/books/payouts/read.ts';
import type { Payout, PayoutAction } from '../../../store/books/payouts/read.ts';
import { NOT_FOUND, sendAnswer } from '../../../server/errors.ts';
import { readDay } from '../../../server/formats.ts';
import { textsOf } from '../../list-page.ts';
import { listInTurn } from '../../../server/costly-work.ts';
import type { ReadingContext } from '../../request.ts';
import { badField } from '../../../server/problem.ts';
import { requireKnownFilters } from '../../../server/query.ts';
import { dashedIdIn } from '../../request.ts';
import { merchantOf } from '../../../server/asker.ts';
import { DEFAULT_PAGE_SIZE, LARGEST_PAGE_SIZE, MOST_DAYS, PayoutQuery, PayoutsQuery } from './schema.ts';

const DAY_MS = 86_400_000;
// Where a page begins is counted, and no report has more.
const MOST_SKIPPED = 1_000_000_000;

type Query = Readonly<Record<string, string | undefined>>;

/** The filters that came. A client puts `?&` before them: what has no name is nothing. */
function filtersOf(request: FastifyRequest, schema: TObject): Query {
  const { '': _nameless, ...query } = request.query as Query;
  requireKnownFilters(query, schema);
  return query;
}

function readWhole(query: Query, name: string, least: number, most: number): number | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  if (value < least || value > most) throw badField(name, `must be a whole number from ${least} to ${most}`);
  return value;
}

function pageOf(query: Query): { readonly skip: number; readonly take: number } {
  const take = readWhole(query, 'pageSize', 1, LARGEST_PAGE_SIZE) ?? DEFAULT_PAGE_SIZE;
  const number = readWhole(query, 'pageNumber', 0, MOST_SKIPPED / LARGEST_PAGE_SIZE) ?? 0;
  return { skip: number * take, take };
}

/** Both days are of the period. */
function periodOf({ fromDate = '', toDate = '' }: Query): { readonly from: string; readonly to: string } {
  const days = ((readDay(toDate) as number) - (readDay(fromDate) as number)) / DAY_MS + 1;
  if (days < 1) throw badField('toDate', `must not be before fromDate, ${fromDate}, found ${toDate}`);
  if (days > MOST_DAYS) throw badField('toDate', `must leave a period of at most ${MOST_DAYS} days, found ${days}`);
  return { from: fromDate, to: toDate };
}

/** Whether what is asked for can be this merchant's: the number of another finds nothing, whoever that is. */
function asksForOwn(request: FastifyRequest, query: Query): boolean {
  const number = readWhole(query, 'merchantNumber', 0, 9_999_999_999);
  return number === undefined || number === merchantOf(request).id;
}

const FEES = { feeVATpercent: 0, feeTaxRate: 0, feeTaxAmount: 0, transactionTaxDetails: [] } as const;

const presentPayout = (merchantId: number, { id, day, currency, charged, refunded }: Payout) => ({
  id,
  reference: `${merchantId}-${day.replaceAll('-', '')}-${currency}`,
  date: day,
  currency,
  amount: charged - refunded,
  chargedAmount: charged,
  refundedAmount: refunded,
  depositedAmount: 0,
  fees: 0,
  ...FEES,
});

export const presentListed = (merchantId: number, payout: Payout): object => ({
  ...presentPayout(merchantId, payout),
  numberOfCharges: payout.chargeCount,
});

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

export const presentDetails = (
  merchantId: number,
  payout: Payout,
  actions: readonly PayoutAction[],
): { readonly head: object; readonly actions: readonly object[] } => ({
  head: { ...presentPayout(merchantId, payout), numberOfPaymentActions: payout.actionCount },
  actions: actions.map(presentAction),
});

/** An object whose last field is a list, made in pieces between which others get their turn. */
async function listText(head: object, name: string, items: readonly object[]): Promise<string> {
  const texts = await textsOf(items, (item) => JSON.stringify(item));
  return `${JSON.stringify(head).slice(0, -1)},"${name}":[${texts.join()}]}`;
}

export function routePayouts(app: FastifyInstance, context: ReadingContext): void {
  const { pool } = context.payments.store;

  const list = { schema: { operationId: 'listPayouts', querystring: PayoutsQuery } };
  app.get('/report/v1/payouts', list, async (request, reply) => {
    const merchant = merchantOf(request);
    const query = filtersOf(request, PayoutsQuery);
    const asked = { merchant, ...periodOf(query), ...pageOf(query) };
    const currency = query['currency'] === undefined ? undefined : readCurrency(query['currency']);
    const isOwn = asksForOwn(request, query);
    const body = await listInTurn(context.costly, request, reply, async () => {
      const { count, payouts } = isOwn
        ? await listPayouts(pool, { ...asked, ...(currency !== undefined && { currency }) })
        : { count: 0, payouts: [] };
      const presented = payouts.map((payout) => presentListed(merchant.id, payout));
      return listText({ numberOfPayouts: count }, 'payouts', presented);
    });
    return sendAnswer(reply, { status: 200, body });
  });

  const one = { schema: { operationId: 'getPayout', querystring: PayoutQuery } };
  app.get('/report/v1/payouts/:payoutId', one, async (request, reply) => {
    const merchant = merchantOf(request);
    const query = filtersOf(request, PayoutQuery);
    const page = pageOf(query);
    const id = dashedIdIn(request, 'payoutId');
    if (id === undefined || !asksForOwn(request, query)) return sendAnswer(reply, NOT_FOUND);
    const body = await listInTurn(context.costly, request, reply, async () => {
      const payout = await findPayout(pool, merchant, id);
      if (payout === undefined) return undefined;
      const found = page.skip < payout.actionCount ? await listPayoutActions(pool, id, { merchant, ...page }) : [];
      const { head, actions } = presentDetails(merchant.id, payout, found);
      return listText(head, 'paymentActions', actions);
    });
    return sendAnswer(reply, body === undefined ? NOT_FOUND : { status: 200, body });
  });
}
