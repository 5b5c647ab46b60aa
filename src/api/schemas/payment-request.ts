// The bodies of create, cart and reference: which fields are required, how long and how large each may be. What an item, a
// consumer and a text may be stands in src/api/schemas; what depends on another field is checked by the route.
import { LONGEST_INTERVAL_DAYS } from '../../domain/subscription.ts';
import * as Type from '../../schema/type.ts';
import { ConsumerSchema } from './consumer.ts';
import { OrderItems, OrderItemSchema } from './item.ts';
import { Amount, Country, Currency, HIGHEST_AMOUNT, LooseText, Text, WebUrl } from './values.ts';

const MOST_WEBHOOKS = 32;
const MOST_COUNTRIES = 300;
// Far more than there are methods.
export const MOST_METHODS = 64;

const Countries = (description: string) =>
  Type.Array(
    Type.Object(
      { countryCode: Country },
      {
        title: 'ShippingCountry',
        description: 'The code alone, as in `["SWE"]`, is taken as well.',
        'x-text-as': 'countryCode',
      },
    ),
    { maxItems: MOST_COUNTRIES, description },
  );

const ConsumerKind = Type.String({ enum: ['B2C', 'B2B'] });

export const OrderSchema = Type.Object(
  {
    items: OrderItems,
    amount: Amount,
    currency: Currency,
    reference: Type.Optional(LooseText(128, 'Your reference of the order.')),
  },
  { title: 'Order', description: 'The amount equals the sum of the grossTotalAmount of the items, exactly.' },
);

const CheckoutSchema = Type.Object(
  {
    url: Type.Optional(WebUrl('The page of your shop that holds the checkout. Required unless HostedPaymentPage.')),
    integrationType: Type.Optional(
      Type.String({
        enum: ['EmbeddedCheckout', 'HostedPaymentPage'],
        description: 'Inside a page of your shop (by default), or on a page of its own.',
      }),
    ),
    returnUrl: Type.Optional(WebUrl('Where the consumer goes after paying. Required with HostedPaymentPage.')),
    cancelUrl: Type.Optional(WebUrl('Where the consumer goes after giving up.')),
    termsUrl: Type.Optional(WebUrl('The terms of your shop.')),
    merchantTermsUrl: Type.Optional(WebUrl('Taken for termsUrl.')),
    ShippingCountries: Type.Optional(Countries('Where you ship to.')),
    shippingCountries: Type.Optional(Countries('The same spelled otherwise. Both at once is 400.')),
    shipping: Type.Optional(
      Type.Object({
        countries: Type.Optional(Countries('Taken when neither of the two above is there.')),
        merchantHandlesShippingCost: Type.Optional(
          Type.Boolean({ description: 'true: the cart is updated with the cost once the address is known.' }),
        ),
        enableBillingAddress: Type.Optional(
          Type.Boolean({ description: 'Without effect: the checkout always takes another billing address.' }),
        ),
      }),
    ),
    countryCode: Type.Optional(
      LooseText(3, 'Where you take the consumer to live: the checkout proposes that country. ISO 3166.'),
    ),
    charge: Type.Optional(Type.Boolean({ description: 'true: the reservation is charged at once.' })),
    publicDevice: Type.Optional(Type.Boolean({ description: 'true: nothing is remembered on the device.' })),
    merchantHandlesConsumerData: Type.Optional(
      Type.Boolean({ description: 'true: your shop gives the consumer, and the checkout does not ask.' }),
    ),
    consumer: Type.Optional(ConsumerSchema),
    consumerType: Type.Optional(
      Type.Object({
        default: Type.Optional(ConsumerKind),
        supportedTypes: Type.Optional(Type.Array(ConsumerKind, { maxItems: 2 })),
      }),
    ),
    appearance: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  { title: 'Checkout', description: 'How the consumer is met.' },
);

const WebHookSchema = Type.Object(
  {
    eventName: Text(64, 'For example payment.charge.created.'),
    url: WebUrl('Where the event is sent.'),
    authorization: Type.Optional(
      Type.String({
        minLength: 8,
        maxLength: 64,
        format: 'header-value',
        description: 'Sent as it stands in the Authorization header; left out, there is none.',
      }),
    ),
    headers: Type.Optional(
      Type.Array(
        Type.Record(Type.String(), Type.String({ maxLength: 1_024, format: 'header-value' }), { maxProperties: 32 }),
        {
          maxItems: 32,
        },
      ),
    ),
  },
  { title: 'WebHook', description: 'An event that you want to hear of.' },
);
const WebHooks = Type.Array(WebHookSchema, { maxItems: MOST_WEBHOOKS });

export const MethodConfigurationSchema = Type.Object(
  {
    name: Type.Optional(Text(64, 'A method, such as Visa or EasyInvoice, or a type: Card, Invoice. In any case.')),
    enabled: Type.Optional(Type.Boolean({ description: 'true by default.' })),
  },
  { title: 'PaymentMethodConfiguration' },
);

export const PaymentMethodFees = Type.Array(
  Type.Object(
    {
      name: Type.Optional(Text(64, 'The method; easy-invoice has a fee, also called easyinvoice.')),
      fee: Type.Optional(OrderItemSchema),
    },
    { title: 'PaymentMethodFee' },
  ),
  {
    maxItems: MOST_METHODS,
    description:
      'What paying by a method adds to the order, on top of its amount: it is an item of the order once the payment is reserved so.',
  },
);

const AdditionalDataSchema = Type.Object(
  {
    riverty: Type.Optional(Type.Object({}, { additionalProperties: true })),
    payPal: Type.Optional(Type.Object({ orderReference: Type.Optional(LooseText(127)) })),
  },
  {
    title: 'AdditionalPaymentMethodData',
    description: 'For methods that Kassa does not have: taken and not kept. At most 8,192 characters as JSON.',
  },
);

export const NotificationsSchema = Type.Object({
  webHooks: Type.Optional(WebHooks),
  webhooks: Type.Optional(WebHooks),
});

export const SubscriptionId = LooseText(128, 'Of a subscription, with dashes or without.');

const SubscriptionSchema = Type.Object(
  {
    subscriptionId: Type.Optional(SubscriptionId),
    endDate: Type.Optional(
      Type.String({ format: 'moment', description: 'No charge after it; 5 years from now when left out.' }),
    ),
    interval: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LONGEST_INTERVAL_DAYS,
        description: 'Least days between charges, by UTC date; 0, which is no limit, when left out.',
      }),
    ),
    allowVariableAmount: Type.Optional(Type.Boolean({ description: 'Shown to the consumer and kept; not enforced.' })),
  },
  {
    title: 'SubscriptionRequest',
    description:
      'A new subscription, with {} one that has no limit but its end in 5 years; with subscriptionId, another card for one ' +
      'that there is.',
  },
);

const UnscheduledSchema = Type.Object(
  {
    create: Type.Optional(Type.Boolean({ description: 'true: a new one. false without an id: none.' })),
    unscheduledSubscriptionId: Type.Optional(SubscriptionId),
  },
  {
    title: 'UnscheduledSubscriptionRequest',
    description:
      'A new one, which is charged whenever it is needed; with an id, another card for one that there is. An object ' +
      'without either is refused.',
  },
);

/** A card can be registered without a purchase: only with a subscription may the amount be 0. */
const CreatedOrderSchema = Type.Object(
  {
    ...OrderSchema.properties,
    amount: Type.Integer({
      minimum: 0,
      maximum: HIGHEST_AMOUNT,
      description: "In the currency's minor unit: 100000 is 1,000.00 SEK. 0 is allowed with a subscription alone.",
    }),
  },
  { title: 'CreatedOrder', description: 'The amount equals the sum of the grossTotalAmount of the items, exactly.' },
);

export const CreateSchema = Type.Object(
  {
    order: CreatedOrderSchema,
    checkout: CheckoutSchema,
    notifications: Type.Optional(NotificationsSchema),
    subscription: Type.Optional(SubscriptionSchema),
    unscheduledSubscription: Type.Optional(UnscheduledSchema),
    myReference: Type.Optional(LooseText(36, 'A second reference of your own.')),
    paymentMethodsConfiguration: Type.Optional(
      Type.Array(MethodConfigurationSchema, {
        maxItems: MOST_METHODS,
        description:
          'Once one method or type is listed, all others are off, for good. Left out or empty: all but the apps Swish (SEK), Vipps (NOK) and MobilePay (DKK, EUR), which a test merchant has to name. A method that you do not have has no effect.',
      }),
    ),
    paymentMethods: Type.Optional(PaymentMethodFees),
    merchantNumber: Type.Optional(
      Type.String({
        maxLength: 64,
        format: 'text',
        description: 'Without effect: the key says whose payment it is. A whole number is taken as text.',
        'x-number-as-text': true,
      }),
    ),
    additionalPaymentMethodData: Type.Optional(AdditionalDataSchema),
  },
  { title: 'PaymentRequest' },
);

export type CreateBody = Type.Static<typeof CreateSchema>;
