// The shop's side of the embedded checkout: opens it with the shop's script of Kassa, shows what it hears, adds the
// cost of shipping where the shop does that, and goes behind the counter when all is paid.
import { isAtHome, post, tell } from './backend-client.ts';

type Checkout = {
  on(name: string, listener: (data: unknown) => void): void;
  send(name: string, data: unknown): void;
  freezeCheckout(): void;
  thawCheckout(): void;
};
type CheckoutOptions = {
  readonly checkoutKey: string;
  readonly paymentId: string;
  readonly containerId: string;
  readonly language: string;
  readonly theme: { readonly colorScheme: 'auto' };
};
type Shop = { readonly Kassa?: { readonly Checkout: new (options: CheckoutOptions) => Checkout } };

// The shop itself is light or dark as the device prefers.
const theme = { colorScheme: 'auto' } as const;
// Long enough to see that it worked.
const LEAVE_AFTER_MS = 1_500;

const { paymentId = '', checkoutKey = '', language = 'en-GB', shipping, demo = '' } = document.body.dataset;
const heard = document.querySelector('#heard');
const fault = document.querySelector<HTMLElement>('#checkout-error');

function note(name: string, data: unknown, remark = ''): void {
  heard?.querySelector('.waiting')?.remove();
  const line = document.createElement('li');
  const time = document.createElement('time');
  time.textContent = new Date().toLocaleTimeString();
  const title = document.createElement('code');
  title.textContent = name;
  line.append(time, ' ', title);
  for (const [text, kind] of [
    [data === undefined ? '' : JSON.stringify(data, null, 1), 'pre'],
    [remark, 'p'],
  ] as const) {
    if (text === '') continue;
    const more = document.createElement(kind);
    more.textContent = text;
    line.append(more);
  }
  heard?.append(line);
}

async function addShipping(checkout: Checkout, countryCode: string): Promise<void> {
  checkout.freezeCheckout();
  try {
    await post(`/checkout/${paymentId}/shipping`, { countryCode });
    note('cart updated', undefined, 'The backend added the cost of shipping, and the page thawed the checkout.');
  } catch (error) {
    tell(fault, (error as Error).message);
  } finally {
    checkout.thawCheckout();
  }
}

function open(): void {
  const { Kassa } = globalThis as Shop;
  if (Kassa === undefined) {
    tell(fault, "The checkout's script did not load, so there is nothing to show here.");
    return;
  }
  const checkout = new Kassa.Checkout({ checkoutKey, paymentId, containerId: 'checkout', language, theme });
  checkout.on('pay-initialized', (data) => {
    note('pay-initialized', data, 'A last look at the stock; then payment-order-finalized, true.');
    checkout.send('payment-order-finalized', true);
  });
  checkout.on('address-changed', (data) => {
    note('address-changed', data);
    if (shipping === 'true') void addShipping(checkout, (data as { countryCode: string }).countryCode);
  });
  checkout.on('payment-cancelled', (data) => note('payment-cancelled', data));
  checkout.on('payment-completed', (data) => {
    note('payment-completed', data, 'Done. Off behind the counter.');
    setTimeout(() => location.assign(`${demo}/orders/${paymentId}`), LEAVE_AFTER_MS);
  });
}

if (isAtHome()) open();
