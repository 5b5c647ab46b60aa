// The subscription that the demo shop sells: what its backend asks the API for, and what it reads out of the answer.
import { sumOfItems } from '../domain/item.ts';
import type { ApiRequest } from './api.ts';
import { coffeeLineOf, CURRENCIES } from './catalogue.ts';
import { DEMO_REFERENCE } from './scenario.ts';

export type SubscriptionState = 'active' | 'needs_card' | 'ended' | 'expired';

export type ShownSubscription = {
  readonly subscriptionId: string;
  readonly state: SubscriptionState;
  /** Least days between charges. */
  readonly interval: number;
  readonly endDate?: string;
  readonly agreedAt?: string;
  readonly endedBy?: string;
  readonly card?: string;
  readonly consumerPageUrl?: string;
};

const STATES: readonly SubscriptionState[] = ['active', 'needs_card', 'ended', 'expired'];

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

export const readRequestOf = (subscriptionId: string): ApiRequest => ({
  method: 'GET',
  path: `/v1/subscriptions/${subscriptionId}`,
  operationId: 'getSubscription',
});

export function readSubscription(answer: unknown): ShownSubscription | undefined {
  const shown = fields(answer);
  const subscriptionId = text(shown['subscriptionId']);
  if (subscriptionId === undefined) return undefined;
  const { paymentMethod, cardDetails } = fields(shown['paymentDetails']);
  const known = {
    endDate: text(shown['endDate']),
    agreedAt: text(fields(shown['consent'])['agreedAt']),
    endedBy: text(shown['endedBy']),
    card: [text(paymentMethod), text(fields(cardDetails)['maskedPan'])].filter(Boolean).join(' '),
    consumerPageUrl: text(shown['consumerPageUrl'])?.match(/^https?:\/\/\S+$/)?.[0],
  };
  return {
    subscriptionId,
    state: STATES.find((state) => state === shown['state']) ?? 'active',
    interval: typeof shown['interval'] === 'number' ? shown['interval'] : 0,
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
  };
}

/** The next delivery: an order of its own, charged with the stored card. */
export function renewalOf(subscriptionId: string, currency: string, reference: string, once: string): ApiRequest {
  const items = [coffeeLineOf(CURRENCIES.find((known) => known === currency) ?? 'SEK')];
  const order = { items, amount: sumOfItems(items), currency, reference };
  return {
    method: 'POST',
    path: `/v1/subscriptions/${subscriptionId}/charges`,
    operationId: 'chargeSubscription',
    body: { order, myReference: DEMO_REFERENCE },
    idempotencyKey: once,
  };
}
