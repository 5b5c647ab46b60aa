// The three moves of money that a merchant asks for, and the refund that names only its payment:
// POST /v1/payments/{paymentId}/charges, POST /v1/payments/{paymentId}/cancels, POST /v1/charges/{chargeId}/refunds,
// POST /v1/payments/{paymentId}/refunds. They share their body, their checks and their way.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TSchema } from '../../../schema/type.ts';
import type { Merchant } from '../../../domain/merchant.ts';
import type { Movement, MovementDetails } from '../../../domain/movement.ts';
import type { Payment } from '../../../domain/payment.ts';
import { cancelPayment, chargePayment, refundCharge } from '../../../payments/move.ts';
import type { Moved, MoveRequest } from '../../../payments/move.ts';
import { operate } from '../../../payments/operate.ts';
import type { Answer } from '../../../server/answer.ts';
import type { Payments } from '../../../payments/service.ts';
import { answerWith, NO_CONTENT } from '../../../server/answer.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { NOT_FOUND, sendAnswer } from '../../../server/errors.ts';
import { presenterOf, recorderOf, sendOutcome } from '../../outcome.ts';
import { spendWhenLarge } from '../../../server/rate-limit.ts';
import { dialectOf, idempotencyOf, idIn } from '../../request.ts';
import { keyIdOf, merchantOf } from '../../../server/asker.ts';
import type { RouteContext } from '../../request.ts';
import { ChargeSchema, MoveSchema, RefundSchema } from './schema.ts';
import type { MoveBody } from './schema.ts';
import { given } from '../../schemas/given.ts';
import { readItems, requireSum } from '../../sum-rule.ts';

type Move = {
  readonly path: string;
  readonly operationId: string;
  readonly operation: 'charge' | 'refund' | 'cancel';
  readonly body: TSchema;
  readonly target: 'paymentId' | 'chargeId';
  readonly decide: (
    payments: Payments,
    merchant: Merchant,
    request: MoveRequest,
    target: string,
  ) => (payment: Payment, at: number) => Moved | undefined;
  readonly answer: (dialect: Dialect, payment: Payment, movement: Movement) => Answer;
};

const answerRefund = (_dialect: Dialect, _payment: Payment, refund: Movement): Answer =>
  answerWith(201, { refundId: refund.id });

const MOVES: readonly Move[] = [
  {
    path: '/v1/payments/:paymentId/charges',
    operationId: 'chargePayment',
    operation: 'charge',
    body: ChargeSchema,
    target: 'paymentId',
    decide: chargePayment,
    answer: (dialect, payment, charge) => dialect.charged(payment, charge),
  },
  {
    path: '/v1/payments/:paymentId/cancels',
    operationId: 'cancelPayment',
    operation: 'cancel',
    body: MoveSchema,
    target: 'paymentId',
    decide: cancelPayment,
    answer: () => NO_CONTENT,
  },
  {
    path: '/v1/charges/:chargeId/refunds',
    operationId: 'refundCharge',
    operation: 'refund',
    body: RefundSchema,
    target: 'chargeId',
    decide: refundCharge,
    answer: answerRefund,
  },
  {
    path: '/v1/payments/:paymentId/refunds',
    operationId: 'refundPayment',
    operation: 'refund',
    body: RefundSchema,
    target: 'paymentId',
    decide: (payments, merchant, request) => refundCharge(payments, merchant, request),
    answer: answerRefund,
  },
];

/** What the shop says of a movement beyond its money; an empty text is none. Each operation knows its own fields. */
function readDetails(body: MoveBody, operation: Move['operation']): MovementDetails | undefined {
  if (operation === 'cancel') return undefined;
  const { myReference, finalCharge, shipping, paymentMethodReference } = body;
  const details = {
    ...(myReference && { myReference }),
    ...(operation === 'charge' && {
      ...(finalCharge === true && { finalCharge }),
      ...(shipping && given(shipping) && { shipping: given(shipping) as NonNullable<MovementDetails['shipping']> }),
      ...(paymentMethodReference && { paymentMethodReference }),
    }),
  };
  return given(details);
}

function readMove(request: FastifyRequest, operation: Move['operation']): MoveRequest {
  const body = request.body as MoveBody;
  const { amount, orderItems, items: alias } = body;
  const items = readItems(orderItems ?? alias);
  if (items.length > 0) requireSum('amount', amount, items);
  const details = readDetails(body, operation);
  return { amount, items, ...(details && { details }) };
}

export function routeMoves(app: FastifyInstance, context: RouteContext): void {
  for (const { path, operationId, operation, body, target: parameter, decide, answer } of MOVES) {
    const options = { schema: { operationId, body }, config: { operation, keyed: true } };
    app.post(path, options, async (request, reply) => {
      const move = readMove(request, operation);
      const target = idIn(request, parameter);
      if (target === undefined) return sendAnswer(reply, NOT_FOUND);
      const merchant = merchantOf(request);
      const dialect = dialectOf(request);
      const present = presenterOf<string>(request, context, operation, (outcome) => {
        const change = outcome.kind === 'made' ? outcome.change : undefined;
        const movement = change?.moved.find(({ id }) => id === outcome.result);
        if (!change || !movement) throw new Error(`${operation} was neither made nor refused`);
        return answer(dialect, change.payment, movement);
      });
      const outcome = await operate(context.payments, {
        merchant,
        target,
        keyId: keyIdOf(request),
        onLarge: spendWhenLarge(request),
        isMovement: parameter === 'chargeId',
        keyed: { operation, idempotency: idempotencyOf(request), recordAnswer: recorderOf(present) },
        decide: decide(context.payments, merchant, move, target),
      });
      return sendOutcome(request, reply, outcome, present);
    });
  }
}
