// What payment updates share that move no money: the payment decides, and the response is empty.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Decision } from '../../domain/decision.ts';
import type { Payment } from '../../domain/payment.ts';
import { operate } from '../../payments/operate.ts';
import { NO_CONTENT, NOT_FOUND } from '../../server/answer.ts';
import type { Answer } from '../../server/answer.ts';
import { keyIdOf, merchantOf } from '../../server/asker.ts';
import { spendWhenLarge } from '../../server/rate-limit.ts';
import type { OperationName } from '../dialects/dialect.ts';
import { answerOutcome, presenterOf } from '../outcome.ts';
import { idIn } from '../request.ts';
import type { RouteContext } from '../request.ts';

type Update<Body> = {
  readonly operation: OperationName;
  /** It cannot be undone. */
  readonly isFinal?: boolean;
  /** Reads the body, and returns the decision that follows from it. */
  readonly read: (body: Body, context: RouteContext) => (payment: Payment, at: number) => Decision | undefined;
};

export const updatePayment =
  <Body>({ operation, isFinal = false, read }: Update<Body>) =>
  async (
    request: FastifyRequest & { readonly body: Body },
    context: RouteContext,
    reply: FastifyReply,
  ): Promise<Answer> => {
    const decide = read(request.body, context);
    const target = idIn(request, 'paymentId');
    if (target === undefined) return NOT_FOUND;
    const outcome = await operate(context.payments, {
      merchant: merchantOf(request),
      target,
      keyId: keyIdOf(request),
      onLarge: spendWhenLarge(request),
      isRefusalFinal: isFinal,
      decide: (payment, at) => ({ decision: decide(payment, at), result: undefined }),
    });
    return answerOutcome(
      request,
      reply,
      outcome,
      presenterOf(request, context, operation, () => NO_CONTENT),
    );
  };
