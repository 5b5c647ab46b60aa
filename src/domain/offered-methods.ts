// Payment methods: those that Kassa supports, others that clients of this API know, and which of them a payment offers. A
// shop that names some at the create permanently turns off all others.
import { refuse } from './decision.ts';
import type { Refused } from './decision.ts';
import type { Payment, PaymentMethod } from './payment.ts';

type Method = {
  readonly name: string;
  readonly type: string;
  readonly paymentType: PaymentMethod['paymentType'];
  /** Of an app. It is simulated, for test merchants, and offered where the shop asks for it by its name or type. */
  readonly currencies?: readonly string[];
};

export const METHODS: readonly Method[] = [
  { name: 'Visa', type: 'Card', paymentType: 'CARD' },
  { name: 'MasterCard', type: 'Card', paymentType: 'CARD' },
  { name: 'EasyInvoice', type: 'Invoice', paymentType: 'INVOICE' },
  { name: 'Swish', type: 'A2A', paymentType: 'A2A', currencies: ['SEK'] },
  { name: 'Vipps', type: 'Wallet', paymentType: 'WALLET', currencies: ['NOK'] },
  { name: 'MobilePay', type: 'Wallet', paymentType: 'WALLET', currencies: ['DKK', 'EUR'] },
];

const NAMES = METHODS.map(({ name }) => name);
/** What a payment offers whose shop chose nothing. */
export const USUAL_METHODS = METHODS.filter(({ currencies }) => currencies === undefined).map(({ name }) => name);

/** The consumer approves it in an app of their own, outside the checkout. */
export const isInApp = ({ paymentType }: Pick<PaymentMethod, 'paymentType'>): boolean =>
  paymentType === 'A2A' || paymentType === 'WALLET';

/** Whether it can be had in this currency. */
export const isInCurrency = ({ currencies }: Method, currency: string): boolean =>
  currencies?.includes(currency) ?? true;

/** Methods that Kassa does not support, by type where known. Naming them is allowed and has no effect. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  Card: ['Dankort', 'AmericanExpress', 'Forbrugsforeningen'],
  Invoice: ['RatePayInvoice'],
  Installment: ['EasyInstallment', 'RatePayInstallment'],
  A2A: ['Sofort', 'Trustly'],
  Wallet: ['PayPal', 'ApplePay', 'GooglePay'],
  '': ['Arvato', 'EasyCampaign', 'RatePaySepa', 'Klarna'],
};

/** easy-invoice and EASYINVOICE are EasyInvoice. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\da-z]/g, '');

const types = new Map(Object.keys(ELSEWHERE).map((type) => [plain(type), type]));
types.delete('');
const typesOfMethods = new Map([
  ...METHODS.map(({ name, type }) => [plain(name), type] as const),
  ...Object.entries(ELSEWHERE).flatMap(([type, names]) => names.map((name) => [plain(name), type] as const)),
]);

/** The method of ours that is called so, in whatever case. */
export const methodNamed = (name: string): string | undefined => NAMES.find((known) => plain(known) === plain(name));

/** Whether it is a method, here or elsewhere. */
export const isMethod = (name: string): boolean => typesOfMethods.has(plain(name));

export type Configured = { readonly name: string; readonly enabled: boolean };

/** A contradiction in a configuration: the entry, and the reason. */
export type Contradiction = { readonly index: number; readonly text: string };

function contradictionIn(configuration: readonly Configured[]): Contradiction | undefined {
  for (const [index, { name, enabled }] of configuration.entries()) {
    const same = configuration.findIndex((other) => plain(other.name) === plain(name));
    if (same < index && configuration[same]?.enabled !== enabled)
      return { index, text: 'is listed twice, once enabled and once not' };
    const type = types.get(plain(name));
    const beside = configuration.find((other) => type && typesOfMethods.get(plain(other.name)) === type);
    if (beside) return { index, text: `a type cannot stand beside a method of it, which ${beside.name} is` };
  }
  return undefined;
}

/** For whom methods are chosen: of a live merchant no method is simulated. */
type For = { readonly currency: string; readonly live: boolean };

/** The methods that are left of ours, or what is wrong with the configuration. */
export function chooseMethods(
  configuration: readonly Configured[],
  { currency, live }: For,
): readonly string[] | Contradiction {
  const contradiction = contradictionIn(configuration);
  if (contradiction) return contradiction;
  const enabled = new Set(configuration.filter((entry) => entry.enabled).map(({ name }) => plain(name)));
  const there = METHODS.filter((method) => isInCurrency(method, currency) && !(live && isInApp(method)));
  const left = there.filter(({ name, type }) => enabled.has(plain(name)) || enabled.has(plain(type)));
  if (left.length > 0) return left.map(({ name }) => name);
  const [names, kinds] = [there.map(({ name }) => name), [...new Set(there.map(({ type }) => type))]];
  const text = `leaves no method to pay with; in ${currency} there are ${names.join(', ')}, by type ${kinds.join(', ')}`;
  return { index: 0, text };
}

const CARDS = new Set(METHODS.filter(({ paymentType }) => paymentType === 'CARD').map(({ name }) => name));

/** What a consumer can choose from. Only a card can be charged again. */
export function offeredMethods({ checkout }: Pick<Payment, 'checkout'>): readonly string[] {
  const { methods = USUAL_METHODS, subscription } = checkout;
  return subscription === undefined ? methods : methods.filter((name) => CARDS.has(name));
}

/** The names of the apps among them. */
export const offeredApps = (payment: Pick<Payment, 'checkout'>): readonly string[] =>
  METHODS.filter((method) => isInApp(method) && offeredMethods(payment).includes(method.name)).map(({ name }) => name);

export function refuseUnlessOffered(
  payment: Pick<Payment, 'checkout'>,
  { paymentMethod, paymentType }: PaymentMethod,
): Refused | undefined {
  const offered = offeredMethods(payment);
  if (offered.includes(paymentMethod)) return undefined;
  return refuse({ name: 'method_is_not_offered', paymentType, method: paymentMethod, offered });
}
