// Why an act at the console could not be done, in plain words, and which field it is about. Exhaustive: a new refusal does
// not compile until it stands here.
import { showAmount } from '../../domain/currency.ts';
import { declineText } from '../../domain/decline.ts';
import type { ItemExcess } from '../../domain/item.ts';
import type { Refusal } from '../../domain/refusal.ts';

export type Words = { readonly message: string; readonly field?: 'amount' | 'items' | 'card' };

const amount = (message: string): Words => ({ message, field: 'amount' });
const items = (message: string): Words => ({ message, field: 'items' });

function excessWords(excess: ItemExcess, of: 'order' | 'charge', currency: string): Words {
  const { kind, reference } = excess;
  if (kind === 'unknown_reference') return items(`The ${of} has no item ${reference}.`);
  const left = kind === 'quantity' ? excess.left : showAmount(Number(excess.left), currency);
  return items(`Of ${reference} only ${left} is left in the ${of}.`);
}

const onDay = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

export function wordsOf(refusal: Refusal, currency: string): Words {
  const show = (value: number): string => showAmount(value, currency);
  switch (refusal.name) {
    case 'payment_was_never_reserved':
      return { message: 'Nobody has paid yet, so there is nothing reserved.' };
    case 'payment_has_expired':
      return { message: `The payment expired at ${onDay(refusal.at)} UTC without being paid.` };
    case 'payment_is_terminated':
      return { message: 'The payment is terminated.' };
    case 'payment_is_already_reserved':
      return { message: 'The payment is paid already.' };
    case 'reservation_is_pending':
      return { message: 'The reservation is under way, and its outcome is not known yet. Try again in a moment.' };
    case 'reservation_has_expired':
      return { message: `The reservation expired at ${onDay(refusal.at)} UTC.` };
    case 'reservation_holds_no_money':
      return { message: 'The payment has saved a card and holds no money.' };
    case 'reservation_is_fully_charged':
      return { message: 'All of it is charged, so nothing is left to cancel.' };
    case 'reservation_is_fully_cancelled':
      return { message: 'All of it is cancelled already.' };
    case 'charge_exceeds_what_is_left':
      return amount(`${show(refusal.amount)} is more than the ${show(refusal.left)} left to charge.`);
    case 'cancel_exceeds_what_is_left':
      return amount(`${show(refusal.amount)} is more than the ${show(refusal.left)} left to cancel.`);
    case 'refund_exceeds_what_is_left':
      return amount(`${show(refusal.amount)} is more than the ${show(refusal.left)} left to refund.`);
    case 'no_charge_has_that_much_left':
      return amount(`No charge has ${show(refusal.amount)} left to refund.`);
    case 'payment_has_too_many_movements':
      return { message: `The payment has ${refusal.movements} movements, and can have no more.` };
    case 'payment_holds_too_many_lines':
    case 'payment_is_too_large':
    case 'order_is_too_large':
    case 'too_many_tax_rates':
      return items('With these items the payment would hold too much. Name fewer items, or move an amount.');
    case 'item_is_not_left':
      return excessWords(refusal.excess, refusal.of, currency);
    case 'refund_is_completed':
      return { message: 'The refund is completed, so it cannot be cancelled any more.' };
    case 'refund_has_failed':
      return { message: 'The refund has failed, so there is nothing to cancel.' };
    case 'refund_was_done_meanwhile':
      return { message: 'It is too late: the acquirer has carried the refund out meanwhile.' };
    case 'method_is_not_offered':
      return { message: `This payment does not offer ${refusal.method}.`, field: 'card' };
    case 'amount_with_fee_is_out_of_range':
      return amount(`With the fee of ${refusal.method} the amount is out of range.`);
    case 'outcome_is_unknown':
      return { message: `The acquirer has not said yet what came of the ${refusal.kind}.` };
    case 'acquirer_declined':
      return { message: declineText(refusal.kind, refusal.reason) };
  }
}
