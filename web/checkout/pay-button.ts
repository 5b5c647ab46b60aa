// The button, and why it cannot be pressed just now: a payment is under way, the shop holds the checkout, or the cost of
// shipping is not known yet. While a payment is under way nothing else of the form can be touched, and nobody can leave
// by the way back to the shop. The reasons are kept here, not in the page, because a swap of the page brings a new one.
import { byId, say } from './page-data.ts';
import type { TextName } from './page-data.ts';

type Reason = 'paying' | 'frozen' | 'shipping';

const TEXTS: Readonly<Record<Reason, TextName>> = {
  paying: 'paying',
  frozen: 'frozen',
  shipping: 'shippingCostWaiting',
};

const reasons = new Set<Reason>();
// The words of each button before a reason took their place.
const labels = new WeakMap<HTMLElement, readonly Node[]>();

// Who had the focus before the form was locked, and who is to have it once it is free.
let before: HTMLElement | undefined;
let wanted: HTMLElement | undefined;

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
  const isPaying = reasons.has('paying');
  const form = button.closest('form');
  form?.toggleAttribute('inert', reasons.has('frozen'));
  form?.setAttribute('aria-busy', String(reasons.has('frozen') || isPaying));
  // The sentence beside the button stays in reach: it is where a lost connection is told.
  for (const part of form?.querySelectorAll('.part, #cancel') ?? []) part.toggleAttribute('inert', isPaying);
  const language = byId('language');
  if (language instanceof HTMLSelectElement) language.disabled = isPaying;
}

export function hold(reason: Reason): void {
  const { activeElement } = document;
  if (reason === 'paying' && !isHeld(reason)) before = activeElement instanceof HTMLElement ? activeElement : undefined;
  reasons.add(reason);
  drawButton();
}

export function release(reason: Reason): void {
  if (!reasons.delete(reason)) return;
  drawButton();
  if (reason !== 'paying') return;
  if (wanted) wanted.focus();
  // Locked fields lose the focus, and those who use the keyboard must not.
  else if (before?.isConnected && document.activeElement === document.body) before.focus({ preventScroll: true });
  before = wanted = undefined;
}

/** Gives the focus to a field, now or as soon as the form is free again. */
export function focusWhenFree(field: HTMLElement | null | undefined): void {
  if (isHeld('paying')) wanted = field ?? undefined;
  else field?.focus();
}

/** The new total stands on the button, too. */
export function relabelButton(fresh: HTMLElement | null): void {
  const button = byId('pay');
  if (!button || !fresh) return;
  labels.set(button, [...document.importNode(fresh, true).childNodes]);
  drawButton();
}
