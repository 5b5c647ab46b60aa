// A payment in the console's own API: as the merchant's API gives it, and the little that tells whether it has moved on.
import type { FastifyInstance } from 'fastify';
import * as Type from '../../schema/type.ts';
import type { Payment } from '../../domain/payment.ts';
import { dialectFor } from '../../api/request.ts';
import { apiFor, notHere, sendJson } from '../api-reply.ts';
import type { ConsoleContext } from '../context.ts';
import type { Member } from '../visitor.ts';
import { findPayment } from './find.ts';

const StateSchema = Type.Object(
  {
    version: Type.Integer({ description: 'Counts the changes of the payment.' }),
    pending: Type.Integer({ description: 'How many of its movements have no outcome yet.' }),
  },
  { title: 'PaymentState' },
);
type State = Type.Static<typeof StateSchema>;

const stateOfPayment = ({ version, movements }: Payment): State => ({
  version,
  pending: movements.filter(({ state }) => state === 'pending').length,
});

/** What `GET /v1/payments/{paymentId}` answers to the merchant. */
export const rawPayment = ({ shopUrl }: ConsoleContext, { merchant }: Pick<Member, 'merchant'>, payment: Payment) => ({
  payment: dialectFor(merchant).payment(payment, { publicUrl: shopUrl(), merchant }),
});

export function routePaymentApi(app: FastifyInstance, context: ConsoleContext): void {
  const path = '/console/api/:merchantId/payments/:paymentId';
  app.get(
    path,
    apiFor(context, 'read', async (member, request, reply) => {
      const payment = await findPayment(context, member, request);
      return payment ? rawPayment(context, member, payment) : sendJson(reply, 404, notHere(member));
    }),
  );
  app.get(
    `${path}/state`,
    { schema: { response: { 200: StateSchema } } },
    apiFor(context, 'read', async (member, request, reply) => {
      const payment = await findPayment(context, member, request);
      return payment ? stateOfPayment(payment) : sendJson(reply, 404, notHere(member));
    }),
  );
}
