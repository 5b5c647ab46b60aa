// What the consumer agrees to beyond this payment, in clear words above the button: who may charge the card again, how
// often, how much and until when. What stands here is what is kept as their consent.
import { agreementOf } from '../../domain/subscription.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { fillIn } from '../languages/fill-in.ts';
import { formatAmount, formatDate } from '../languages/language.ts';
import { SUBSCRIPTION_TEXTS } from '../languages/subscription-texts.ts';
import type { CheckoutView } from '../view.ts';

function sentencesOf(view: CheckoutView): string[] {
  const { language, shopName: shop, payment } = view;
  const agreement = agreementOf(payment);
  if (agreement === undefined || agreement.role === 'renewal') return [];
  const texts = SUBSCRIPTION_TEXTS[language];
  const { kind, role, intervalDays = 0, endsAt, allowVariableAmount } = agreement;
  const { amount, currency } = payment.order;
  const isFixed = kind === 'scheduled' && amount > 0 && allowVariableAmount !== true;
  const sentences = [fillIn(role === 'new' ? texts.agree : texts.replace, { shop })];
  if (kind === 'unscheduled') sentences.push(texts.unscheduled);
  if (intervalDays > 0)
    sentences.push(intervalDays === 1 ? texts.daily : fillIn(texts.everyDays, { days: intervalDays }));
  sentences.push(
    isFixed ? fillIn(texts.amount, { amount: formatAmount(amount, currency, language) }) : texts.variableAmount,
  );
  if (endsAt !== undefined) sentences.push(fillIn(texts.until, { date: formatDate(endsAt, language) }));
  if (amount === 0) sentences.push(texts.noMoneyNow);
  sentences.push(texts.canEnd);
  return sentences;
}

export function consentNotice(view: CheckoutView): Html | false {
  const sentences = sentencesOf(view);
  if (sentences.length === 0) return false;
  return html`<div id="consent" class="consent">
    <strong>${SUBSCRIPTION_TEXTS[view.language].heading}</strong>
    <ul>
      ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
    </ul>
  </div>`;
}
