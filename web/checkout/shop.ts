// The talk with the shop's page around an embedded checkout. Only the page that frames this one is heard, and only while
// it is of the shop's origin; nobody else is told anything.
import { tidyPostalCode } from '../shared/postal-code.ts';
import { countryOf, valueOf } from './fields.ts';
import { announce } from './notice.ts';
import { byId, isEmbedded, isOpen, pageData, say } from './page-data.ts';
import { hold, isHeld, release } from './pay-button.ts';
import { pause } from './service.ts';
import { changeLanguage, swapOrder } from './replace-page.ts';
import { applyTheme } from './theme.ts';

const SHIPPING = 'consumer.shippingAddress';
// What the bank's page needs; a short checkout grows to it while the bank is asked.
const CHALLENGE_HEIGHT_PX = 680;
// A shop that was asked and says nothing must not hold the consumer for ever.
const SHOP_ANSWER_TIMEOUT_MS = 60_000;
// The shop's script answers at once; by then there is none.
const HELLO_TIMEOUT_MS = 1_500;

const isFramed = (): boolean => isEmbedded() && window.parent !== window;

let listens: readonly unknown[] = [];
let isGreeted = false;
let toldHeight = 0;
let toldAddress = '';
let isOutcomeTold = false;
let focused: Element | null = null;
let finalize: ((isTaken: boolean) => void) | undefined;
let isCancelAsked = false;

export function tellShop(type: string, data?: unknown): void {
  const origin = pageData()['shopOrigin'];
  if (isFramed() && origin) window.parent.postMessage({ kassa: 1, type, data }, origin);
}

/** The height of what is shown, so that the shop's frame has no bars of its own. */
export function tellHeight(): void {
  const content = Math.ceil(document.documentElement.getBoundingClientRect().height);
  const height = document.querySelector('dialog[open]') ? Math.max(content, CHALLENGE_HEIGHT_PX) : content;
  if (height === toldHeight) return;
  toldHeight = height;
  tellShop('height', height);
}

/** Tells a shop that counts shipping where the order goes, once it can be known and whenever it changes. */
export function tellAddress(): void {
  const countryCode = countryOf(SHIPPING);
  const postalCode = tidyPostalCode(countryCode, valueOf(`${SHIPPING}.postalCode`) ?? '');
  if (!isGreeted || !isOpen() || !countryCode || postalCode === undefined) return;
  const address = `${countryCode} ${postalCode}`;
  if (address === toldAddress) return;
  toldAddress = address;
  tellShop('address-changed', { countryCode, postalCode, paymentId: pageData()['paymentId'] });
}

/** Tells how the checkout ended. A shop that begins to listen later is told again. */
export function tellOutcome(state = pageData()['state']): void {
  const type = state === 'paid' ? 'payment-completed' : 'payment-cancelled';
  // The hello brings it up again.
  if (!isGreeted || isOutcomeTold || (state !== 'paid' && state !== 'terminated')) return;
  isOutcomeTold = listens.includes(type);
  tellShop(type, { paymentId: pageData()['paymentId'] });
}

/** Whether there is a shop that wants to be asked before a payment is made. */
export async function wantsToBeAsked(): Promise<boolean> {
  if (isFramed() && !isGreeted) await pause(HELLO_TIMEOUT_MS);
  return isFramed() && listens.includes('pay-initialized');
}

/** Asks it whether the payment may be made. */
export async function askShop(): Promise<boolean> {
  const answer = new Promise<boolean>((resolve) => {
    finalize = resolve;
  });
  tellShop('pay-initialized', pageData()['paymentId']);
  const isTaken = await Promise.race([answer, pause(SHOP_ANSWER_TIMEOUT_MS).then(() => false)]);
  finalize = undefined;
  return isTaken;
}

function freeze(): void {
  if (!isOpen() || isHeld('frozen')) return;
  focused = document.activeElement;
  hold('frozen');
  announce(say('frozen'));
}

async function thaw(): Promise<void> {
  if (isOpen()) await swapOrder();
  release('frozen');
  // Who was typing goes on typing.
  if (document.activeElement === document.body && focused instanceof HTMLElement)
    focused.focus({ preventScroll: true });
  focused = null;
}

function greet(data: { readonly listens?: unknown; readonly theme?: unknown }): void {
  isGreeted = true;
  listens = Array.isArray(data.listens) ? data.listens : [];
  if (data.theme !== undefined) applyTheme(data.theme);
  // A browser may not measure a frame that is out of sight, so its observer may have been silent.
  tellHeight();
  if (pageData()['shippingCostMissing'] === 'true' && !listens.includes('address-changed'))
    console.warn('Kassa: this payment waits for the cost of shipping, and nobody listens to address-changed.');
  tellAddress();
  tellOutcome();
}

function setLanguage(data: unknown): void {
  const language = String(data).slice(0, 35);
  if (!isHeld('paying') && /^[A-Za-z]{2}(?:[-_]|$)/.test(language)) void changeLanguage(language);
}

/** The shop takes its consumer away. What the service was already sent is not taken back: then that is told. */
function cancel(): void {
  isCancelAsked = true;
  finalize?.(false);
  const dialog = byId('challenge');
  if (dialog instanceof HTMLDialogElement && dialog.open) dialog.close();
  tellCancelled();
}

/** To be called when nothing of a payment is under way any more. */
export function tellCancelled(): void {
  if (!isCancelAsked || isHeld('paying')) return;
  isCancelAsked = false;
  if (isOpen()) tellShop('payment-cancelled', { paymentId: pageData()['paymentId'] });
}

function hear({ origin, source, data: message }: MessageEvent): void {
  if (source !== window.parent || origin !== pageData()['shopOrigin']) return;
  const { kassa, type, data } = Object(message) as {
    readonly kassa?: unknown;
    readonly type?: unknown;
    readonly data?: unknown;
  };
  if (kassa !== 1) return;
  if (type === 'hello') greet(Object(data) as object);
  else if (type === 'freeze') freeze();
  else if (type === 'thaw') void thaw();
  else if (type === 'theme') applyTheme(data);
  else if (type === 'language') setLanguage(data);
  else if (type === 'payment-order-finalized') finalize?.(data === true);
  else if (type === 'cancel') cancel();
}

export function startShop(): void {
  if (!isFramed()) return;
  window.addEventListener('message', hear);
  new ResizeObserver(tellHeight).observe(document.documentElement);
  tellShop('ready');
}
