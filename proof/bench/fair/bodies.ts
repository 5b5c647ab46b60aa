// The bodies of a hostile merchant's requests.
import { testCards } from '../../../src/acquirers/test-cards.ts';
import { BODIES } from '../requests.ts';

// As long as a text may be, of letters that take two bytes: a thousand such items just fit into a body of 1 MiB.
const LONG = 'å'.repeat(128);
const HOOKS = 32;
// Charges of the whole order, item by item; the last one is never reached.
export const MOST_LARGE_CHARGES = 5;

const itemsOf = (count: number, text: string, gross: number): object[] =>
  Array.from({ length: count }, () => ({
    reference: text,
    name: text,
    quantity: 1,
    unit: text,
    unitPrice: gross,
    taxRate: 0,
    taxAmount: 0,
    grossTotalAmount: gross,
    netTotalAmount: gross,
  }));

const checkout = { url: 'https://shop.example/checkout' };

const orderOf = (count: number, text: string, gross: number, reference: string): object => ({
  order: { items: itemsOf(count, text, gross), amount: count * gross, currency: 'SEK', reference },
  checkout,
});

export const largeOrder = (items: number): object => orderOf(items, LONG, MOST_LARGE_CHARGES, 'large');

/** All items once more; each is one unit. */
export const largeCharge = (items: number): object => ({ amount: items, orderItems: itemsOf(items, LONG, 1) });

export const longInvoice = (): object => orderOf(1_000, 'Thing', 100, 'invoice');

/** Dead names, all different, and addresses of this machine at which nobody ever answers. */
export function hookedOrder(n: number, hangingPort: number): object {
  const urlOf = (hook: number): string =>
    hook % 2 === 0
      ? `http://dead-${n}-${hook}.kassa-fair.example/hook`
      : `http://127.0.${n % 256}.${hook}:${hangingPort}/hook`;
  const webHooks = Array.from({ length: HOOKS }, (_, hook) => ({
    eventName: 'payment.created',
    url: urlOf(hook),
    authorization: 'of-no-meaning',
  }));
  return { ...BODIES.create, notifications: { webHooks } };
}

const declined = testCards.find(({ source }) => source === 'sim_reservation_declined')?.number;

export const declinedPay = (): object => ({
  type: 'card',
  paymentType: { card: { cardNumber: declined, cardVerificationCode: '123', expiryMonth: '12', expiryYear: '35' } },
  amountConfirmedByConsumer: BODIES.charge.amount,
  acceptedTermsAndConditions: true,
  consumer: {
    email: 'ada@example.test',
    phoneNumber: { prefix: '+46', number: '701234567' },
    privatePerson: { firstName: 'Ada', lastName: 'Berg' },
    shippingAddress: { addressLine1: 'Storgatan 1', postalCode: '111 22', city: 'Stockholm', country: 'SWE' },
  },
});
