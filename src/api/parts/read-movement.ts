// What the reads of a charge and of a refund share.
import type { FastifyRequest } from 'fastify';
import type { Movement } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import { readNumbered } from '../../payments/invoice-numbers.ts';
import { answerWith, NOT_FOUND } from '../../server/answer.ts';
import type { Answer } from '../../server/answer.ts';
import { merchantOf } from '../../server/asker.ts';
import { spendWhenLarge } from '../../server/rate-limit.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { dialectOf, idIn, presentationContextOf } from '../request.ts';
import type { RouteContext } from '../request.ts';

type Reading = {
  readonly idName: 'chargeId' | 'refundId';
  readonly find: (payment: Payment, id: string) => Movement | undefined;
  readonly present: (dialect: Dialect, ...shown: Parameters<Dialect['charge']>) => object;
};

export const readMovement =
  ({ idName, find, present }: Reading) =>
  async (request: FastifyRequest, context: RouteContext): Promise<Answer> => {
    const target = idIn(request, idName);
    if (target === undefined) return NOT_FOUND;
    const { store } = context.payments;
    const merchant = merchantOf(request);
    const asked = { merchantId: merchant.id, target, isMovement: true, onLarge: spendWhenLarge(request) };
    const { payment: found } = await store.read(asked);
    const payment = found && (await readNumbered(store, merchant, found));
    const movement = payment && find(payment, target);
    if (!movement) return NOT_FOUND;
    return answerWith(200, present(dialectOf(request), payment, movement, presentationContextOf(request, context)));
  };
