// Changes of a payment that moved no money, as an entry of its timeline: what it was, what it is, and who did it.
import type { Payment } from '../../domain/payment.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import type { PaymentChange } from '../../store/payments/payment-changes.ts';
import { showMoney } from '../page/money.ts';
import { consoleTexts, sayCount } from '../texts.ts';
import type { Doers } from './attribution.ts';
import type { Entry } from './timeline.ts';

const arrow = (before: string, after: string): Html =>
  html`${before} <span aria-hidden="true">→</span> <strong>${after}</strong>`;

function renderCart({ before, after }: PaymentChange, { order }: Payment, language: Language): Html {
  const { items } = consoleTexts(language).history;
  const show = (values: PaymentChange['before']): string =>
    `${showMoney(Number(values['amount']), order.currency, language)}, ${sayCount(items, Number(values['items']), language)}`;
  return html`<p>${arrow(show(before), show(after))}</p>`;
}

function renderReferences({ before, after }: PaymentChange, language: Language): Html {
  const { names, none } = consoleTexts(language).history;
  const show = (value: unknown): string => (typeof value === 'string' ? value : none);
  const shown = (Object.keys(names) as (keyof typeof names)[]).filter((name) => Object.hasOwn(after, name));
  return html`${shown.map((name) => html`<p>${names[name]}: ${arrow(show(before[name]), show(after[name]))}</p>`)}`;
}

/** Of what is no termination: of those the timeline tells by itself. */
export function entryOfChange(payment: Payment, change: PaymentChange, doers: Doers, language: Language): Entry {
  const texts = consoleTexts(language).history;
  const isCart = change.kind === 'cart';
  const body = isCart ? renderCart(change, payment, language) : renderReferences(change, language);
  return {
    at: change.at,
    tone: 'neutral',
    title: isCart ? texts.cart : texts.reference,
    body: html`${body}
      <p class="hint">${doers.ofChange(change)}</p>`,
  };
}
