// PUT /v1/payments/{paymentId}/orderitems: replaces the items and the amount, until the consumer has paid.
import { sumOfItems } from '../../domain/item.ts';
import { updateCart as decideCart } from '../../domain/update-cart.ts';
import type { UpdateCartCommand } from '../../domain/update-cart.ts';
import * as Type from '../../schema/type.ts';
import { badField, BadRequest } from '../../server/problem.ts';
import { RESERVED, TERMINATED } from '../openapi/payment-refusals.ts';
import { onePair, reserved } from '../openapi/story.ts';
import { answers, BODY_MISSING, operation, problem, refusedFor } from '../operation.ts';
import { readFees } from '../parts/method-input.ts';
import { updatePayment } from '../parts/update-payment.ts';
import { OrderItems } from '../schemas/item.ts';
import { MethodConfigurationSchema, MOST_METHODS, PaymentMethodFees } from '../schemas/payment-request.ts';
import { Amount, HIGHEST_AMOUNT } from '../schemas/values.ts';
import { readPicturedItems, requireFewRates, requireSum } from '../sum-rule.ts';

export const CartSchema = Type.Object(
  {
    amount: Type.Optional(Amount),
    items: Type.Optional(OrderItems),
    orderItems: Type.Optional(OrderItems),
    shipping: Type.Optional(
      Type.Object({
        costSpecified: Type.Optional(Type.Boolean({ description: 'true: the items hold the cost of shipping.' })),
      }),
    ),
    paymentMethods: Type.Optional({
      ...PaymentMethodFees,
      description: 'Left out, fees stay as they are; [] removes them.',
    }),
    paymentMethodsConfiguration: Type.Optional(
      Type.Array(MethodConfigurationSchema, {
        maxItems: MOST_METHODS,
        description: 'Refused unless empty: the methods are chosen when the payment is created.',
      }),
    ),
  },
  { title: 'CartRequest', description: 'items is required; orderItems is taken for it. amount left out is their sum.' },
);

export type CartBody = Type.Static<typeof CartSchema>;

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

const EXPIRED = [
  'The payment has expired',
  { name: 'payment_has_expired', at: Date.UTC(2026, 2, 19, 8, 30, 12, 345) },
] as const;

export const updateCart = operation('updateCart', 'PUT /v1/payments/:paymentId/orderitems', 'money', {
  body: CartSchema,
  config: { operation: 'cart' },
  tag: 'Payments',
  summary: 'Update the cart',
  description:
    'Replaces the items and the amount of the order. Possible until the consumer has paid; afterwards it is 405.',
  requests: {
    'One pair, and shipping': {
      amount: 54_900,
      items: [
        onePair,
        {
          reference: 'shipping',
          name: 'Shipping',
          quantity: 1,
          unit: 'pcs',
          unitPrice: 3_920,
          taxRate: 2_500,
          taxAmount: 980,
          grossTotalAmount: 4_900,
          netTotalAmount: 3_920,
        },
      ],
      shipping: { costSpecified: true },
    },
  },
  success: answers(204, 'The cart is updated.'),
  refused: [
    problem('Neither items nor orderItems', 'items', 'is required'),
    BODY_MISSING,
    ...refusedFor('cart', reserved, [RESERVED, TERMINATED, EXPIRED]),
  ],
  handler: updatePayment({
    operation: 'cart',
    read: (body: CartBody, { payments }) => {
      const command = readCart(body);
      return (payment, at) => decideCart(payment, command, at, payments.lifetimes);
    },
  }),
});
