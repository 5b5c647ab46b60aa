// The table that turns a refusal into status, code and text. It is exhaustive: a new refusal does not compile until it
// is listed here. `errorsOf` is a 400. The dialect nexi answers a few differently (nexi.ts), and a create that is too
// large is reported as a bad field by its route.
import { DECLINE_CODES, declineText } from '../../domain/decline.ts';
import type { ItemExcess } from '../../domain/item.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Refusal } from '../../domain/refusal.ts';
import { isoTime } from '../../domain/time.ts';
import type { Answer } from '../../server/answer.ts';
import { hostedPageUrl } from './dialect.ts';
import { errorsOf, failure } from '../../server/answer.ts';
import type { OperationName, PresentationContext } from './dialect.ts';

/** Charging what cannot be charged is 402, everything else that the state forbids is 405. */
const statusOf = (operation: OperationName): number => (operation === 'charge' ? 402 : 405);

function whatToDoNext(payment: Payment, presentation: PresentationContext): string {
  const { merchant, publicUrl } = presentation;
  if (merchant.live) return '';
  const page = hostedPageUrl(payment.id, presentation);
  const call = `POST ${publicUrl}/v1/sandbox/payments/${payment.id}/reserve`;
  return ` Pay it at ${page}, or reserve it with ${call}.`;
}

function itemProblem(excess: ItemExcess, of: 'order' | 'charge'): Answer {
  const line = `orderItems[${excess.index}]`;
  // A reference that could be a card number is neither repeated nor kept.
  const name = /(?:\d[ -]?){13}/.test(excess.reference) ? '' : ` ${JSON.stringify(excess.reference)}`;
  if (excess.kind === 'unknown_reference')
    return errorsOf([
      { field: `${line}.reference`, text: `the ${of} has no item with reference${name || ' like this'}` },
    ]);
  const field = `${line}.${excess.kind === 'quantity' ? 'quantity' : 'grossTotalAmount'}`;
  const text = `item${name} asks for ${excess.asked}, but only ${excess.left} is left of it in the ${of}`;
  return errorsOf([{ field, text }]);
}

function describeCharges(charges: readonly { chargeId: string; left: number }[]): string {
  if (charges.length === 0) return 'nothing was charged yet';
  return charges.map(({ chargeId, left }) => `charge ${chargeId} has ${left} left`).join(', ');
}

type Named<Name extends Refusal['name']> = Extract<Refusal, { name: Name }>;

export const describeTooLarge = ({ bytes, most }: Named<'order_is_too_large'>): string =>
  `are with the consumer and the checkout ${bytes} bytes as JSON; ${most} are the most`;

export const describeRates = ({ rates, most }: Named<'too_many_tax_rates'>): string =>
  `have ${rates} different tax rates; ${most} are the most`;

export const describeFee = ({ method, amount, most }: Named<'amount_with_fee_is_out_of_range'>): string =>
  `the fee of ${method} makes the amount ${amount}; it must be from 1 to ${most}`;

export const describeNotOffered = ({ method, offered }: Named<'method_is_not_offered'>): string =>
  `this payment does not offer ${method}; it offers ${offered.join(', ')}`;

const howToLearn = (hasKey: boolean): string =>
  hasKey
    ? 'the acquirer has not told it yet. The same Idempotency-Key will give the result; so will reading the payment.'
    : 'the acquirer has not told it yet. Read the payment to learn it.';

function declined(refusal: Named<'acquirer_declined'>): Answer {
  const { kind, reason, acquirer } = refusal;
  const text = declineText(kind, reason);
  if (kind === 'refund') return errorsOf([{ field: 'refund', text }]);
  return failure(kind === 'cancel' ? 405 : 402, DECLINE_CODES[kind], text, acquirer);
}

export function presentRefusal(
  refusal: Refusal,
  operation: OperationName,
  payment: Payment,
  presentation: PresentationContext,
): Answer {
  const status = statusOf(operation);
  switch (refusal.name) {
    case 'payment_was_never_reserved':
      return failure(status, '1003', `The payment is not reserved.${whatToDoNext(payment, presentation)}`);
    case 'payment_has_expired':
      return failure(status, '1010', `The payment expired at ${isoTime(refusal.at)} without being paid.`);
    case 'payment_is_terminated':
      return failure(
        status,
        operation === 'charge' || operation === 'cancel' ? '1003' : '1000',
        'The payment is terminated.',
      );
    case 'payment_is_already_reserved':
      return failure(status, '1004', 'The payment is already reserved.');
    case 'reservation_is_pending': {
      const text = 'The reservation of the payment is under way; its outcome is not known yet.';
      // It may still fail, and then the payment can be terminated.
      if (operation === 'terminate') return failure(409, '1000', text);
      return failure(status, operation === 'charge' || operation === 'cancel' ? '1003' : '1004', text);
    }
    case 'reservation_has_expired':
      return failure(status, '1010', `The reservation expired at ${isoTime(refusal.at)}.`);
    case 'reservation_holds_no_money':
      return failure(status, '1003', 'The order is of 0: it registered a card, and there is no money to cancel.');
    case 'reservation_is_fully_charged':
      return failure(status, '1008', 'Nothing is left to cancel: the reservation is charged.');
    case 'reservation_is_fully_cancelled':
      return failure(status, '1019', 'The payment is cancelled in full.');
    case 'charge_exceeds_what_is_left':
      return failure(
        status,
        '1001',
        `The charge of ${refusal.amount} is more than the ${refusal.left} left to charge.`,
      );
    case 'cancel_exceeds_what_is_left': {
      const text = `the cancel of ${refusal.amount} is more than the ${refusal.left} left to cancel`;
      return errorsOf([{ field: 'amount', text }]);
    }
    case 'refund_exceeds_what_is_left': {
      const text = `the refund of ${refusal.amount} is more than the ${refusal.left} left of the charge`;
      return errorsOf([{ field: 'amount', text }]);
    }
    case 'no_charge_has_that_much_left': {
      const text = `no charge has ${refusal.amount} left: ${describeCharges(refusal.charges)}`;
      return errorsOf([{ field: 'amount', text }]);
    }
    case 'payment_has_too_many_movements': {
      const kept = refusal.isOneKept ? ', and one is kept for the cancel of what a final charge leaves' : '';
      const text = `the payment has ${refusal.movements} movements already; ${refusal.most} are the most${kept}`;
      return errorsOf([{ field: 'amount', text }]);
    }
    case 'payment_holds_too_many_lines': {
      const text = `the movements of this payment hold ${refusal.lines} lines already; ${refusal.most} are the most: name fewer items, or none`;
      return errorsOf([{ field: 'orderItems', text }]);
    }
    case 'payment_is_too_large': {
      const text = `with these items the payment would hold ${refusal.bytes} bytes; ${refusal.most} are the most: name fewer items, or none`;
      return errorsOf([{ field: 'orderItems', text }]);
    }
    case 'order_is_too_large':
      return errorsOf([{ field: 'items', text: describeTooLarge(refusal) }]);
    case 'too_many_tax_rates': {
      const text = `with these items the items of the payment ${describeRates(refusal)}: name others, or none`;
      return errorsOf([{ field: 'orderItems', text }]);
    }
    case 'refund_is_completed':
      return failure(status, '1023', 'The refund is completed, so it cannot be cancelled any more.');
    case 'refund_has_failed':
      return failure(status, '1014', 'The refund has failed, so there is nothing to cancel.');
    case 'refund_was_done_meanwhile':
      return failure(status, '1025', 'It is too late to cancel the refund: the acquirer has carried it out meanwhile.');
    case 'method_is_not_offered': {
      const field = refusal.paymentType === 'CARD' ? 'card' : 'paymentType';
      return errorsOf([{ field, text: describeNotOffered(refusal) }]);
    }
    case 'amount_with_fee_is_out_of_range':
      return errorsOf([{ field: 'paymentMethods', text: describeFee(refusal) }]);
    case 'item_is_not_left':
      return itemProblem(refusal.excess, refusal.of);
    case 'outcome_is_unknown':
      return failure(
        500,
        '1000',
        `The outcome of the ${refusal.kind} is being determined: ${howToLearn(refusal.hasKey)}`,
      );
    case 'acquirer_declined':
      return declined(refusal);
  }
}
