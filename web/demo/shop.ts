// The cart of the demo shop: quantities, sums, and the way to the checkout. It is remembered for as long as the tab is
// open. Sums are shown here and made by the server.
import { isAtHome, post, tell } from './backend-client.ts';

type Catalogue = {
  readonly prices: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly locale: string;
  readonly coffee: Readonly<Record<string, number>>;
  readonly first: Readonly<Record<string, number>>;
  readonly most: number;
};
type Cart = Record<string, number>;

const KEPT_AS = 'kassa-demo-cart';

const find = <Kind extends HTMLElement>(selector: string): Kind | null => document.querySelector<Kind>(selector);
const catalogue = JSON.parse(find('#catalogue')?.textContent ?? '{}') as Catalogue;
const form = find<HTMLFormElement>('#cart');
const subscribing = find<HTMLFormElement>('#subscribe');
const currency = find<HTMLSelectElement>('#choice-currency');

function recall(): Cart {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? '') as Cart;
    const quantities = Object.keys(catalogue.prices).map((id) => [id, Number(kept[id]) || 0] as const);
    return Object.fromEntries(quantities.map(([id, count]) => [id, Math.min(Math.max(0, count), catalogue.most)]));
  } catch {
    return { ...catalogue.first };
  }
}

function remember(cart: Cart): void {
  try {
    sessionStorage.setItem(KEPT_AS, JSON.stringify(cart));
  } catch {
    // Without storage the cart lives as long as the page.
  }
}

const cart = recall();

function show(selector: string, text: string): void {
  const place = find(selector);
  // A live region speaks on every change, so nothing is written that is there already.
  if (place && place.textContent !== text) place.textContent = text;
}

function draw(): void {
  const code = currency?.value ?? 'SEK';
  const money = new Intl.NumberFormat(catalogue.locale, { style: 'currency', currency: code });
  const say = (amount: number): string => money.format(amount / 100);
  let total = 0;
  for (const [id, prices] of Object.entries(catalogue.prices)) {
    const count = cart[id] ?? 0;
    const price = prices[code] ?? 0;
    total += price * count;
    show(`[data-price=${id}]`, say(price));
    show(`[data-quantity=${id}]`, String(count));
    show(`[data-count=${id}]`, String(count));
    show(`[data-sum=${id}]`, say(price * count));
    find(`[data-line=${id}]`)?.toggleAttribute('hidden', count === 0);
    find(`[data-product=${id}][data-step='-1']`)?.toggleAttribute('disabled', count === 0);
    find(`[data-product=${id}][data-step='1']`)?.toggleAttribute('disabled', count >= catalogue.most);
  }
  show('[data-price=coffee]', say(catalogue.coffee[code] ?? 0));
  show('[data-tax]', say(total / 5));
  show('[data-total]', say(total));
  find('#cart-empty')?.toggleAttribute('hidden', total > 0);
  setBusy(form, total === 0);
  setBusy(subscribing, false);
}

function setBusy(which: HTMLFormElement | null, isBusy: boolean): void {
  for (const button of which?.querySelectorAll<HTMLButtonElement>('.buttons button') ?? []) button.disabled = isBusy;
}

function step(button: HTMLButtonElement): void {
  const { product = '', step: by = '0' } = button.dataset;
  cart[product] = Math.min(Math.max(0, (cart[product] ?? 0) + Number(by)), catalogue.most);
  remember(cart);
  draw();
  // A button that is off loses the focus; its neighbour takes it.
  if (button.disabled) button.parentElement?.querySelector<HTMLElement>('button:enabled')?.focus();
}

/** Makes the payment, and goes to where it is paid. `interval` is a subscription's, which has no cart. */
async function buy(mode: string, interval?: number): Promise<void> {
  const chosen = new FormData(form ?? undefined);
  const isChosen = (name: string): boolean => chosen.get(name) === 'on';
  const trouble = find(interval === undefined ? '#cart-error' : '#subscribe-error');
  for (const each of [form, subscribing]) setBusy(each, true);
  tell(trouble, '');
  try {
    const response = await post('/payments', {
      items: interval === undefined ? cart : {},
      ...(interval !== undefined && { interval }),
      mode,
      currency: chosen.get('currency'),
      language: chosen.get('language'),
      charge: isChosen('charge'),
      company: isChosen('company'),
      consumer: isChosen('consumer'),
      shipping: isChosen('shipping'),
    });
    const { paymentId, hostedPaymentPageUrl } = (await response.json()) as Record<string, string>;
    location.assign(hostedPaymentPageUrl ?? `${document.body.dataset['demo'] ?? ''}/checkout/${paymentId}`);
  } catch (error) {
    tell(trouble, (error as Error).message);
    draw();
  }
}

if (isAtHome()) {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-step]'))
    button.addEventListener('click', () => step(button));
  currency?.addEventListener('change', draw);
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    const { submitter } = event;
    void buy(submitter instanceof HTMLButtonElement ? submitter.value : 'embedded');
  });
  subscribing?.addEventListener('submit', (event) => {
    event.preventDefault();
    const { submitter } = event;
    const mode = submitter instanceof HTMLButtonElement ? submitter.value : 'embedded';
    void buy(mode, Number(new FormData(subscribing).get('interval')));
  });
  // Coming back by the back button finds the page as it was left: with its buttons off.
  addEventListener('pageshow', draw);
  draw();
} else for (const each of [form, subscribing]) setBusy(each, true);
