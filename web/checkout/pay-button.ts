// The button, and why it cannot be pressed just now: a payment is under way, the shop holds the checkout, or the cost of
// shipping is not known yet. The reasons are kept here, not in the page, because a swap of the page brings a new button.
import type { ScriptTexts } from '../../src/checkout/languages/catalogue.ts';
import { byId, say } from './page-data.ts';

type Reason = 'paying' | 'frozen' | 'shipping';

const TEXTS: Readonly<Record<Reason, keyof ScriptTexts & ('paying' | 'frozen' | 'shippingCostWaiting')>> = {
  paying: 'paying',
  frozen: 'frozen',
  shipping: 'shippingCostWaiting',
};

const reasons = new Set<Reason>();
// The words of each button before a reason took their place.
const labels = new WeakMap<HTMLElement, readonly Node[]>();

export const isHeld = (reason?: Reason): boolean => (reason ? reasons.has(reason) : reasons.size > 0);

export function drawButton(): void {
  const button = byId('pay');
  if (!(button instanceof HTMLButtonElement)) return;
  const label = labels.get(button) ?? [...button.childNodes];
  labels.set(button, label);
  const [reason] = reasons;
  button.disabled = reason !== undefined;
  if (reason === undefined) {
    button.removeAttribute('aria-busy');
    button.replaceChildren(...label);
  } else {
    button.setAttribute('aria-busy', 'true');
    button.textContent = say(TEXTS[reason]);
  }
  const form = button.closest('form');
  form?.toggleAttribute('inert', reasons.has('frozen'));
  form?.setAttribute('aria-busy', String(reasons.has('frozen') || reasons.has('paying')));
  const language = byId('language');
  if (language instanceof HTMLSelectElement) language.disabled = reasons.has('paying');
}

export function hold(reason: Reason): void {
  reasons.add(reason);
  drawButton();
}

export function release(reason: Reason): void {
  if (reasons.delete(reason)) drawButton();
}

/** The new total stands on the button, too. */
export function relabelButton(fresh: HTMLElement | null): void {
  const button = byId('pay');
  if (!button || !fresh) return;
  labels.set(button, [...document.importNode(fresh, true).childNodes]);
  drawButton();
}
