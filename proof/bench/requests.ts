// The requests of the bench: an order of two lines as a shop sends it, and what happens to it. A charge takes the whole
// order and names its items, as the plugins of shops do.
import { requestText } from './plan.ts';
import type { Step } from './plan.ts';

const line = (reference: string, name: string, quantity: number, net: number, tax: number) => ({
  reference,
  name,
  quantity,
  unit: 'pcs',
  unitPrice: net / quantity,
  taxRate: 2_500,
  taxAmount: tax,
  grossTotalAmount: net + tax,
  netTotalAmount: net,
});

const SHOES = line('sneaky-1-42', 'Sneakers, white, 42', 1, 80_000, 20_000);
const SOCKS = line('socks-3-42', 'Socks, three pairs, 39 to 42', 2, 16_000, 4_000);

const moveOf = (...items: readonly (typeof SHOES)[]) => ({
  amount: items.reduce((sum, item) => sum + item.grossTotalAmount, 0),
  orderItems: items,
});

const WHOLE = moveOf(SHOES, SOCKS);

const ORDER = {
  order: { items: [SHOES, SOCKS], amount: WHOLE.amount, currency: 'SEK', reference: 'order-2026-000001' },
  checkout: { url: 'https://shop.example/checkout', ShippingCountries: [{ countryCode: 'SWE' }] },
};

type Around = readonly [before: string, after: string];

export const PATHS = {
  create: ['/v1/payments', ''],
  reserve: ['/v1/sandbox/payments/', '/reserve'],
  read: ['/v1/payments/', ''],
  charge: ['/v1/payments/', '/charges'],
  refund: ['/v1/charges/', '/refunds'],
  cancel: ['/v1/payments/', '/cancels'],
} as const satisfies Record<string, Around>;

export const BODIES = { create: ORDER, reserve: {}, charge: WHOLE, refund: WHOLE, cancel: WHOLE } as const;

const STATUSES = { create: 201, reserve: 201, read: 200, charge: 201, refund: 201, cancel: 204 } as const;

export function requestFor(operation: keyof typeof PATHS, secretKey: string) {
  const text =
    operation === 'read'
      ? requestText('GET', PATHS.read, secretKey)
      : requestText('POST', PATHS[operation], secretKey, BODIES[operation]);
  return { ...text, status: STATUSES[operation] };
}

/** Two lives: the shoes are charged; then they come back, or the socks turn out to be sold. */
export function livesOf(secretKey: string): readonly (readonly Step[])[] {
  const step = (operation: keyof typeof PATHS, names: Step['names'], body?: object): Step => ({
    ...(body === undefined ? requestFor(operation, secretKey) : requestText('POST', PATHS[operation], secretKey, body)),
    status: STATUSES[operation],
    names,
  });
  const begin: readonly Step[] = [
    { ...step('create', 'nothing'), gives: 'payment' },
    step('reserve', 'payment'),
    step('read', 'payment'),
    { ...step('charge', 'payment', moveOf(SHOES)), gives: 'charge' },
    step('read', 'payment'),
  ];
  return [
    [...begin, step('refund', 'charge', moveOf(SHOES))],
    [...begin, step('cancel', 'payment', moveOf(SOCKS))],
  ];
}
