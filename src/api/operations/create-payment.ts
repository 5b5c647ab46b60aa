// POST /v1/payments: reads the order and the settings of its checkout, and creates the payment.
import { readCountry } from '../../domain/country.ts';
import { create } from '../../domain/create.ts';
import type { CreateCommand } from '../../domain/create.ts';
import { refuseFeeOutOfRange } from '../../domain/fee.ts';
import type { Checkout } from '../../domain/payment.ts';
import { refuseIfOrderTooLarge } from '../../domain/size.ts';
import { reachOf } from '../../events/addresses.ts';
import type { Reach } from '../../events/addresses.ts';
import { nowOf } from '../../payments/clock.ts';
import { operateCreate } from '../../payments/operate-create.ts';
import { keyIdOf } from '../../server/asker.ts';
import { FORMAT_TEXTS, holdsOnlyTexts } from '../../server/formats.ts';
import { badField, BadRequest } from '../../server/problem.ts';
import { spendMore } from '../../server/rate-limit.ts';
import { describeFee, describeTooLarge } from '../dialects/refusal.ts';
import { spec } from '../dialects/spec.ts';
import { created, hosted, presentation, sneakers } from '../openapi/story.ts';
import { answers, BODY_MISSING, bodyOf, operation, problem, problemInNexi, problems } from '../operation.ts';
import { answerOutcome, presenterOf, recorderOf } from '../outcome.ts';
import { asksForSubscription, readAgreement, withAgreement } from '../parts/agreement.ts';
import { isName } from '../parts/event-input.ts';
import { offerOnlyIssued, readFees, readMethods, requireAdditionalData } from '../parts/method-input.ts';
import { readWebHooks } from '../parts/web-hooks.ts';
import { dialectOf, idempotencyOf, presentationContextOf } from '../request.ts';
import { readConsumer } from '../schemas/consumer.ts';
import { CreateSchema } from '../schemas/payment-request.ts';
import type { CreateBody } from '../schemas/payment-request.ts';
import { PaymentCreated } from '../schemas/payment.ts';
import { HIGHEST_AMOUNT } from '../schemas/values.ts';
import { readPicturedItems, requireFewRates, requireSum } from '../sum-rule.ts';

const LONGEST_PLATFORM_TAG = 128;

function requireUrls({ checkout }: CreateBody): void {
  const isHosted = checkout.integrationType === 'HostedPaymentPage';
  if (isHosted && checkout.returnUrl === undefined)
    throw new BadRequest([{ field: 'checkout.returnUrl', text: 'is required with HostedPaymentPage' }]);
  if (!isHosted && checkout.url === undefined) throw new BadRequest([{ field: 'checkout.url', text: 'is required' }]);
}

function readShippingCountries({ checkout }: CreateBody): string[] | undefined {
  const { ShippingCountries: spelled, shippingCountries: alias, shipping } = checkout;
  if (spelled && alias) {
    const text = 'must be given once, as ShippingCountries or as shippingCountries';
    throw new BadRequest([{ field: 'checkout.ShippingCountries', text }]);
  }
  const countries = spelled ?? alias ?? shipping?.countries;
  return countries?.map(({ countryCode }) => readCountry(countryCode) as string);
}

function readCountryCode(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const country = readCountry(text);
  if (country === undefined) throw badField('checkout.countryCode', FORMAT_TEXTS['country'] as string);
  return country;
}

// Colours and a few words. It is part of every read of the payment, so it must be small.
const LARGEST_APPEARANCE = 8_192;

/** Stored as received, so the schema knows neither its names nor its texts. */
function requireAppearance(appearance: unknown): void {
  if (appearance === undefined) return;
  if (!holdsOnlyTexts(appearance)) throw badField('checkout.appearance', FORMAT_TEXTS['text'] as string);
  const { length } = JSON.stringify(appearance);
  if (length > LARGEST_APPEARANCE)
    throw badField(
      'checkout.appearance',
      `must have at most ${LARGEST_APPEARANCE} characters as JSON, found ${length}`,
    );
}

function readConsumerType({ checkout: { consumerType } }: CreateBody): Checkout['consumerType'] {
  if (consumerType === undefined) return undefined;
  const { default: first, supportedTypes } = consumerType;
  return { ...(first !== undefined && { default: first }), ...(supportedTypes && { supportedTypes }) };
}

function readCheckout(body: CreateBody, reach: Reach, platform: string | undefined): Checkout {
  const { checkout, order } = body;
  const methods = readMethods(body.paymentMethodsConfiguration, {
    currency: order.currency.toUpperCase(),
    live: reach === 'live',
  });
  requireAppearance(checkout.appearance);
  requireAdditionalData(body.additionalPaymentMethodData);
  const given: { [Field in keyof Checkout]: Checkout[Field] | undefined } = {
    integrationType: checkout.integrationType === 'HostedPaymentPage' ? 'HostedPaymentPage' : 'EmbeddedCheckout',
    returnUrl: checkout.returnUrl,
    cancelUrl: checkout.cancelUrl,
    termsUrl: checkout.termsUrl ?? checkout.merchantTermsUrl,
    charge: checkout.charge,
    publicDevice: checkout.publicDevice,
    merchantHandlesConsumerData: checkout.merchantHandlesConsumerData,
    consumerType: readConsumerType(body),
    shippingCountries: readShippingCountries(body),
    merchantHandlesShippingCost: checkout.shipping?.merchantHandlesShippingCost,
    appearance: checkout.appearance as Checkout['appearance'],
    webHooks: readWebHooks(body, reach),
    platform: platform?.slice(0, LONGEST_PLATFORM_TAG),
    methods,
    fees: readFees(body.paymentMethods, methods),
    countryCode: readCountryCode(checkout.countryCode),
  };
  // Stored as JSON, which leaves out undefined fields.
  return given as Checkout;
}

/** Nothing can be bought for 0, but a card can be registered for a subscription. */
function requireAmount(body: CreateBody): void {
  if (body.order.amount > 0 || asksForSubscription(body)) return;
  const text = `must be a whole number from 1 to ${HIGHEST_AMOUNT}, found 0`;
  throw new BadRequest([{ field: 'order.amount', text, kind: 'amount_not_positive' }]);
}

function readCommand(body: CreateBody, reach: Reach, platform: string | undefined): CreateCommand {
  requireUrls(body);
  const { order, checkout } = body;
  const items = readPicturedItems(order.items);
  requireAmount(body);
  requireSum('order.amount', order.amount, items);
  requireFewRates('order.items', items);
  const command = {
    order: {
      amount: order.amount,
      currency: order.currency.toUpperCase(),
      ...(order.reference && { reference: order.reference }),
      items,
    },
    ...(checkout.url !== undefined && { checkoutUrl: checkout.url }),
    checkout: readCheckout(body, reach, platform),
    consumer: readConsumer(checkout.consumer),
    ...(body.myReference && { myReference: body.myReference }),
  };
  const refusal = refuseIfOrderTooLarge(command)?.refusal;
  if (refusal?.name === 'order_is_too_large') throw badField('order.items', describeTooLarge(refusal));
  const fee = refuseFeeOutOfRange(command)?.refusal;
  if (fee?.name === 'amount_with_fee_is_out_of_range') throw badField('paymentMethods', describeFee(fee));
  return command;
}

// Every event is sent to each hook. Shops have a handful; beyond that each counts as a request.
const FREE_HOOKS = 8;

// A name made up by the shop can hold anything; only one that looks like a name is logged.
const PLAIN_NAME = /^[a-z][a-z.\d]{0,63}$/i;

/** Unknown event names in hooks: accepted, since existing clients list names that they have heard of, but never sent. */
const unknownNames = ({ checkout: { webHooks = [] } }: CreateCommand): string[] =>
  webHooks
    .filter(({ eventName }) => !isName(eventName))
    .map(({ eventName }) => (PLAIN_NAME.test(eventName) ? eventName : '*'));

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

export const createPayment = operation('createPayment', 'POST /v1/payments', 'money', {
  body: CreateSchema,
  config: { operation: 'create', keyed: true },
  tag: 'Payments',
  summary: 'Create a payment',
  description:
    'Creates a payment that holds the order. Its `paymentId` is what the checkout is initialized with; with ' +
    '`integrationType` HostedPaymentPage the answer also holds the address of the page on which the consumer pays.',
  header: 'CommercePlatformTag',
  requests: {
    'Checkout inside a page of your shop': { order, checkout: { url: 'https://shop.example/checkout' } },
    'Hosted payment page, consumer known, one event': HOSTED_REQUEST,
  },
  success: answers(201, 'The payment is created.', PaymentCreated, {
    'Checkout inside a page of your shop': bodyOf(spec.created(created, presentation)),
    'Hosted payment page': bodyOf(spec.created(hosted, presentation)),
  }),
  refused: [
    problems('The amount is not the sum of the items', SUM_DIFFERS),
    problems(
      'Several fields at once',
      { field: 'order.items[0].name', text: 'is required' },
      { field: 'order.currency', text: 'must be an active ISO 4217 currency code such as EUR, found "SKR"' },
    ),
    problem(
      'An address that events are not sent to',
      'notifications.webHooks[0].url',
      'must not lead to a link-local address',
    ),
    BODY_MISSING,
    problemInNexi('The amount is not the sum of the items', 'create', SUM_DIFFERS),
  ],
  handler: async (request, context, reply) => {
    const merchant = request.merchant;
    const tag = request.headers['commerceplatformtag'];
    const platform = typeof tag === 'string' ? tag : undefined;
    const reach = reachOf(merchant.live, context.privateHooks);
    const { body } = request;
    const read = readCommand(body, reach, platform);
    const command = { ...read, checkout: offerOnlyIssued(read.checkout, merchant) };
    const agreement = await readAgreement(context.payments.store.pool, merchant.id, body, nowOf(merchant));
    spendMore(request, Math.max(0, (command.checkout.webHooks?.length ?? 0) - FREE_HOOKS));
    const names = unknownNames(command);
    if (names.length > 0)
      request.log.warn({ merchant: merchant.id, names }, 'a hook of a payment waits for events that there are not');
    const present = presenterOf<undefined>(request, context, 'create', (outcome) => {
      const { payment } = outcome.kind === 'made' ? outcome.change : outcome;
      return dialectOf(request).created(payment, presentationContextOf(request, context));
    });
    const outcome = await operateCreate(context.payments, {
      merchant,
      idempotency: idempotencyOf(request),
      keyId: keyIdOf(request),
      decide: (id, at) => create(id, merchant.id, withAgreement(command, agreement, id, at)),
      recordAnswer: recorderOf(present),
    });
    return answerOutcome(request, reply, outcome, present);
  },
});
