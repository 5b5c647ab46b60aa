// What charges, cancels and refunds share: body, checks and execution.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Merchant } from '../../domain/merchant.ts';
import type { Movement, MovementDetails } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Moved, MoveRequest } from '../../payments/move.ts';
import { operate } from '../../payments/operate.ts';
import type { Payments } from '../../payments/service.ts';
import { answerWith, NOT_FOUND } from '../../server/answer.ts';
import type { Answer } from '../../server/answer.ts';
import { keyIdOf, merchantOf } from '../../server/asker.ts';
import { spendWhenLarge } from '../../server/rate-limit.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { answerOutcome, presenterOf, recorderOf } from '../outcome.ts';
import { dialectOf, idempotencyOf, idIn } from '../request.ts';
import type { RouteContext } from '../request.ts';
import { given } from '../schemas/given.ts';
import type { MoveBody } from '../schemas/movement.ts';
import { readItems, requireSum } from '../sum-rule.ts';

type Move = {
  readonly operation: 'charge' | 'refund' | 'cancel';
  readonly target: 'paymentId' | 'chargeId';
  readonly decide: (
    payments: Payments,
    merchant: Merchant,
    request: MoveRequest,
    target: string,
  ) => (payment: Payment, at: number) => Moved | undefined;
  readonly answer: (dialect: Dialect, payment: Payment, movement: Movement) => Answer;
};

export const answerRefund: Move['answer'] = (_dialect, _payment, refund) => answerWith(201, { refundId: refund.id });

/** The shop's additions to a movement; an empty text counts as none. Each operation knows its own fields. */
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

export const moveMoney =
  ({ operation, target: parameter, decide, answer }: Move) =>
  async (request: FastifyRequest, context: RouteContext, reply: FastifyReply): Promise<Answer> => {
    const move = readMove(request, operation);
    const target = idIn(request, parameter);
    if (target === undefined) return NOT_FOUND;
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
    return answerOutcome(request, reply, outcome, present);
  };
