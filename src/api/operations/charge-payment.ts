// POST /v1/payments/{paymentId}/charges: charges part or all of what is reserved.
import { Id } from '../../events/body-parts.ts';
import { chargePayment as decideCharge } from '../../payments/move.ts';
import * as Type from '../../schema/type.ts';
import { nexi } from '../dialects/nexi.ts';
import { spec } from '../dialects/spec.ts';
import {
  acquirer,
  AMOUNT_MISSING,
  AMOUNT_ONLY,
  EXPIRED,
  NEVER_RESERVED,
  notKnownYet,
  reason,
  WITH_ITEMS,
} from '../openapi/money-refusals.ts';
import { charged, chargeMade, created } from '../openapi/story.ts';
import { answers, BODY_MISSING, bodyOf, operation, problemInNexi, problems, refusedFor } from '../operation.ts';
import { moveMoney } from '../parts/move-money.ts';
import { ChargeSchema } from '../schemas/movement.ts';

const SUM_DIFFERS = {
  field: 'amount',
  text: 'is 49999, but the grossTotalAmount of the items sums up to 50000',
  kind: 'sum_differs',
} as const;

const SUM_PROBLEM = problems('The amount is not the sum of the items', SUM_DIFFERS);

export const chargePayment = operation('chargePayment', 'POST /v1/payments/:paymentId/charges', 'money', {
  body: ChargeSchema,
  config: { operation: 'charge', keyed: true },
  tag: 'Moving money',
  summary: 'Charge a payment',
  description:
    'Takes a part or all of what the consumer has reserved. A payment can be charged any number of times until ' +
    'nothing is left of its reservation. What cannot be charged is 402, and the message says why. Where the acquirer ' +
    'does not answer in time, it is 500 and the outcome is being determined: send the request again with the same ' +
    'Idempotency-Key until it gives the result.',
  requests: { ...WITH_ITEMS, ...AMOUNT_ONLY },
  success: answers(
    201,
    'The money is charged.',
    Type.Object(
      {
        chargeId: Id('Identifies the charge.'),
        invoice: Type.Object({ invoiceNumber: Type.String({ description: 'Unique for you, not gapless.' }) }),
      },
      { title: 'ChargeCreated', description: 'In the dialect `nexi`, `invoice` is there for invoice payments only.' },
    ),
    { Charged: bodyOf(spec.charged(charged, chargeMade)) },
    bodyOf(nexi.charged(charged, chargeMade)),
  ),
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
  handler: moveMoney({
    operation: 'charge',
    target: 'paymentId',
    decide: decideCharge,
    answer: (dialect, payment, charge) => dialect.charged(payment, charge),
  }),
});
