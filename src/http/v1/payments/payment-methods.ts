// GET /v1/paymentmethods: with what a consumer of this merchant can pay.
import type { FastifyInstance } from 'fastify';
import { METHODS } from '../../../domain/offered-methods.ts';
import { answerWith } from '../../dialects/dialect.ts';
import { sendAnswer } from '../../errors.ts';
import { merchantOf } from '../../request.ts';

// The currencies of the countries whose shops use this API; the simulator takes any other as well.
const CURRENCIES = ['DKK', 'EUR', 'GBP', 'NOK', 'SEK', 'USD'];

export function routePaymentMethods(app: FastifyInstance): void {
  app.get('/v1/paymentmethods', { schema: { operationId: 'listPaymentMethods' } }, async (request, reply) => {
    // A live merchant has none until an acquirer of its own is connected.
    const enabled = !merchantOf(request).live;
    const methods = METHODS.flatMap(({ name, paymentType }) =>
      CURRENCIES.map((currency) => ({ name, paymentType, currency, enabled })),
    );
    return sendAnswer(reply, answerWith(200, methods));
  });
}
