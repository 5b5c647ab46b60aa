// What a visitor of the demo shop asks for, and the body of the create that follows from it: the same that a shop's own
// backend would send.
import { LANGUAGES, localeOf, nameOf } from '../pages/language.ts';
import * as Type from '../schema/type.ts';
import { sumOfItems } from '../domain/item.ts';
import type { OrderItem } from '../domain/item.ts';
import { coffeeLineOf, CURRENCIES, linesOf, MOST_OF_ONE, PRODUCT_IDS, SHIPS_TO } from './catalogue.ts';

/** As shops name them, by their own names. */
export const CHECKOUT_LANGUAGES: Readonly<Record<string, string>> = Object.fromEntries(
  LANGUAGES.map((language) => [localeOf(language), nameOf(language)]),
);

const Quantity = Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_OF_ONE }));
const Choice = Type.Optional(Type.Boolean());
const Language = Type.Optional(Type.String({ enum: Object.keys(CHECKOUT_LANGUAGES) }));

export const ScenarioSchema = Type.Object({
  items: Type.Object({ [PRODUCT_IDS[0]]: Quantity, [PRODUCT_IDS[1]]: Quantity, [PRODUCT_IDS[2]]: Quantity }),
  mode: Type.Unsafe<'embedded' | 'hosted'>(Type.String({ enum: ['embedded', 'hosted'] })),
  currency: Type.Optional(Type.Unsafe<(typeof CURRENCIES)[number]>(Type.String({ enum: [...CURRENCIES] }))),
  language: Language,
  /** Charged as soon as it is paid. */
  charge: Choice,
  /** Companies may buy as well. */
  company: Choice,
  /** The shop adds the cost of shipping once it knows the address; the embedded checkout alone tells it. */
  shipping: Choice,
  /** The shop knows the consumer already. */
  consumer: Choice,
  /** Coffee by subscription, and nothing else: the least days between two charges. */
  interval: Type.Optional(Type.Integer({ minimum: 0, maximum: 365 })),
});
export type Scenario = Type.Static<typeof ScenarioSchema>;

export const currencyOf = ({ currency = 'SEK' }: Scenario): (typeof CURRENCIES)[number] => currency;
export const languageOf = ({ language = 'en-GB' }: Scenario): string => language;
/** What is charged again has one price. */
export const addsShipping = ({ shipping = false, mode, interval }: Scenario): boolean =>
  shipping && mode === 'embedded' && interval === undefined;
export const itemsOf = (scenario: Scenario): OrderItem[] =>
  scenario.interval === undefined
    ? linesOf(scenario.items, currencyOf(scenario))
    : [coffeeLineOf(currencyOf(scenario))];

/** Marks the payments of the demo shop, which shows and moves no others. */
export const DEMO_REFERENCE = 'kassa-demo-shop';

const KNOWN_CONSUMER = {
  email: 'alva.lindqvist@example.com',
  phoneNumber: { prefix: '+46', number: '701234567' },
  shippingAddress: { addressLine1: 'Storgatan 1', postalCode: '11123', city: 'Stockholm', country: 'SWE' },
  privatePerson: { firstName: 'Alva', lastName: 'Lindqvist' },
};

/** `shop` is the address of the demo shop. */
export function createBodyOf(scenario: Scenario, shop: string, orderNumber: string): object {
  const items = itemsOf(scenario);
  const checkout = {
    termsUrl: `${shop}/terms`,
    shippingCountries: SHIPS_TO.map((countryCode) => ({ countryCode })),
    consumerType: { default: 'B2C', supportedTypes: scenario.company ? ['B2C', 'B2B'] : ['B2C'] },
    ...(scenario.charge && { charge: true }),
    ...(addsShipping(scenario) && { shipping: { merchantHandlesShippingCost: true } }),
    ...(scenario.consumer && { merchantHandlesConsumerData: true, consumer: KNOWN_CONSUMER }),
  };
  const way =
    scenario.mode === 'hosted'
      ? { integrationType: 'HostedPaymentPage', returnUrl: `${shop}/orders`, cancelUrl: `${shop}?left=checkout` }
      : { integrationType: 'EmbeddedCheckout', url: `${shop}/checkout` };
  return {
    order: { items, amount: sumOfItems(items), currency: currencyOf(scenario), reference: orderNumber },
    checkout: { ...way, ...checkout },
    ...(scenario.interval !== undefined && { subscription: { interval: scenario.interval } }),
    myReference: DEMO_REFERENCE,
  };
}
