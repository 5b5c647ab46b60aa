// What the demo shop sells and what it asks for it. Prices are the server's alone: a browser says what is wanted and how
// many, never what it costs.
import type { OrderItem } from '../domain/item.ts';

export const CURRENCIES = ['SEK', 'EUR', 'NOK', 'DKK'] as const;
export type Currency = (typeof CURRENCIES)[number];

export const PRODUCT_IDS = ['mug', 'lamp', 'notebook'] as const;
export type ProductId = (typeof PRODUCT_IDS)[number];

export type Product = {
  readonly id: ProductId;
  readonly name: string;
  readonly kind: string;
  readonly what: string;
  /** With tax, in minor units. */
  readonly prices: Readonly<Record<Currency, number>>;
};

export const PRODUCTS: readonly Product[] = [
  {
    id: 'mug',
    name: 'Fika',
    kind: 'mug',
    what: 'Stoneware with a clay glaze. Holds three decilitres, and the warmth.',
    prices: { SEK: 24_900, EUR: 2_250, NOK: 24_900, DKK: 16_900 },
  },
  {
    id: 'lamp',
    name: 'Skymning',
    kind: 'table lamp',
    what: 'Linen shade on an oak foot. Made for the hour before it is dark.',
    prices: { SEK: 129_000, EUR: 11_500, NOK: 129_000, DKK: 86_900 },
  },
  {
    id: 'notebook',
    name: 'Minne',
    kind: 'notebook',
    what: 'Stitched, 144 blank pages, lies flat. For what you want to keep.',
    prices: { SEK: 12_900, EUR: 1_150, NOK: 12_900, DKK: 8_900 },
  },
];

/** Sold by subscription alone. */
export const COFFEE = {
  name: 'Morgon',
  kind: 'coffee, by subscription',
  what: 'A box of two bags, roasted the day before. Your card is charged again for each box, until you end it.',
  prices: { SEK: 14_900, EUR: 1_350, NOK: 14_900, DKK: 9_900 },
} as const satisfies Omit<Product, 'id'>;

export const MOST_OF_ONE = 20;

// Hundredths of a percent. With one fifth of every price being tax, prices that end on 0 or 5 split without a rest.
const TAX_RATE = 2_500;

type Shipping = { readonly home: readonly string[]; readonly cost: number; readonly costAbroad: number };

const SHIPPING: Readonly<Record<Currency, Shipping>> = {
  SEK: { home: ['SWE'], cost: 4_900, costAbroad: 9_900 },
  EUR: { home: ['FIN', 'DEU'], cost: 490, costAbroad: 990 },
  NOK: { home: ['NOR'], cost: 4_900, costAbroad: 9_900 },
  DKK: { home: ['DNK'], cost: 3_900, costAbroad: 6_900 },
};

export const SHIPS_TO = ['SWE', 'NOR', 'DNK', 'FIN', 'DEU'] as const;

function lineOf(reference: string, name: string, quantity: number, price: number): OrderItem {
  const grossTotalAmount = price * quantity;
  const taxAmount = grossTotalAmount / 5;
  return {
    reference,
    name,
    quantity,
    unit: 'pcs',
    unitPrice: price - price / 5,
    taxRate: TAX_RATE,
    taxAmount,
    grossTotalAmount,
    netTotalAmount: grossTotalAmount - taxAmount,
  };
}

export type Quantities = Readonly<Partial<Record<ProductId, number>>>;

/** The lines of an order; none when nothing is wanted. */
export const linesOf = (quantities: Quantities, currency: Currency): OrderItem[] =>
  PRODUCTS.flatMap(({ id, name, kind, prices }) => {
    const quantity = quantities[id] ?? 0;
    return quantity > 0 ? [lineOf(id, `${name} ${kind}`, quantity, prices[currency])] : [];
  });

export const coffeeLineOf = (currency: Currency): OrderItem =>
  lineOf('coffee', 'Morgon coffee, a box', 1, COFFEE.prices[currency]);

/** What sending it costs, which is known once the country is. */
export function shippingLineOf(currency: Currency, countryCode: string): OrderItem {
  const { home, cost, costAbroad } = SHIPPING[currency];
  const isHome = home.includes(countryCode);
  return lineOf('shipping', isHome ? 'Shipping' : 'Shipping abroad', 1, isHome ? cost : costAbroad);
}

/** In whose way amounts are written: the pages are English, and the English checkout writes them like that. */
export const LOCALE = 'en-GB';

/** An amount for people; all four currencies have a hundred minor units. */
export const showMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat(LOCALE, { style: 'currency', currency }).format(amount / 100);
