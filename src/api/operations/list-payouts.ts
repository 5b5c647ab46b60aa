// GET /report/v1/payouts: a merchant's payouts for each UTC day and currency.
import { readCurrency } from '../../domain/currency.ts';
import * as Type from '../../schema/type.ts';
import { FORMAT_TEXTS, readDay } from '../../server/formats.ts';
import { listInTurn } from '../../server/costly-work.ts';
import { badField } from '../../server/problem.ts';
import { listPayouts as findPayouts } from '../../store/books/payouts/read.ts';
import type { Payout } from '../../store/books/payouts/read.ts';
import { paidOut, presentation } from '../openapi/story.ts';
import { answers, operation, problem } from '../operation.ts';
import {
  asksForOwn,
  filtersOf,
  listText,
  MERCHANT_NUMBER,
  MerchantNumber,
  PAGE,
  Page,
  pageOf,
  PAYOUT,
  presentPayout,
} from '../parts/payout-report.ts';
import type { Query } from '../parts/payout-report.ts';
import { Currency } from '../schemas/values.ts';

/** A report covers a month or a year; longer ones are requested in several periods. */
const MOST_DAYS = 366;
const DAY_MS = 86_400_000;

const PayoutsQuery = Type.Object({
  fromDate: Type.String({ format: 'full-date', description: 'The first day of the period, in UTC.' }),
  toDate: Type.String({
    format: 'full-date',
    description: `The last day, which is part of the period; at most ${MOST_DAYS} days.`,
  }),
  currency: Type.Optional(Currency),
  merchantNumber: MerchantNumber,
  ...Page,
});

/** Both days are included. */
function periodOf({ fromDate = '', toDate = '' }: Query): { readonly from: string; readonly to: string } {
  const days = ((readDay(toDate) as number) - (readDay(fromDate) as number)) / DAY_MS + 1;
  if (days < 1) throw badField('toDate', `must not be before fromDate, ${fromDate}, found ${toDate}`);
  if (days > MOST_DAYS) throw badField('toDate', `must leave a period of at most ${MOST_DAYS} days, found ${days}`);
  return { from: fromDate, to: toDate };
}

const presentListed = (merchantId: number, payout: Payout): object => ({
  ...presentPayout(merchantId, payout),
  numberOfCharges: payout.chargeCount,
});

export const listPayouts = operation('listPayouts', 'GET /report/v1/payouts', 'read', {
  query: PayoutsQuery,
  tag: 'Payouts',
  summary: 'List payouts',
  description:
    'What you are paid: one payout for each UTC day and currency in which something was charged or refunded, oldest ' +
    'first. A day is there once it is over, some minutes after midnight UTC, and stays as it is: what was pending then ' +
    'is in the payout of the day on which its outcome was known. On your first day there are none.',
  parameters: {
    fromDate: { example: '2026-03-01' },
    toDate: { example: '2026-03-31' },
    currency: { example: 'SEK' },
    ...MERCHANT_NUMBER,
    ...PAGE,
  },
  success: answers(
    200,
    'The payouts.',
    Type.Object(
      {
        numberOfPayouts: Type.Integer({ minimum: 0, description: 'In all, on whichever page.' }),
        payouts: Type.Array(
          Type.Object({ ...PAYOUT, numberOfCharges: Type.Integer({ minimum: 0 }) }, { title: 'Payout' }),
        ),
      },
      { title: 'Payouts' },
    ),
    {
      'A month': { numberOfPayouts: 1, payouts: [presentListed(presentation.merchant.id, paidOut)] },
      'Nothing was charged': { numberOfPayouts: 0, payouts: [] },
    },
  ),
  refused: [
    problem('No date', 'fromDate', 'is required'),
    problem('No such date', 'fromDate', `${FORMAT_TEXTS['full-date'] as string}, found "01/03/2026"`),
    problem('Too long', 'toDate', `must leave a period of at most ${MOST_DAYS} days, found 400`),
  ],
  handler: async (request, { store, costly }, reply) => {
    const merchant = request.merchant;
    const query = filtersOf(request, PayoutsQuery);
    const asked = { merchant, ...periodOf(query), ...pageOf(query) };
    const currency = query['currency'] === undefined ? undefined : readCurrency(query['currency']);
    const isOwn = asksForOwn(request, query);
    const body = await listInTurn(costly, request, reply, async () => {
      const { count, payouts } = isOwn
        ? await findPayouts(store.pool, { ...asked, ...(currency !== undefined && { currency }) })
        : { count: 0, payouts: [] };
      const presented = payouts.map((one) => presentListed(merchant.id, one));
      return listText({ numberOfPayouts: count }, 'payouts', presented);
    });
    return { status: 200, body };
  },
});
