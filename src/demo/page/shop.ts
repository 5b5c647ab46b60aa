// The shop: three products, coffee by subscription, a cart, and two ways to the checkout. Everything is drawn here, the
// empty lines of the cart included; the script only fills in numbers.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { COFFEE, CURRENCIES, LOCALE, MOST_OF_ONE, PRODUCTS, showMoney } from '../catalogue.ts';
import type { Product } from '../catalogue.ts';
import { CHECKOUT_LANGUAGES } from '../scenario.ts';
import { coffeeForm } from './coffee.ts';
import { moduleScript, renderFrame } from './frame.ts';
import type { Place } from './frame.ts';
import { PICTURES } from './pictures.ts';

// A newcomer can go to the checkout at once.
const FIRST_CART: Readonly<Record<string, number>> = { mug: 1 };
const FIRST_CURRENCY = 'SEK';
// A card that is always approved, so that the first try works.
const FIRST_CARD = '4925 0000 0000 0004';
// Swedish numbers for an invoice, of nobody.
const APPROVED_NUMBER = '19121212-1212';
const DECLINED_NUMBER = '440424-1111';

const quantityOf = ({ id }: Product): number => FIRST_CART[id] ?? 0;
const nameOf = ({ name, kind }: Product): string => `${name} ${kind}`;

function stepper(product: Product): Html {
  const quantity = quantityOf(product);
  const name = nameOf(product);
  return html`<div class="stepper" role="group" aria-label="How many of ${name}">
    <button type="button" data-step="-1" data-product="${product.id}" aria-label="One ${name} less">−</button>
    <output data-quantity="${product.id}" aria-live="polite">${quantity}</output>
    <button type="button" data-step="1" data-product="${product.id}" aria-label="One ${name} more">+</button>
  </div>`;
}

const productCard = (product: Product): Html =>
  html`<li class="product">
    <div class="picture ${product.id}">${PICTURES[product.id]}</div>
    <div class="about">
      <h2>${product.name} <span>${product.kind}</span></h2>
      <p>${product.what}</p>
      <div class="buy">
        <strong data-price="${product.id}">${showMoney(product.prices[FIRST_CURRENCY], FIRST_CURRENCY)}</strong>
        ${stepper(product)}
      </div>
    </div>
  </li>`;

const cartLine = (product: Product): Html =>
  html`<li data-line="${product.id}" ${quantityOf(product) === 0 && html` hidden`}>
    <span><span data-count="${product.id}">${quantityOf(product)}</span> × ${nameOf(product)}</span>
    <span data-sum="${product.id}">${showMoney(product.prices[FIRST_CURRENCY], FIRST_CURRENCY)}</span>
  </li>`;

const OPTIONS = [
  ['charge', 'Charge at once', 'The money is taken when the consumer pays, and not when you ship.'],
  ['company', 'Sell to companies, too', 'The consumer chooses between private person and company.'],
  ['consumer', 'The shop knows the consumer', 'Name and address come with the order; the checkout does not ask.'],
  [
    'shipping',
    'The shop adds shipping',
    'Once it knows the address, it adds the cost to the cart. Checkout here only.',
  ],
] as const;

const optionField = ([name, title, what]: (typeof OPTIONS)[number]): Html =>
  html`<div class="option">
    <input type="checkbox" id="option-${name}" name="${name}" aria-describedby="option-${name}-what" />
    <div>
      <label for="option-${name}">${title}</label>
      <p id="option-${name}-what">${what}</p>
    </div>
  </div>`;

const select = (name: string, label: string, choices: readonly (readonly [string, string])[]): Html =>
  html`<div class="choice">
    <label for="choice-${name}">${label}</label>
    <select id="choice-${name}" name="${name}">
      ${choices.map(([value, text]) => html`<option value="${value}">${text}</option>`)}
    </select>
  </div>`;

function cart(): Html {
  const total = PRODUCTS.reduce((sum, product) => sum + product.prices[FIRST_CURRENCY] * quantityOf(product), 0);
  return html`<form class="cart panel" id="cart" aria-labelledby="cart-title">
    <div class="cart-head">
      <h2 id="cart-title">Your cart</h2>
      ${select(
        'currency',
        'Currency',
        CURRENCIES.map((code) => [code, code] as const),
      )}
    </div>
    <ul class="lines">
      ${PRODUCTS.map(cartLine)}
      <li class="empty" id="cart-empty" hidden>Nothing in it yet.</li>
    </ul>
    <dl class="sums">
      <div>
        <dt>of which tax, 25 %</dt>
        <dd data-tax>${showMoney(total / 5, FIRST_CURRENCY)}</dd>
      </div>
      <div class="total">
        <dt>Total</dt>
        <dd data-total aria-live="polite">${showMoney(total, FIRST_CURRENCY)}</dd>
      </div>
    </dl>
    <div class="buttons">
      <button class="primary" type="submit" name="mode" value="embedded">Checkout here</button>
      <button class="second" type="submit" name="mode" value="hosted">Checkout on its own page</button>
    </div>
    <p class="error" id="cart-error" role="alert" hidden></p>
    <noscript><p class="error">The shop needs JavaScript to fill its cart.</p></noscript>
    <p class="hint">
      Pay with the test card <code class="card">${FIRST_CARD}</code>, any later date, any three digits. Or by invoice in
      Sweden: <code class="card">${APPROVED_NUMBER}</code> is approved,
      <code class="card">${DECLINED_NUMBER}</code> declined.
    </p>
    <p class="hint">The checkout calls the shop Sandbox: that is the name of the test merchant it sells for.</p>
    <details class="options">
      <summary>Options for the curious</summary>
      ${select('language', 'Language of the checkout', Object.entries(CHECKOUT_LANGUAGES))} ${OPTIONS.map(optionField)}
    </details>
  </form>`;
}

const STEPS = [
  ['Choose', 'Something small is in your cart already.'],
  ['Pay', 'In this page or on one of its own, by card or invoice.'],
  ['Look behind the counter', 'Every API call, the events, and the buttons to charge and refund.'],
] as const;

// What the script needs to know of the products; a block of data, which no browser runs.
const CATALOGUE = JSON.stringify({
  prices: Object.fromEntries(PRODUCTS.map(({ id, prices }) => [id, prices])),
  coffee: COFFEE.prices,
  locale: LOCALE,
  first: FIRST_CART,
  most: MOST_OF_ONE,
}).replaceAll('<', String.raw`\u003c`);

export function renderShop(place: Place, hasLeftCheckout: boolean): string {
  const left = html`<p class="notice" role="status">
    You left the checkout. Nothing was paid, and your cart is still here.
  </p>`;
  const main = html`${hasLeftCheckout && left}
    <div class="hero">
      <h1>Buy something. Then look behind the counter.</h1>
      <p>A small shop on this very Kassa. The goods are made up; the checkout and every API call are real.</p>
    </div>
    <div class="floor">
      <div class="shelves">
        <ul class="products">
          ${PRODUCTS.map(productCard)}
        </ul>
        ${coffeeForm(FIRST_CURRENCY)}
      </div>
      ${cart()}
      <ol class="steps">
        ${STEPS.map(
          ([title, what]) =>
            html`<li>
              <strong>${title}</strong>
              <p>${what}</p>
            </li>`,
        )}
      </ol>
    </div>
    <script type="application/json" id="catalogue">
      ${{ html: CATALOGUE }}
    </script>`;
  return renderFrame(place, {
    title: 'Kvarter, the demo shop of Kassa',
    kind: 'shop',
    main,
    scripts: [moduleScript(place, 'shop.js')],
  });
}
