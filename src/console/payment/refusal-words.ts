// Why an act at the console could not be done, in plain words, and which field it is about. Exhaustive: a new refusal does
// not compile until it stands here.
import type { ItemExcess } from '../../domain/item.ts';
import type { Refusal } from '../../domain/refusal.ts';
import type { Language } from '../../pages/language.ts';
import { methodNameOf } from '../list/payment-text.ts';
import { showMoney } from '../page/money.ts';
import { showMoment } from '../page/time.ts';
import type { ConsoleTexts } from '../texts.ts';
import { consoleTexts, fill, wordOf } from '../texts.ts';

export type Words = { readonly message: string; readonly field?: 'amount' | 'items' | 'card' };

const amount = (message: string): Words => ({ message, field: 'amount' });
const items = (message: string): Words => ({ message, field: 'items' });

type Texts = ConsoleTexts['acts']['refusals'];

function excessWords(texts: Texts, excess: ItemExcess, of: 'order' | 'charge', show: (value: number) => string): Words {
  const { kind, reference } = excess;
  if (kind === 'unknown_reference') return items(fill(texts.noItem[of], { reference }));
  const left = kind === 'quantity' ? excess.left : show(Number(excess.left));
  return items(fill(texts.itemLeft[of], { reference, left }));
}

export function wordsOf(refusal: Refusal, currency: string, language: Language): Words {
  const texts = consoleTexts(language).acts.refusals;
  const show = (value: number): string => showMoney(value, currency, language);
  const at = (text: string, moment: number): Words => ({ message: fill(text, { time: showMoment(moment, language) }) });
  switch (refusal.name) {
    case 'payment_was_never_reserved':
      return { message: texts.neverReserved };
    case 'payment_has_expired':
      return at(texts.paymentExpired, refusal.at);
    case 'payment_is_terminated':
      return { message: texts.terminated };
    case 'payment_is_already_reserved':
      return { message: texts.alreadyPaid };
    case 'reservation_is_pending':
      return { message: texts.reservationPending };
    case 'reservation_has_expired':
      return at(texts.reservationExpired, refusal.at);
    case 'reservation_holds_no_money':
      return { message: texts.noMoney };
    case 'reservation_is_fully_charged':
      return { message: texts.allCharged };
    case 'reservation_is_fully_cancelled':
      return { message: texts.allCancelled };
    case 'charge_exceeds_what_is_left':
      return amount(fill(texts.moreThanCharge, { amount: show(refusal.amount), left: show(refusal.left) }));
    case 'cancel_exceeds_what_is_left':
      return amount(fill(texts.moreThanCancel, { amount: show(refusal.amount), left: show(refusal.left) }));
    case 'refund_exceeds_what_is_left':
      return amount(fill(texts.moreThanRefund, { amount: show(refusal.amount), left: show(refusal.left) }));
    case 'no_charge_has_that_much_left':
      return amount(fill(texts.noSuchCharge, { amount: show(refusal.amount) }));
    case 'payment_has_too_many_movements':
      return { message: fill(texts.tooManyMovements, { movements: refusal.movements }) };
    case 'payment_holds_too_many_lines':
    case 'payment_is_too_large':
    case 'order_is_too_large':
    case 'too_many_tax_rates':
      return items(texts.tooLarge);
    case 'item_is_not_left':
      return excessWords(texts, refusal.excess, refusal.of, show);
    case 'refund_is_completed':
      return { message: texts.refundCompleted };
    case 'refund_has_failed':
      return { message: texts.refundFailed };
    case 'refund_was_done_meanwhile':
      return { message: texts.refundDone };
    case 'method_is_not_offered':
      return { message: fill(texts.notOffered, { method: methodNameOf(refusal.method, language) }), field: 'card' };
    case 'amount_with_fee_is_out_of_range':
      return amount(fill(texts.feeOutOfRange, { method: methodNameOf(refusal.method, language) }));
    case 'outcome_is_unknown':
      return { message: texts.unknown[refusal.kind] };
    case 'acquirer_declined': {
      const reason = wordOf(consoleTexts(language).payment.declines, refusal.reason);
      return { message: fill(texts.declined[refusal.kind], { reason }) };
    }
  }
}
