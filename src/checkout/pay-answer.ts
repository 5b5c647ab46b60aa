// What the consumer's side is told of a try to pay. A decline is generic, so that a thief who tries out cards learns
// nothing from it; but for two reasons that an honest consumer can mend, told to the first few tries alone. The merchant's
// side gets every reason, in the payment's events and in the log.
import { answerWith, NO_CONTENT } from '../server/answer.ts';
import type { Answer } from '../server/answer.ts';
import type { PayOutcome, Unpaid } from '../payments/pay.ts';
import { challengeUrlOf } from './state.ts';
import type { CheckoutContext } from './context.ts';

type Told = { readonly status: number; readonly code: string; readonly message: string };

const UNPAID: Record<Unpaid | 'not_available', Told> = {
  declined: { status: 402, code: '1022', message: 'The payment was declined. Nothing was charged.' },
  challenge_over: { status: 402, code: '1022', message: "The bank's check was not finished. Nothing was charged." },
  already_paid: { status: 409, code: '1004', message: 'The payment is paid already.' },
  payment_pending: { status: 409, code: '1004', message: 'The payment is being processed; ask for it in a moment.' },
  amount_changed: { status: 409, code: '1000', message: 'The total is another one than was confirmed.' },
  shipping_cost_missing: { status: 409, code: '1021', message: 'The shop has yet to add the cost of shipping.' },
  expired: { status: 410, code: '1010', message: 'The payment expired.' },
  terminated: { status: 410, code: '1000', message: 'The payment was closed by the shop.' },
  too_many_attempts: { status: 429, code: '1000', message: 'Too many tries; wait ten minutes.' },
  not_available: { status: 403, code: '1000', message: 'This shop cannot take payments on this page.' },
};

export function answerUnpaid(reason: keyof typeof UNPAID, more: object = {}): Answer {
  const { status, code, message } = UNPAID[reason];
  return answerWith(status, { message, code, source: 'internal', reason, ...more });
}

/** What the consumer can mend, by the code that the bank of the card gave (ISO 8583). */
const HINTS: ReadonlyMap<string | undefined, 'cvc' | 'expiry'> = new Map([
  ['82', 'cvc'],
  ['33', 'expiry'],
  ['54', 'expiry'],
]);
// Who mistypes does so once or twice. A code has a thousand values, and whoever guesses at one opens a payment after the
// other: so the tries of the address count as well as those of the payment.
const HINTED_TRIES = 3;
const HINTED_TRIES_OF_ADDRESS = 5;

/** How often somebody has failed by now, this time included. */
export type Tries = { readonly ofPayment: number; readonly ofAddress: number };

function hintFor(issuerCode: string | undefined, { ofPayment, ofAddress }: Tries): { readonly hint?: string } {
  const hint = HINTS.get(issuerCode);
  const isEarly = ofPayment <= HINTED_TRIES && ofAddress <= HINTED_TRIES_OF_ADDRESS;
  return hint !== undefined && isEarly ? { hint } : {};
}

/** Without `tries` nobody is there who could mend anything. */
export function answerPay(context: CheckoutContext, paymentId: string, outcome: PayOutcome, tries?: Tries): Answer {
  if (outcome.kind === 'paid') return answerWith(201, { paymentId });
  if (outcome.kind === 'noted') return NO_CONTENT;
  if (outcome.kind === 'challenge') return answerWith(202, { redirectUrl: challengeUrlOf(context, outcome.session) });
  return answerUnpaid(outcome.kind, outcome.kind === 'declined' && tries ? hintFor(outcome.issuerCode, tries) : {});
}

/** An explanation for people who type a real card into a sandbox. */
export const NOT_A_TEST_CARD: Answer = answerWith(400, {
  errors: {
    'paymentType.card.cardNumber': [
      'must be one of the published test cards: this is a sandbox, and a real card is neither taken nor kept',
    ],
  },
  reason: 'not_a_test_card',
});
