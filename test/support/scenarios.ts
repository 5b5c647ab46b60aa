// Every kind of scenario that moves money at an acquirer, each with a payment that is ready for it, so that a test can
// say something of all of them.
import { CARDS, aPay, Consumer } from './checkout.ts';
import type { Reply } from './client.ts';
import { keyed } from './keyed-operations.ts';
import type { Service, Shop } from './service.ts';

const ORDER_AMOUNT = 100_000;
const CHARGED = 60_000;
const MOVED = 40_000;

export type Ready = {
  readonly paymentId: string;
  readonly path?: string;
  /** Of an open 3-D Secure challenge. */
  readonly redirectUrl?: string;
};

export type Scenario = {
  readonly name: string;
  readonly kind: 'reservation' | 'charge' | 'refund' | 'cancel';
  readonly amount: number;
  readonly isKeyed: boolean;
  /** What the acquirer says, and what is answered then. */
  readonly state: 'approved' | 'declined';
  readonly status: number;
  prepare(service: Service, shop: Shop): Promise<Ready>;
  send(service: Service, shop: Shop, ready: Ready): Promise<Reply>;
};

const reservation = {
  kind: 'reservation',
  amount: ORDER_AMOUNT,
  isKeyed: false,
  state: 'approved',
  status: 201,
} as const;

const prepareOpen =
  (checkout?: object): Scenario['prepare'] =>
  async (_service, shop) => ({ paymentId: await shop.client.create(ORDER_AMOUNT, checkout) });

const payByCard: Scenario['send'] = (service, shop, { paymentId }) => new Consumer(service, shop, paymentId).pay();

export const RESERVE: Scenario = {
  ...reservation,
  name: 'a reservation in the sandbox',
  prepare: prepareOpen(),
  send: (service, shop, { paymentId }) =>
    service.client(shop.secretKey).post(`/v1/sandbox/payments/${paymentId}/reserve`, {}),
};

export const PAY: Scenario = {
  ...reservation,
  name: 'a consumer who pays',
  prepare: prepareOpen(),
  send: payByCard,
};

export const PAY_WITH_CHALLENGE: Scenario = {
  ...reservation,
  name: 'a consumer who pays with 3-D Secure',
  prepare: async (service, shop) => {
    const paymentId = await shop.client.create(ORDER_AMOUNT);
    const { body } = await new Consumer(service, shop, paymentId).pay(aPay(CARDS.challenge));
    return { paymentId, redirectUrl: body.redirectUrl };
  },
  send: (service, shop, { paymentId, redirectUrl = '' }) =>
    new Consumer(service, shop, paymentId).answerChallenge(redirectUrl),
};

export const PAY_AND_CHARGE: Scenario = {
  ...reservation,
  name: 'a consumer who pays and is charged at once',
  prepare: prepareOpen({ charge: true }),
  send: payByCard,
};

function move(
  name: string,
  { body, ...changes }: Partial<Scenario> & Pick<Scenario, 'kind' | 'prepare'> & { readonly body?: object },
): Scenario {
  const scenario = { name, amount: MOVED, isKeyed: true, state: 'approved', status: 201, ...changes } as const;
  return {
    ...scenario,
    send: (service, shop, { path = '' }) =>
      service
        .client(shop.secretKey)
        .post(path, { amount: MOVED, ...body }, scenario.isKeyed ? keyed('the-scenario') : {}),
  };
}

const prepareReserved =
  (place: 'charges' | 'cancels', card?: string): Scenario['prepare'] =>
  async (_service, { client }) => {
    const paymentId = await client.createReserved(ORDER_AMOUNT, card);
    return { paymentId, path: `/v1/payments/${paymentId}/${place}` };
  };

export const CHARGE = move('a charge', { kind: 'charge', prepare: prepareReserved('charges') });
export const CHARGE_WITHOUT_KEY = move('a charge without a key', {
  kind: 'charge',
  isKeyed: false,
  prepare: prepareReserved('charges'),
});
export const DECLINED_CHARGE = move('a charge that is declined', {
  kind: 'charge',
  state: 'declined',
  status: 402,
  prepare: prepareReserved('charges', CARDS.chargeDeclined),
});
export const FINAL_CHARGE = move('a final charge', {
  kind: 'charge',
  prepare: prepareReserved('charges'),
  body: { finalCharge: true },
});
/** What a final charge leaves. */
export const REST = ORDER_AMOUNT - MOVED;
export const CANCEL = move('a cancel', { kind: 'cancel', status: 204, prepare: prepareReserved('cancels') });
export const REFUND = move('a refund', {
  kind: 'refund',
  prepare: async (_service, { client }) => {
    const paymentId = await client.createReserved(ORDER_AMOUNT);
    return { paymentId, path: `/v1/charges/${await client.charge(paymentId, CHARGED)}/refunds` };
  },
});
