// The documentation of the operations on a payment that move no money.
import { spec } from '../../dialects/spec.ts';
import { nexi } from '../../dialects/nexi.ts';
import { FORMAT_TEXTS } from '../../../server/formats.ts';
import { LIMIT_SCHEMA } from '../../../server/query.ts';
import { NOT_UNFILTERED } from './list-payments.ts';
import { PaymentAnswer, PaymentCreated, PaymentList, PaymentMethods } from './answers.ts';
import { BAD_ID, BODY_MISSING, bodyOf, problem, problemInNexi, refusedFor } from '../../openapi/operation.ts';
import type { OperationDoc } from '../../openapi/operation.ts';
import * as story from '../story.ts';

const { created, hosted, refunded, reserved, sneakers, presentation } = story;

const order = { items: [sneakers], amount: 100_000, currency: 'SEK', reference: 'order-1' };

const SUM_DIFFERS = {
  field: 'order.amount',
  text: 'is 99999, but the grossTotalAmount of the items sums up to 100000',
  kind: 'sum_differs',
} as const;

const HOSTED_REQUEST = {
  order,
  checkout: {
    integrationType: 'HostedPaymentPage',
    returnUrl: 'https://shop.example/thanks',
    cancelUrl: 'https://shop.example/cart',
    termsUrl: 'https://shop.example/terms',
    ShippingCountries: [{ countryCode: 'SWE' }, { countryCode: 'NOR' }],
    merchantHandlesConsumerData: true,
    consumer: {
      email: 'astrid@example.com',
      phoneNumber: { prefix: '+46', number: '701234567' },
      shippingAddress: {
        addressLine1: 'Drottninggatan 1',
        postalCode: '111 51',
        city: 'Stockholm',
        country: 'SWE',
      },
      privatePerson: { firstName: 'Astrid', lastName: 'Lind' },
    },
  },
  notifications: {
    webHooks: [
      {
        eventName: 'payment.checkout.completed',
        url: 'https://shop.example/events',
        authorization: 'a-secret-of-yours',
      },
    ],
  },
};

const TERMINATED = ['The payment is terminated', { name: 'payment_is_terminated' }] as const;
const CANCELLED = ['All of it is cancelled', { name: 'reservation_is_fully_cancelled' }] as const;
const RESERVED = ['The consumer has paid already', { name: 'payment_is_already_reserved' }] as const;
const EXPIRED = [
  'The payment has expired',
  { name: 'payment_has_expired', at: Date.UTC(2026, 2, 19, 8, 30, 12, 345) },
] as const;

export const PAYMENT_OPERATIONS = {
  createPayment: {
    tag: 'Payments',
    summary: 'Create a payment',
    description:
      'Creates a payment that holds the order. Its `paymentId` is what the checkout is initialized with; with ' +
      '`integrationType` HostedPaymentPage the answer also holds the address of the page on which the consumer pays.',
    header: 'CommercePlatformTag',
    requests: [
      {
        summary: 'Checkout inside a page of your shop',
        value: { order, checkout: { url: 'https://shop.example/checkout' } },
      },
      { summary: 'Hosted payment page, consumer known, one event', value: HOSTED_REQUEST },
    ],
    success: {
      status: 201,
      description: 'The payment is created.',
      schema: PaymentCreated,
      examples: [
        { summary: 'Checkout inside a page of your shop', value: bodyOf(spec.created(created, presentation)) },
        { summary: 'Hosted payment page', value: bodyOf(spec.created(hosted, presentation)) },
      ],
    },
    refused: [
      problem('The amount is not the sum of the items', SUM_DIFFERS),
      problem(
        'Several fields at once',
        { field: 'order.items[0].name', text: 'is required' },
        { field: 'order.currency', text: 'must be an active ISO 4217 currency code such as EUR, found "SKR"' },
      ),
      problem('An address that events are not sent to', {
        field: 'notifications.webHooks[0].url',
        text: 'must not lead to a link-local address',
      }),
      BODY_MISSING,
      problemInNexi('The amount is not the sum of the items', 'create', SUM_DIFFERS),
    ],
  },
  listPayments: {
    tag: 'Payments',
    summary: 'List payments',
    description:
      'Your payments, newest first, page by page. The order is stable: payments created meanwhile do not shift the ' +
      'pages. `state` asks for what has happened to a payment, so one that was charged and then refunded is found ' +
      'under both; such a page may have fewer payments than `limit`, or none, and a `cursor` all the same. In the ' +
      'dialect `nexi` it needs at least one parameter.',
    query: {
      reference: { example: 'order-1' },
      state: { example: 'charged' },
      from: { example: '2026-03-01' },
      to: { example: '2026-04-01T00:00:00Z' },
      limit: { schema: LIMIT_SCHEMA, example: 50 },
      cursor: { example: story.IDS['paymentId'] as string },
    },
    success: {
      status: 200,
      description: 'A page of payments.',
      schema: PaymentList,
      examples: [
        { summary: 'The last page', value: { payments: [spec.payment(reserved, presentation)] } },
        {
          summary: 'A page that is followed by another',
          value: { payments: [spec.payment(refunded, presentation)], cursor: refunded.id },
        },
      ],
      nexi: { payments: [nexi.payment(reserved, presentation)] },
    },
    refused: [
      problem('A limit out of range', { field: 'limit', text: 'must be a whole number from 1 to 100' }),
      { status: 405, summary: 'Without a parameter', value: bodyOf(NOT_UNFILTERED), onlyNexi: true },
    ],
  },
  getPayment: {
    tag: 'Payments',
    summary: 'Get a payment',
    description:
      'Everything about a payment: its order, the consumer, how it was paid, and its charges and refunds. Every ' +
      'object is always there, empty when nothing is known; a text that nobody gave is left out, never null.',
    success: {
      status: 200,
      description: 'The payment.',
      schema: PaymentAnswer,
      examples: [
        {
          summary: 'Charged in part, and a part of that refunded',
          value: { payment: spec.payment(refunded, presentation) },
        },
        { summary: 'Just created', value: { payment: spec.payment(created, presentation) } },
        { summary: 'While a charge is under way', value: { payment: spec.payment(story.beingCharged, presentation) } },
      ],
      nexi: { payment: nexi.payment(created, presentation) },
    },
    refused: [BAD_ID('paymentId')],
  },
  updateCart: {
    tag: 'Payments',
    summary: 'Update the cart',
    description:
      'Replaces the items and the amount of the order. Possible until the consumer has paid; afterwards it is 405.',
    requests: [
      {
        summary: 'One pair, and shipping',
        value: {
          amount: 54_900,
          items: [
            story.onePair,
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
    ],
    success: { status: 204, description: 'The cart is updated.' },
    refused: [
      problem('Neither items nor orderItems', { field: 'items', text: 'is required' }),
      BODY_MISSING,
      ...refusedFor('cart', reserved, [RESERVED, TERMINATED, EXPIRED]),
    ],
  },
  updateReference: {
    tag: 'Payments',
    summary: 'Update the reference',
    description:
      'Updates the reference of the order, the address of the checkout, or both. Possible until the payment is ' +
      'terminated or cancelled in full; then it is 405.',
    requests: [
      {
        summary: 'Both',
        value: { reference: 'order-1-b', checkoutUrl: 'https://shop.example/checkout?order=1-b' },
      },
    ],
    success: { status: 204, description: 'The reference is updated.' },
    refused: [
      problem('Neither of the two', { field: 'reference', text: 'is required, or checkoutUrl' }),
      BODY_MISSING,
      ...refusedFor('reference', reserved, [TERMINATED, CANCELLED]),
    ],
  },
  updateMyReference: {
    tag: 'Payments',
    summary: 'Update your own reference',
    description: 'Sets a second reference of your own, shown as `payment.myReference`.',
    requests: [{ summary: 'A reference of your own', value: { myReference: 'warehouse-7' } }],
    success: { status: 204, description: 'The reference is set.' },
    refused: [
      problem('A reference that is too long', {
        field: 'myReference',
        text: 'must have at most 36 characters, found a text of 40 characters',
      }),
      BODY_MISSING,
      ...refusedFor('reference', reserved, [TERMINATED, CANCELLED]),
    ],
  },
  terminatePayment: {
    tag: 'Payments',
    summary: 'Terminate a payment',
    description:
      'Closes a payment that was never paid, for good: the consumer can no longer pay it. Doing it again changes ' +
      'nothing and is 204 as well. Once the consumer has paid it is 405; then cancel or refund. While it is not known ' +
      'whether they have, it is 409. Takes no body.',
    success: { status: 204, description: 'The payment is terminated.' },
    refused: [
      BAD_ID('paymentId'),
      ...refusedFor('terminate', reserved, [
        RESERVED,
        ['Its reservation is under way', { name: 'reservation_is_pending' }],
      ]),
    ],
  },
  listPaymentMethods: {
    tag: 'Payments',
    summary: 'List payment methods',
    description: 'With what your consumers can pay, for each currency.',
    success: {
      status: 200,
      description: 'The methods.',
      schema: PaymentMethods,
      examples: [
        {
          summary: 'A part of the list',
          value: [
            { name: 'Visa', paymentType: 'CARD', currency: 'SEK', enabled: true },
            { name: 'EasyInvoice', paymentType: 'INVOICE', currency: 'SEK', enabled: true },
          ],
        },
      ],
    },
    refused: [problem('A currency that there is not', { field: 'currency', text: FORMAT_TEXTS['currency'] as string })],
  },
} as const satisfies Record<string, OperationDoc>;
