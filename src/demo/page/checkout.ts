// The shop's page that holds the embedded checkout, and beside it what such a page hears: the events of the checkout's
// script, as they come.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { codeBlock } from '../../docs/reference/code.ts';
import { docsUrl, moduleScript, renderFrame } from './frame.ts';
import type { Place } from './frame.ts';

export type CheckoutPage = {
  readonly paymentId: string;
  readonly checkoutKey: string;
  readonly language: string;
  readonly addsShipping: boolean;
};

const addingShipping = (address: string): string => `
checkout.on('address-changed', async ({ countryCode }) => {
  checkout.freezeCheckout();
  try {
    await fetch('${address}', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ countryCode }),
    });
  } finally {
    checkout.thawCheckout();
  }
});`;

/** What the script of the page does, without what it writes down of it. */
const snippet = (demo: string, { checkoutKey, paymentId, language, addsShipping }: CheckoutPage): string =>
  `const checkout = new Kassa.Checkout({
  checkoutKey: '${checkoutKey}',
  paymentId: '${paymentId}',
  containerId: 'checkout',
  language: '${language}',
  theme: { colorScheme: 'auto' },
});
checkout.on('pay-initialized', () => {
  checkout.send('payment-order-finalized', true);
});${addsShipping ? addingShipping(`${demo}/checkout/${paymentId}/shipping`) : ''}
checkout.on('payment-completed', () => {
  location.assign('${demo}/orders/${paymentId}');
});`;

const aside = (place: Place, page: CheckoutPage): Html =>
  html`<aside class="hears panel" aria-labelledby="hears-title">
    <h2 id="hears-title">What this page hears</h2>
    <ol class="heard" id="heard" aria-live="polite">
      <li class="waiting">Nothing yet. Fill in the checkout, and watch.</li>
    </ol>
    <details>
      <summary>The script of this page</summary>
      ${codeBlock('In the head', `<script src="${place.publicUrl}/v1/checkout.js" defer></script>`)}
      ${codeBlock('In the browser', snippet(`${place.root}/demo`, page))}
      <p>Besides, it lists what it hears, and waits a moment before it leaves.</p>
      <p>
        The <code>paymentId</code> came from the shop's backend, which made the payment with
        <a href="${docsUrl(place, 'createPayment')}">POST /v1/payments</a>.
      </p>
    </details>
    <p><a href="${place.root}/demo/orders/${page.paymentId}">Look behind the counter</a></p>
  </aside>`;

export function renderCheckout(place: Place, page: CheckoutPage): string {
  const main = html`<div class="head">
      <h1>Checkout</h1>
      <p><a href="${place.root}/demo">Back to the shop</a></p>
    </div>
    <div class="desk">
      <section class="holder" aria-label="Checkout">
        <p class="error" id="checkout-error" role="alert" hidden></p>
        <noscript><p class="error">The embedded checkout needs JavaScript.</p></noscript>
        <div id="checkout"></div>
      </section>
      ${aside(place, page)}
    </div>`;
  return renderFrame(place, {
    title: 'Checkout, Kvarter',
    kind: 'checkout',
    main,
    path: `/checkout/${page.paymentId}`,
    scripts: [
      html`<script src="${place.publicUrl}/v1/checkout.js" defer></script>`,
      moduleScript(place, 'checkout-page.js'),
    ],
    data: {
      'payment-id': page.paymentId,
      'checkout-key': page.checkoutKey,
      language: page.language,
      shipping: String(page.addsShipping),
    },
  });
}
