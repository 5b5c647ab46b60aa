// The bodies of create, cart, reference and the moves of money.
import { Type } from 'typebox';
import { ConsumerSchema } from './consumer.ts';
import { MovedItems, OrderItems } from './item.ts';
import { Amount, Country, Currency, LooseText, Text, WebUrl } from './values.ts';

const MOST_WEBHOOKS = 32;
const MOST_COUNTRIES = 300;

const Countries = Type.Array(Type.Object({ countryCode: Country }), { maxItems: MOST_COUNTRIES });

const ConsumerKind = Type.String({ enum: ['B2C', 'B2B'] });

export const OrderSchema = Type.Object({
  items: OrderItems,
  amount: Amount,
  currency: Currency,
  reference: Type.Optional(LooseText(128)),
});

export const CheckoutSchema = Type.Object({
  url: Type.Optional(WebUrl),
  integrationType: Type.Optional(Type.String({ enum: ['EmbeddedCheckout', 'HostedPaymentPage'] })),
  returnUrl: Type.Optional(WebUrl),
  cancelUrl: Type.Optional(WebUrl),
  termsUrl: Type.Optional(WebUrl),
  merchantTermsUrl: Type.Optional(WebUrl),
  ShippingCountries: Type.Optional(Countries),
  shippingCountries: Type.Optional(Countries),
  shipping: Type.Optional(
    Type.Object({
      countries: Type.Optional(Countries),
      merchantHandlesShippingCost: Type.Optional(Type.Boolean()),
    }),
  ),
  charge: Type.Optional(Type.Boolean({ description: 'true: the reservation is charged at once.' })),
  publicDevice: Type.Optional(Type.Boolean()),
  merchantHandlesConsumerData: Type.Optional(Type.Boolean()),
  consumer: Type.Optional(ConsumerSchema),
  consumerType: Type.Optional(
    Type.Object({
      default: Type.Optional(ConsumerKind),
      supportedTypes: Type.Optional(Type.Array(ConsumerKind, { maxItems: 2 })),
    }),
  ),
  appearance: Type.Optional(Type.Object({}, { additionalProperties: true })),
});

const WebHookSchema = Type.Object({
  eventName: Text(64),
  url: WebUrl,
  authorization: Type.String({ minLength: 8, maxLength: 64, format: 'text' }),
  headers: Type.Optional(Type.Array(Type.Record(Type.String(), Type.String()), { maxItems: 32 })),
});
const WebHooks = Type.Array(WebHookSchema, { maxItems: MOST_WEBHOOKS });

export const CreateSchema = Type.Object({
  order: OrderSchema,
  checkout: CheckoutSchema,
  notifications: Type.Optional(Type.Object({ webHooks: Type.Optional(WebHooks), webhooks: Type.Optional(WebHooks) })),
  myReference: Type.Optional(LooseText(36)),
});

export const MoveSchema = Type.Object({ amount: Amount, orderItems: Type.Optional(MovedItems) });

export const CartSchema = Type.Object({
  amount: Type.Optional(Amount),
  items: Type.Optional(OrderItems),
  orderItems: Type.Optional(OrderItems),
  shipping: Type.Optional(Type.Object({ costSpecified: Type.Optional(Type.Boolean()) })),
});

export const ReferenceSchema = Type.Object({
  reference: Type.Optional(Text(128)),
  checkoutUrl: Type.Optional(WebUrl),
});

export const MyReferenceSchema = Type.Object({ myReference: Text(36) });

export const SandboxReserveSchema = Type.Object({
  card: Type.Optional(Type.String({ maxLength: 32, description: 'A test card number.' })),
  paymentType: Type.Optional(Type.String({ enum: ['CARD', 'INVOICE'] })),
  consumer: Type.Optional(ConsumerSchema),
});

export type CreateBody = Type.Static<typeof CreateSchema>;
export type MoveBody = Type.Static<typeof MoveSchema>;
export type CartBody = Type.Static<typeof CartSchema>;
export type ReferenceBody = Type.Static<typeof ReferenceSchema>;
export type SandboxReserveBody = Type.Static<typeof SandboxReserveSchema>;
