// POST /v1/sandbox/payments/{paymentId}/reserve: completes the checkout of a test merchant's payment. The card number is
// exchanged for an opaque source here and goes no further.
import { DEFAULT_CARD, exchangeInvoice, exchangeTestCard } from '../../acquirers/test-cards.ts';
import type { Instrument } from '../../acquirers/test-cards.ts';
import { PAYMENT_TYPES } from '../../domain/payment.ts';
import { Id } from '../../events/body-parts.ts';
import { operate } from '../../payments/operate.ts';
import { appOfType, reserveInSandbox as decideReserve } from '../../payments/reserve.ts';
import type { SandboxReserving } from '../../payments/reserve.ts';
import * as Type from '../../schema/type.ts';
import { answerWith, NOT_FOUND } from '../../server/answer.ts';
import { keyIdOf } from '../../server/asker.ts';
import { badField } from '../../server/problem.ts';
import { spendWhenLarge } from '../../server/rate-limit.ts';
import { acquirer, notKnownYet, reason } from '../openapi/money-refusals.ts';
import { reservationId, reserved } from '../openapi/story.ts';
import { answers, operation, problem, refusedFor } from '../operation.ts';
import { answerOutcome, presenterOf } from '../outcome.ts';
import { idIn } from '../request.ts';
import { ConsumerSchema, readConsumer } from '../schemas/consumer.ts';

export const SandboxReserveSchema = Type.Object(
  {
    card: Type.Optional(
      Type.String({
        maxLength: 32,
        description: 'A test card number; by default 4925000000000004, which is approved.',
      }),
    ),
    paymentType: Type.Optional(
      Type.String({
        enum: [...PAYMENT_TYPES],
        description: 'By default CARD. A2A and WALLET: the app that it offers.',
      }),
    ),
    consumer: Type.Optional(ConsumerSchema),
  },
  { title: 'SandboxReserveRequest', description: 'Everything may be left out, the body itself too.' },
);

export type SandboxReserveBody = Type.Static<typeof SandboxReserveSchema>;

/** Undefined if the call leaves the choice to the payment. */
function readInstrument({ card, paymentType }: SandboxReserveBody): Instrument | undefined {
  if (paymentType !== undefined && paymentType !== 'CARD') {
    if (card !== undefined) throw badField('card', `must be left out when paymentType is ${paymentType}`);
    // The payment says which app it is.
    return paymentType === 'INVOICE' ? exchangeInvoice() : undefined;
  }
  if (card === undefined && paymentType === undefined) return undefined;
  const instrument = exchangeTestCard(card ?? DEFAULT_CARD);
  if (instrument === undefined) throw badField('card', 'must be one of the published test card numbers');
  return instrument;
}

const isAppType = (paymentType: string | undefined): paymentType is 'A2A' | 'WALLET' =>
  paymentType === 'A2A' || paymentType === 'WALLET';

function readReserving(body: SandboxReserveBody, ip: string): SandboxReserving {
  const instrument = readInstrument(body);
  return { ...(instrument && { instrument }), ip, ...(body.consumer && { consumer: readConsumer(body.consumer) }) };
}

export const reserveInSandbox = operation('reserveInSandbox', 'POST /v1/sandbox/payments/:paymentId/reserve', 'money', {
  body: SandboxReserveSchema,
  config: { operation: 'reserve', bodyOptional: true },
  // Live merchants have no such route, whatever the body, so a real card number is never read.
  live: NOT_FOUND,
  tag: 'Sandbox',
  summary: 'Reserve a payment',
  description:
    'Does what a consumer who finishes the checkout does: reservation, consumer, events, and the charge where ' +
    '`checkout.charge` asks for it. 3-D Secure counts as passed. A live merchant has no sandbox: 404.',
  requests: {
    'A card that is approved': { card: '4925000000000004' },
    'An invoice': { paymentType: 'INVOICE' },
    'A card that is declined': { card: '4925000000000087' },
    'Swish, where the payment offers it': { paymentType: 'A2A' },
  },
  success: answers(
    201,
    'The payment is reserved.',
    Type.Object({ reservationId: Id('Identifies the reservation.') }, { title: 'ReservationCreated' }),
    { Reserved: { reservationId } },
  ),
  refused: [
    problem('A number that is no test card', 'card', 'must be one of the published test card numbers'),
    ...refusedFor('reserve', reserved, [
      ['The card is declined', { name: 'acquirer_declined', kind: 'reservation', reason, acquirer }],
      ['Reserved already', { name: 'payment_is_already_reserved' }],
      notKnownYet('reservation'),
    ]),
  ],
  handler: async (request, context, reply) => {
    const merchant = request.merchant;
    const body = request.body ?? {};
    const { paymentType } = body;
    const reserving = readReserving(body, request.ip);
    const target = idIn(request, 'paymentId');
    if (target === undefined) return NOT_FOUND;
    const outcome = await operate(context.payments, {
      merchant,
      target,
      keyId: keyIdOf(request),
      onLarge: spendWhenLarge(request),
      decide: (payment, at) => {
        const inApp = isAppType(paymentType) && { instrument: appOfType(payment, paymentType) };
        const by = { ...reserving, ...inApp };
        const { decision, reservationId: result } = decideReserve(context.payments, merchant, payment, by, at);
        return { decision, result };
      },
    });
    const present = presenterOf<string>(request, context, 'reserve', ({ result }) =>
      answerWith(201, { reservationId: result }),
    );
    return answerOutcome(request, reply, outcome, present);
  },
});
