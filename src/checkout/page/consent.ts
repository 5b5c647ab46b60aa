// The consent text above the button for subscriptions: who may charge the card again, how often, how much and until when.
// This text is recorded as the consent.
import type { SubscriptionKind } from '../../domain/agreement.ts';
import type { Language } from '../../pages/language.ts';
import { agreementOf, statedAmount, termsOf } from '../../domain/subscription.ts';
import type { Terms } from '../../domain/subscription.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { fillIn } from '../../../web/shared/fill-in.ts';
import { formatAmount, formatDate } from '../formats.ts';
import { checkoutTexts } from '../texts.ts';
import type { CheckoutView } from '../view.ts';

/** Kassa enforces the interval of scheduled subscriptions; for others only the shop knows the dates. */
export function howOften(
  kind: SubscriptionKind,
  { intervalDays = 0 }: Pick<Terms, 'intervalDays'>,
  language: Language,
): string {
  const texts = checkoutTexts(language).subscription;
  if (kind === 'unscheduled') return texts.unscheduled;
  if (intervalDays === 0) return texts.noInterval;
  return intervalDays === 1 ? texts.daily : fillIn(texts.everyDays, { days: intervalDays });
}

/** The shop is free to charge any amount, so an amount is shown as the shop's statement. */
export function howMuch(
  kind: SubscriptionKind,
  terms: Pick<Terms, 'amount' | 'currency' | 'allowVariableAmount'>,
  language: Language,
): string {
  const texts = checkoutTexts(language).subscription;
  const stated = statedAmount(kind, terms);
  if (stated === undefined) return texts.variableAmount;
  return fillIn(texts.amount, { amount: formatAmount(stated, terms.currency, language) });
}

function sentencesOf(view: CheckoutView): string[] {
  const { language, shopName: shop, payment } = view;
  const agreement = agreementOf(payment);
  if (agreement === undefined || agreement.role === 'renewal') return [];
  const texts = checkoutTexts(language).subscription;
  const { kind, role } = agreement;
  const terms = termsOf(payment, agreement);
  const { endsAt } = terms;
  return [
    fillIn(role === 'new' ? texts.agree : texts.replace, { shop }),
    howOften(kind, terms, language),
    howMuch(kind, terms, language),
    endsAt === undefined ? '' : fillIn(texts.until, { date: formatDate(endsAt, language) }),
    payment.order.amount === 0 ? texts.noMoneyNow : '',
    texts.canEnd,
  ].filter((sentence) => sentence !== '');
}

export function consentNotice(view: CheckoutView): Html | false {
  const sentences = sentencesOf(view);
  if (sentences.length === 0) return false;
  const { heading, replaceHeading } = checkoutTexts(view.language).subscription;
  return html`<div id="consent" class="consent">
    <strong>${agreementOf(view.payment)?.role === 'update' ? replaceHeading : heading}</strong>
    <ul>
      ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
    </ul>
  </div>`;
}
