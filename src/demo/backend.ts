// What the backend of the demo shop does: creates payments, adds the cost of shipping, charges, refunds, renews. Every
// step is one call of the API, and stands in the journal.
import { randomInt, randomUUID } from 'node:crypto';
import { sumOfItems } from '../domain/item.ts';
import { callApi, isSuccess } from './api.ts';
import type { ApiAccess, ApiRequest } from './api.ts';
import { shippingLineOf } from './catalogue.ts';
import { openJournal } from './journal.ts';
import type { Call, Entry } from './journal.ts';
import { readOrder } from './order.ts';
import type { Order } from './order.ts';
import { addsShipping, createBodyOf, currencyOf, itemsOf, languageOf } from './scenario.ts';
import type { Scenario } from './scenario.ts';
import { readRequestOf, readSubscription, renewalOf } from './subscription.ts';
import type { ShownSubscription } from './subscription.ts';

export const ACTIONS = ['charge', 'refund', 'cancel', 'terminate', 'renew'] as const;

export type Action = {
  readonly name: (typeof ACTIONS)[number];
  /** Not checked here: what is wrong with it is the API's to say. */
  readonly amount?: number;
  readonly chargeId?: string;
  /** The same for every try of one scenario. */
  readonly once: string;
};

export type Read = { readonly call: Call; readonly order?: Order; readonly subscription?: ShownSubscription };

export type Backend = {
  create(
    scenario: Scenario,
  ): Promise<{ readonly call: Call; readonly paymentId?: string; readonly hostedUrl?: string }>;
  /** Undefined when the shop does not add the cost of shipping to this order, or has forgotten it. */
  addShipping(paymentId: string, countryCode: string): Promise<Call | undefined>;
  read(paymentId: string): Promise<Read>;
  act(order: Order, action: Action): Promise<Call>;
  remembered(paymentId: string): Entry | undefined;
};

const newNumber = (): string => `K-${randomInt(100_000, 1_000_000)}`;

function requestOf(
  { paymentId, charges, subscriptionId, currency }: Order,
  { name, amount, chargeId, once }: Action,
): ApiRequest {
  const payment = `/v1/payments/${paymentId}`;
  const keyed = { method: 'POST', body: { amount }, idempotencyKey: once } as const;
  switch (name) {
    case 'charge':
      return { ...keyed, path: `${payment}/charges`, operationId: 'chargePayment' };
    case 'cancel':
      return { ...keyed, path: `${payment}/cancels`, operationId: 'cancelPayment' };
    case 'refund': {
      // Whatever the browser names, a charge of another order is out of reach.
      const charge = charges.find((one) => one.chargeId === chargeId) ?? charges[0];
      return charge
        ? { ...keyed, path: `/v1/charges/${charge.chargeId}/refunds`, operationId: 'refundCharge' }
        : { ...keyed, path: `${payment}/refunds`, operationId: 'refundPayment' };
    }
    case 'renew':
      // Of an order that is for no subscription there is nothing to renew, and the API says so.
      return renewalOf(subscriptionId ?? paymentId, currency, newNumber(), once);
    case 'terminate':
      return { method: 'PUT', path: `${payment}/terminate`, operationId: 'terminatePayment' };
  }
}

/** The hosted page in the language that was chosen. */
function inLanguage(address: unknown, scenario: Scenario): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  url.searchParams.set('language', languageOf(scenario));
  return url.href;
}

/** `shopUrl` is the public address of the shop itself. */
export function openBackend(access: ApiAccess, shopUrl: () => string): Backend {
  const journal = openJournal();

  const create: Backend['create'] = async (scenario) => {
    const call = await callApi(access, {
      method: 'POST',
      path: '/v1/payments',
      operationId: 'createPayment',
      body: createBodyOf(scenario, shopUrl(), newNumber()),
      idempotencyKey: randomUUID(),
    });
    const { paymentId, hostedPaymentPageUrl } = (call.answer ?? {}) as Readonly<Record<string, unknown>>;
    if (!isSuccess(call) || typeof paymentId !== 'string') return { call };
    journal.open(paymentId, scenario, call);
    const hostedUrl = inLanguage(hostedPaymentPageUrl, scenario);
    return { call, paymentId, ...(hostedUrl !== undefined && { hostedUrl }) };
  };

  const addShipping: Backend['addShipping'] = async (paymentId, countryCode) => {
    const scenario = journal.of(paymentId)?.scenario;
    if (scenario === undefined || !addsShipping(scenario)) return undefined;
    const items = [...itemsOf(scenario), shippingLineOf(currencyOf(scenario), countryCode)];
    const call = await callApi(access, {
      method: 'PUT',
      path: `/v1/payments/${paymentId}/orderitems`,
      operationId: 'updateCart',
      body: { amount: sumOfItems(items), items, shipping: { costSpecified: true } },
    });
    journal.add(paymentId, call);
    return call;
  };

  const read: Backend['read'] = async (paymentId) => {
    const call = await callApi(access, {
      method: 'GET',
      path: `/v1/payments/${paymentId}`,
      operationId: 'getPayment',
    });
    const order = isSuccess(call) ? readOrder(call.answer) : undefined;
    if (order?.subscriptionId === undefined) return { call, ...(order && { order }) };
    const { answer } = await callApi(access, readRequestOf(order.subscriptionId));
    const subscription = readSubscription(answer);
    return { call, order, ...(subscription && { subscription }) };
  };

  const act: Backend['act'] = async (order, action) => {
    const call = await callApi(access, requestOf(order, action));
    journal.add(order.paymentId, call);
    const { paymentId } = (call.answer ?? {}) as Readonly<Record<string, unknown>>;
    if (action.name === 'renew' && isSuccess(call) && typeof paymentId === 'string') journal.add(paymentId, call);
    return call;
  };

  return { create, addShipping, read, act, remembered: (paymentId) => journal.of(paymentId) };
}
