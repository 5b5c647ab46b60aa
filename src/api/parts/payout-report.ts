// What the payout reports share: the parameters for a period and a page, and the spelling of a payout, the same in both
// dialects. Only complete days are shown, so a report does not change once it was read.
import type { FastifyRequest } from 'fastify';
import { Id } from '../../events/body-parts.ts';
import * as Type from '../../schema/type.ts';
import type { TObject } from '../../schema/type.ts';
import { merchantOf } from '../../server/asker.ts';
import { badField } from '../../server/problem.ts';
import { requireKnownFilters } from '../../server/query.ts';
import type { Payout } from '../../store/books/payouts/read.ts';
import { textsOf } from '../list-page.ts';
import { presentation } from '../openapi/story.ts';

const DEFAULT_PAGE_SIZE = 100;

const LARGEST_PAGE_SIZE = 1_000;
export const Page = {
  pageNumber: Type.Optional(Type.String({ description: 'Which page, counted from 0. By default the first.' })),
  pageSize: Type.Optional(
    Type.String({ description: `How many on a page: 1 to ${LARGEST_PAGE_SIZE}, by default ${DEFAULT_PAGE_SIZE}.` }),
  ),
};

export const MerchantNumber = Type.Optional(
  Type.String({ description: 'Your own merchant number. Of any other there is nothing.' }),
);

export const Sum = (description: string) => Type.Integer({ description });

export const Zero = (description: string) => Type.Integer({ enum: [0], description });

export const FEE_FIELDS = {
  feeVATpercent: Zero('As feeTaxRate; for old clients.'),
  feeTaxRate: Zero('Fees are not taxed.'),
  feeTaxAmount: Zero('Fees are not taxed.'),
  transactionTaxDetails: Type.Array(Type.Object({ rate: Type.Integer(), amount: Type.Integer() }), {
    maxItems: 0,
    description: 'Empty: the items of an order say the tax of each rate, vatAmount its sum.',
  }),
};
export const PAYOUT = {
  id: Id('Identifies the payout.'),
  reference: Type.String({ description: 'Your merchant number, the day and the currency.' }),
  date: Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$`, description: 'The UTC day that it is for.' }),
  currency: Type.String(),
  amount: Sum('What you are paid: chargedAmount less refundedAmount and fees. Below 0 when more was refunded.'),
  chargedAmount: Sum('What was charged on that day.'),
  refundedAmount: Sum('What was refunded on that day.'),
  depositedAmount: Zero('Nothing is deposited here.'),
  fees: Zero('There are none here.'),
  ...FEE_FIELDS,
};

// A page begins at an offset, and no report is longer than this.
const MOST_SKIPPED = 1_000_000_000;
export type Query = Readonly<Record<string, string | undefined>>;

/** The given filters. A client puts `?&` before them, so parameters without a name are ignored. */
export function filtersOf(request: FastifyRequest, schema: TObject): Query {
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
export function pageOf(query: Query): { readonly skip: number; readonly take: number } {
  const take = readWhole(query, 'pageSize', 1, LARGEST_PAGE_SIZE) ?? DEFAULT_PAGE_SIZE;
  const number = readWhole(query, 'pageNumber', 0, MOST_SKIPPED / LARGEST_PAGE_SIZE) ?? 0;
  return { skip: number * take, take };
}

/** Whether it can belong to this merchant: the number of another merchant finds nothing. */
export function asksForOwn(request: FastifyRequest, query: Query): boolean {
  const number = readWhole(query, 'merchantNumber', 0, 9_999_999_999);
  return number === undefined || number === merchantOf(request).id;
}

export const FEES = { feeVATpercent: 0, feeTaxRate: 0, feeTaxAmount: 0, transactionTaxDetails: [] } as const;

export const presentPayout = (merchantId: number, { id, day, currency, charged, refunded }: Payout) => ({
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

/** An object whose last field is a list, made in pieces so that other requests can run. */
export async function listText(head: object, name: string, items: readonly object[]): Promise<string> {
  const texts = await textsOf(items, (item) => JSON.stringify(item));
  return `${JSON.stringify(head).slice(0, -1)},"${name}":[${texts.join()}]}`;
}

export const PAGE = { pageNumber: { example: '0' }, pageSize: { example: '100' } };

export const MERCHANT_NUMBER = { merchantNumber: { example: String(presentation.merchant.id) } };
