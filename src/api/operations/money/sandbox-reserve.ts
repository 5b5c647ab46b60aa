// POST /v1/sandbox/payments/{paymentId}/reserve: does what a finished checkout does, for test merchants. The card's
// number is exchanged for an opaque source right here and goes no further.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DEFAULT_CARD, exchangeInvoice, exchangeTestCard } from '../../../acquirers/test-cards.ts';
import type { Instrument } from '../../../acquirers/test-cards.ts';
import { operate } from '../../../payments/operate.ts';
import { appOfType, reserveInSandbox } from '../../../payments/reserve.ts';
import type { SandboxReserving } from '../../../payments/reserve.ts';
import { answerWith } from '../../../server/answer.ts';
import { NOT_FOUND, sendAnswer } from '../../../server/errors.ts';
import { presenterOf, sendOutcome } from '../../outcome.ts';
import { badField } from '../../../server/problem.ts';
import { spendWhenLarge } from '../../../server/rate-limit.ts';
import { idIn } from '../../request.ts';
import { keyIdOf, merchantOf } from '../../../server/asker.ts';
import type { RouteContext } from '../../request.ts';
import { readConsumer } from '../../schemas/consumer.ts';
import { SandboxReserveSchema } from './schema.ts';
import type { SandboxReserveBody } from './schema.ts';

/** Undefined when the call leaves the choice to the payment. */
function readInstrument({ card, paymentType }: SandboxReserveBody): Instrument | undefined {
  if (paymentType !== undefined && paymentType !== 'CARD') {
    if (card !== undefined) throw badField('card', `must be left out when paymentType is ${paymentType}`);
    // Which app it is, the payment says.
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

export function routeSandboxReserve(app: FastifyInstance, context: RouteContext): void {
  const options = {
    schema: { operationId: 'reserveInSandbox', body: SandboxReserveSchema },
    config: { operation: 'reserve' as const, bodyOptional: true },
    // For a live merchant there is no such route, whatever the body: a real card's number is not even looked at.
    onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
      merchantOf(request).live ? sendAnswer(reply, NOT_FOUND) : undefined,
  };
  app.post('/v1/sandbox/payments/:paymentId/reserve', options, async (request, reply) => {
    const merchant = merchantOf(request);
    const body: SandboxReserveBody = request.body ?? {};
    const { paymentType } = body;
    const reserving = readReserving(body, request.ip);
    const target = idIn(request, 'paymentId');
    if (target === undefined) return sendAnswer(reply, NOT_FOUND);
    const outcome = await operate(context.payments, {
      merchant,
      target,
      keyId: keyIdOf(request),
      onLarge: spendWhenLarge(request),
      decide: (payment, at) => {
        const inApp = isAppType(paymentType) && { instrument: appOfType(payment, paymentType) };
        const by = { ...reserving, ...inApp };
        const { decision, reservationId } = reserveInSandbox(context.payments, merchant, payment, by, at);
        return { decision, result: reservationId };
      },
    });
    const present = presenterOf<string>(request, context, 'reserve', ({ result: reservationId }) =>
      answerWith(201, { reservationId }),
    );
    return sendOutcome(request, reply, outcome, present);
  });
}
