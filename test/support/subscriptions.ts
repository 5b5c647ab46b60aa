// Subscriptions for tests: how both kinds are spelled, and one that a finished checkout has made.
import { anItem, anOrder } from './client.ts';
import type { Client, Reply } from './client.ts';

export const SUBSCRIPTION_PATHS = {
  scheduled: {
    path: '/v1/subscriptions',
    idName: 'subscriptionId',
    listName: 'subscriptions',
    asked: (changes: object = {}) => ({ subscription: { interval: 0, ...changes } }),
    update: (id: string) => ({ subscription: { subscriptionId: id } }),
    idIn: (payment: Reply['body']) => payment.subscription?.id as string,
  },
  unscheduled: {
    path: '/v1/unscheduledsubscriptions',
    idName: 'unscheduledSubscriptionId',
    listName: 'unscheduledSubscriptions',
    asked: (_changes: object = {}) => ({ unscheduledSubscription: { create: true, unscheduledSubscriptionId: null } }),
    update: (id: string) => ({ unscheduledSubscription: { create: null, unscheduledSubscriptionId: id } }),
    idIn: (payment: Reply['body']) => payment.unscheduledSubscription?.unscheduledSubscriptionId as string,
  },
} as const;

export type SubscriptionKind = keyof typeof SUBSCRIPTION_PATHS;

/** An order of 0, which registers a card. */
export const zeroOrder = () => ({
  ...anOrder(0),
  items: [anItem({ grossTotalAmount: 0, netTotalAmount: 0, unitPrice: 0, taxAmount: 0 })],
});

export async function createWith(
  client: Client,
  asked: object,
  amount = 10_000,
  checkout: object = {},
): Promise<string> {
  const order = amount === 0 ? zeroOrder() : anOrder(amount);
  const body = { order, checkout: { url: 'https://shop.example/checkout', ...checkout }, ...asked };
  return (await client.must(201, 'POST', '/v1/payments', body)).paymentId;
}

export const reserveWith = (client: Client, paymentId: string, card?: string): Promise<Reply['body']> =>
  client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, card === undefined ? {} : { card });

/** Gives the id of a new subscription with that card. */
export async function subscribe(
  client: Client,
  kind: SubscriptionKind,
  card?: string,
  changes: object = {},
): Promise<string> {
  const { asked, idIn } = SUBSCRIPTION_PATHS[kind];
  const paymentId = await createWith(client, asked(changes));
  await reserveWith(client, paymentId, card);
  return idIn(await client.payment(paymentId));
}
