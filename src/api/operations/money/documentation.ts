// The documentation of the operations that move money, and of those that read what was moved.
import { failure } from '../../../server/answer.ts';
import { nexi } from '../../dialects/nexi.ts';
import { spec } from '../../dialects/spec.ts';
import { NO_CODE } from '../../../server/errors.ts';
import { NOT_OPEN } from './sandbox-settle.ts';
import { Charge, ChargeCreated, Refund, RefundCreated, ReservationCreated } from './schema.ts';
import { BAD_ID, BODY_MISSING, bodyOf, problem, problemInNexi, refusedFor } from '../../openapi/operation.ts';
import type { OperationDoc } from '../../openapi/operation.ts';
import {
  charged,
  chargeMade,
  created,
  onePair,
  presentation,
  refunded,
  refundMade,
  reservationId,
  reserved,
} from '../story.ts';

const EXPIRES_AT = Date.UTC(2026, 2, 24, 8, 31, 46, 345);
const acquirer = 'simulator';
const reason = 'declined by the issuer';

const NEVER_RESERVED = ['The consumer has not paid yet', { name: 'payment_was_never_reserved' }] as const;
const EXPIRED = ['The reservation has expired', { name: 'reservation_has_expired', at: EXPIRES_AT }] as const;

const notKnownYet = (kind: 'reservation' | 'charge' | 'cancel') =>
  ['The outcome is not known yet', { name: 'outcome_is_unknown', kind, hasKey: kind !== 'reservation' }] as const;

const SUM_DIFFERS = {
  field: 'amount',
  text: 'is 49999, but the grossTotalAmount of the items sums up to 50000',
  kind: 'sum_differs',
} as const;

const AMOUNT_MISSING = problem('No amount', { field: 'amount', text: 'is required' });
const SUM_PROBLEM = problem('The amount is not the sum of the items', SUM_DIFFERS);

const WITH_ITEMS = { summary: 'With items', value: { amount: 50_000, orderItems: [onePair] } };
const AMOUNT_ONLY = { summary: 'Only an amount', value: { amount: 20_000 } };

const refundCreated = { refundId: refundMade.id };

const REFUND_DECLINED = [
  'The acquirer declined it',
  { name: 'acquirer_declined', kind: 'refund', reason, acquirer },
] as const;

export const MONEY_OPERATIONS = {
  chargePayment: {
    tag: 'Moving money',
    summary: 'Charge a payment',
    description:
      'Takes a part or all of what the consumer has reserved. A payment can be charged any number of times until ' +
      'nothing is left of its reservation. What cannot be charged is 402, and the message says why. Where the acquirer ' +
      'does not answer in time, it is 500 and the outcome is being determined: send the request again with the same ' +
      'Idempotency-Key until it gives the result.',
    requests: [WITH_ITEMS, AMOUNT_ONLY],
    success: {
      status: 201,
      description: 'The money is charged.',
      schema: ChargeCreated,
      examples: [{ summary: 'Charged', value: bodyOf(spec.charged(charged, chargeMade)) }],
      nexi: bodyOf(nexi.charged(charged, chargeMade)),
    },
    refused: [
      AMOUNT_MISSING,
      SUM_PROBLEM,
      BODY_MISSING,
      problemInNexi('The amount is not the sum of the items', 'charge', SUM_DIFFERS),
      ...refusedFor('charge', created, [
        NEVER_RESERVED,
        ['More than is left', { name: 'charge_exceeds_what_is_left', amount: 60_000, left: 50_000 }],
        ['The acquirer declined it', { name: 'acquirer_declined', kind: 'charge', reason, acquirer }],
        EXPIRED,
        notKnownYet('charge'),
      ]),
    ],
  },
  cancelPayment: {
    tag: 'Moving money',
    summary: 'Cancel a payment',
    description:
      'Returns a part or all of the reservation that is not charged to the consumer. When nothing is left that ' +
      'could be cancelled, it is 405. Where the acquirer does not answer in time, it is 500 and the outcome is being ' +
      'determined: send the request again with the same Idempotency-Key until it gives the result.',
    requests: [WITH_ITEMS, { summary: 'Only an amount', value: { amount: 100_000 } }],
    success: { status: 204, description: 'The reservation is returned.' },
    refused: [
      AMOUNT_MISSING,
      BODY_MISSING,
      ...refusedFor('cancel', created, [
        ['More than is left', { name: 'cancel_exceeds_what_is_left', amount: 60_000, left: 50_000 }],
        NEVER_RESERVED,
        ['All of it is charged', { name: 'reservation_is_fully_charged' }],
        ['All of it is cancelled', { name: 'reservation_is_fully_cancelled' }],
        EXPIRED,
        ['The acquirer declined it', { name: 'acquirer_declined', kind: 'cancel', reason, acquirer }],
        notKnownYet('cancel'),
      ]),
    ],
  },
  refundCharge: {
    tag: 'Moving money',
    summary: 'Refund a charge',
    description:
      'Gives a part or all of a charge back to the consumer, in any number of refunds. In the dialect `nexi` an ' +
      'amount over what is left, and a refund that the acquirer declines, are 402 instead of 400. Where the acquirer ' +
      'does not answer in time, it is 201 all the same, and the refund is `Pending` until the outcome is known.',
    requests: [AMOUNT_ONLY, WITH_ITEMS],
    success: {
      status: 201,
      description: 'The money is refunded.',
      schema: RefundCreated,
      examples: [{ summary: 'Refunded', value: refundCreated }],
    },
    refused: [
      AMOUNT_MISSING,
      BODY_MISSING,
      ...refusedFor('refund', charged, [
        ['More than is left', { name: 'refund_exceeds_what_is_left', amount: 60_000, left: 50_000 }],
        REFUND_DECLINED,
      ]),
    ],
  },
  refundPayment: {
    tag: 'Moving money',
    summary: 'Refund a payment',
    description:
      'The same without a charge to name: the refund is made of the oldest charge that has the whole amount left. ' +
      'If there is none, the error lists what each charge has left.',
    requests: [AMOUNT_ONLY],
    success: {
      status: 201,
      description: 'The money is refunded.',
      schema: RefundCreated,
      examples: [{ summary: 'Refunded', value: refundCreated }],
    },
    refused: [
      BODY_MISSING,
      ...refusedFor('refund', charged, [
        [
          'No charge has that much left',
          {
            name: 'no_charge_has_that_much_left',
            amount: 60_000,
            charges: [{ chargeId: chargeMade.id, left: 30_000 }],
          },
        ],
        REFUND_DECLINED,
      ]),
    ],
  },
  cancelPendingRefund: {
    tag: 'Moving money',
    summary: 'Cancel a pending refund',
    description:
      'A refund whose outcome is not known yet is `Pending`. Cancelled, it is never carried out: the acquirer has promised ' +
      'it. It is then `Cancelled`, its amount can be refunded again, and payment.refund.failed tells it with the code ' +
      '1012. Again it is 204. A refund that has an outcome is 405.',
    success: { status: 204, description: 'The refund is cancelled.' },
    refused: [
      BAD_ID('refundId'),
      ...refusedFor('cancel-refund', refunded, [
        ['It is completed', { name: 'refund_is_completed' }],
        ['It has failed', { name: 'refund_has_failed' }],
        ['The acquirer was faster', { name: 'refund_was_done_meanwhile' }],
        ['The outcome is not known yet', { name: 'outcome_is_unknown', kind: 'refund', hasKey: false }],
      ]),
    ],
  },
  getCharge: {
    tag: 'Moving money',
    summary: 'Get a charge',
    description: 'One charge, as it stands in `payment.charges`.',
    success: {
      status: 200,
      description: 'The charge.',
      schema: Charge,
      examples: [{ summary: 'A charge', value: spec.charge(charged, chargeMade, presentation) }],
      nexi: nexi.charge(charged, chargeMade, presentation),
    },
    refused: [BAD_ID('chargeId')],
  },
  getRefund: {
    tag: 'Moving money',
    summary: 'Get a refund',
    description: 'One refund, as it stands in `payment.refunds`.',
    success: {
      status: 200,
      description: 'The refund.',
      schema: Refund,
      examples: [{ summary: 'A refund', value: spec.refund(refunded, refundMade, presentation) }],
      nexi: nexi.refund(refunded, refundMade, presentation),
    },
    refused: [BAD_ID('refundId')],
  },
  reserveInSandbox: {
    tag: 'Sandbox',
    summary: 'Reserve a payment',
    description:
      'Does what a consumer who finishes the checkout does: reservation, consumer, events, and the charge where ' +
      '`checkout.charge` asks for it. 3-D Secure counts as passed. A live merchant has no sandbox: 404.',
    requests: [
      { summary: 'A card that is approved', value: { card: '4925000000000004' } },
      { summary: 'An invoice', value: { paymentType: 'INVOICE' } },
      { summary: 'A card that is declined', value: { card: '4925000000000087' } },
      { summary: 'Swish, where the payment offers it', value: { paymentType: 'A2A' } },
    ],
    success: {
      status: 201,
      description: 'The payment is reserved.',
      schema: ReservationCreated,
      examples: [{ summary: 'Reserved', value: { reservationId } }],
    },
    refused: [
      problem('A number that is no test card', {
        field: 'card',
        text: 'must be one of the published test card numbers',
      }),
      ...refusedFor('reserve', reserved, [
        ['The card is declined', { name: 'acquirer_declined', kind: 'reservation', reason, acquirer }],
        ['Reserved already', { name: 'payment_is_already_reserved' }],
        notKnownYet('reservation'),
      ]),
    ],
  },
  settleRefundInSandbox: {
    tag: 'Sandbox',
    summary: 'Settle a pending refund',
    description:
      'A refund of the card 4000000000007726 stays `Pending` until you say how it ends, or cancel it. This says it, and the ' +
      'event of it is told: payment.refund.completed or payment.refund.failed. The same again is 204. A live merchant has ' +
      'no sandbox: 404.',
    requests: [
      { summary: 'It is carried out', value: { state: 'Completed' } },
      { summary: 'It fails', value: { state: 'Failed' } },
    ],
    success: { status: 204, description: 'The refund has ended so.' },
    refused: [
      BAD_ID('refundId'),
      { status: 405, summary: 'It does not wait for that', value: bodyOf(failure(405, NO_CODE, NOT_OPEN)) },
    ],
  },
} as const satisfies Record<string, OperationDoc>;
