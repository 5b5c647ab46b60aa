// The updates of a payment that move no money: cart, reference, the merchant's own reference, termination.
// PUT /v1/payments/{paymentId}/orderitems, …/referenceinformation, …/myreference, …/terminate.
import type { FastifyInstance } from 'fastify';
import type { TSchema } from '../../../schema/type.ts';
import type { Decision } from '../../../domain/decision.ts';
import { sumOfItems } from '../../../domain/item.ts';
import type { Payment } from '../../../domain/payment.ts';
import { terminate } from '../../../domain/terminate.ts';
import { updateCart } from '../../../domain/update-cart.ts';
import type { UpdateCartCommand } from '../../../domain/update-cart.ts';
import { updateMyReference, updateReference } from '../../../domain/update-reference.ts';
import { operate } from '../../../payments/operate.ts';
import { NO_CONTENT } from '../../../server/answer.ts';
import type { OperationName } from '../../dialects/dialect.ts';
import { NOT_FOUND, sendAnswer } from '../../../server/errors.ts';
import { presenterOf, sendOutcome } from '../../outcome.ts';
import { badField, BadRequest } from '../../../server/problem.ts';
import { spendWhenLarge } from '../../../server/rate-limit.ts';
import { idIn } from '../../request.ts';
import { keyIdOf, merchantOf } from '../../../server/asker.ts';
import type { RouteContext } from '../../request.ts';
import { CartSchema, MyReferenceSchema, ReferenceSchema } from './schema.ts';
import type { CartBody, ReferenceBody } from './schema.ts';
import { HIGHEST_AMOUNT } from '../../schemas/values.ts';
import { readPicturedItems, requireFewRates, requireSum } from '../../sum-rule.ts';
import { readFees } from './method-input.ts';

type Update = {
  readonly name: string;
  readonly operationId: string;
  readonly operation: OperationName;
  readonly body?: TSchema;
  /** What it does cannot be undone. */
  readonly isFinal?: boolean;
  /** Reads the body, and gives the decision that follows from it. */
  readonly read: (body: unknown, context: RouteContext) => (payment: Payment, at: number) => Decision | undefined;
};

function readCart(body: CartBody): UpdateCartCommand {
  const given = body.items ?? body.orderItems;
  if (given === undefined) throw new BadRequest([{ field: 'items', text: 'is required' }]);
  const items = readPicturedItems(given);
  if (body.paymentMethodsConfiguration?.length)
    throw badField('paymentMethodsConfiguration', 'can be given only when the payment is created');
  const amount = body.amount ?? sumOfItems(items);
  if (amount < 1 || amount > HIGHEST_AMOUNT) {
    const text = `left out, it is the sum of the items: ${amount}; it must be from 1 to ${HIGHEST_AMOUNT}`;
    throw new BadRequest([{ field: 'amount', text, ...(amount < 1 && { kind: 'amount_not_positive' as const }) }]);
  }
  requireSum('amount', amount, items);
  requireFewRates('items', items);
  const shippingCostSpecified = body.shipping?.costSpecified;
  const fees = readFees(body.paymentMethods);
  return {
    amount,
    items,
    ...(shippingCostSpecified !== undefined && { shippingCostSpecified }),
    ...(fees && { fees }),
  };
}

function readReference(body: ReferenceBody): ReferenceBody {
  if (body.reference === undefined && body.checkoutUrl === undefined)
    throw new BadRequest([{ field: 'reference', text: 'is required, or checkoutUrl' }]);
  return body;
}

const UPDATES: readonly Update[] = [
  {
    name: 'orderitems',
    operationId: 'updateCart',
    operation: 'cart',
    body: CartSchema,
    read: (body, { payments }) => {
      const command = readCart(body as CartBody);
      return (payment, at) => updateCart(payment, command, at, payments.lifetimes);
    },
  },
  {
    name: 'referenceinformation',
    operationId: 'updateReference',
    operation: 'reference',
    body: ReferenceSchema,
    read: (body) => {
      const command = readReference(body as ReferenceBody);
      return (payment) => updateReference(payment, command);
    },
  },
  {
    name: 'myreference',
    operationId: 'updateMyReference',
    operation: 'reference',
    body: MyReferenceSchema,
    read: (body) => {
      const { myReference } = body as { myReference: string };
      return (payment) => updateMyReference(payment, myReference);
    },
  },
  { name: 'terminate', operationId: 'terminatePayment', operation: 'terminate', isFinal: true, read: () => terminate },
];

export function routeUpdates(app: FastifyInstance, context: RouteContext): void {
  for (const { name, operationId, operation, body, isFinal = false, read } of UPDATES) {
    const options = {
      schema: { operationId, ...(body && { body }) },
      config: { operation, ...(body === undefined && { bodyOptional: true }) },
    };
    app.put(`/v1/payments/:paymentId/${name}`, options, async (request, reply) => {
      const decide = read(request.body, context);
      const target = idIn(request, 'paymentId');
      if (target === undefined) return sendAnswer(reply, NOT_FOUND);
      const outcome = await operate(context.payments, {
        merchant: merchantOf(request),
        target,
        keyId: keyIdOf(request),
        onLarge: spendWhenLarge(request),
        isRefusalFinal: isFinal,
        decide: (payment, at) => ({ decision: decide(payment, at), result: undefined }),
      });
      const present = presenterOf(request, context, operation, () => NO_CONTENT);
      return sendOutcome(request, reply, outcome, present);
    });
  }
}
