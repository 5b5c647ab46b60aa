// Every operation of the API, described once for the tests that hold for all of its sort: changes of what an id names,
// things that are made, and reads.
import { aCreate, anItem, anOrder } from './client.ts';
import type { Client } from './client.ts';
import type { Table } from './outage.ts';
import { subscribe, SUBSCRIPTION_PATHS } from './subscriptions.ts';
import type { SubscriptionKind } from './subscriptions.ts';

const KINDS = ['scheduled', 'unscheduled'] as const;

export type ChangingOperation = {
  readonly name: string;
  readonly method: 'POST' | 'PUT';
  /** Makes a payment that is ready for the operation, and gives the id that its path names. */
  readonly prepare: (client: Client) => Promise<string>;
  readonly path: (id: string) => string;
  /** A body that is taken. */
  readonly body: object;
  /** The status when it is. */
  readonly status: number;
  /** paymentId, unless it says otherwise. */
  readonly idName?: string;
  /** Works without a body. */
  readonly bodyOptional?: boolean;
  /** Without which it cannot be done; payments, unless it says otherwise. */
  readonly table?: Table;
};

export const NOBODYS_ID = '0190a1b2c3d47abc8def0123456789ab';

const ofPayment =
  (what: string) =>
  (paymentId: string): string =>
    `/v1/payments/${paymentId}/${what}`;

async function prepareCharged(client: Client): Promise<{ paymentId: string; chargeId: string }> {
  const paymentId = await client.createReserved();
  return { paymentId, chargeId: await client.charge(paymentId, 100_000) };
}

function changesOfSubscription(kind: SubscriptionKind): ChangingOperation[] {
  const { path, idName } = SUBSCRIPTION_PATHS[kind];
  const prepare = (client: Client): Promise<string> => subscribe(client, kind);
  return [
    {
      name: `charge of a subscription that is ${kind}`,
      method: 'POST',
      prepare,
      path: (id) => `${path}/${id}/charges`,
      body: { order: anOrder(5_000) },
      status: 200,
      idName,
    },
    {
      name: `end of a subscription that is ${kind}`,
      method: 'PUT',
      prepare,
      path: (id) => `${path}/${id}/terminate`,
      body: {},
      status: 204,
      idName,
      bodyOptional: true,
      table: 'subscriptions',
    },
  ];
}

export const CHANGES: readonly ChangingOperation[] = [
  {
    name: 'charge',
    method: 'POST',
    prepare: (client) => client.createReserved(),
    path: ofPayment('charges'),
    body: { amount: 1_000 },
    status: 201,
  },
  {
    name: 'cancel',
    method: 'POST',
    prepare: (client) => client.createReserved(),
    path: ofPayment('cancels'),
    body: { amount: 1_000 },
    status: 204,
  },
  {
    name: 'refund of a charge',
    method: 'POST',
    prepare: async (client) => (await prepareCharged(client)).chargeId,
    path: (chargeId) => `/v1/charges/${chargeId}/refunds`,
    body: { amount: 1_000 },
    status: 201,
    idName: 'chargeId',
  },
  {
    name: 'refund of a payment',
    method: 'POST',
    prepare: async (client) => (await prepareCharged(client)).paymentId,
    path: ofPayment('refunds'),
    body: { amount: 1_000 },
    status: 201,
  },
  {
    name: 'terminate',
    method: 'PUT',
    prepare: (client) => client.create(),
    path: ofPayment('terminate'),
    body: {},
    status: 204,
    bodyOptional: true,
  },
  {
    name: 'update cart',
    method: 'PUT',
    prepare: (client) => client.create(),
    path: ofPayment('orderitems'),
    body: { amount: 50_000, items: [anItem({ quantity: 1.5, grossTotalAmount: 50_000 })] },
    status: 204,
  },
  {
    name: 'update reference',
    method: 'PUT',
    prepare: (client) => client.create(),
    path: ofPayment('referenceinformation'),
    body: { reference: 'order-2', checkoutUrl: 'https://shop.example/other' },
    status: 204,
  },
  {
    name: 'update my reference',
    method: 'PUT',
    prepare: (client) => client.create(),
    path: ofPayment('myreference'),
    body: { myReference: 'warehouse-7' },
    status: 204,
  },
  {
    name: 'sandbox reserve',
    method: 'POST',
    prepare: (client) => client.create(),
    path: (paymentId) => `/v1/sandbox/payments/${paymentId}/reserve`,
    body: {},
    status: 201,
    bodyOptional: true,
  },
  ...KINDS.flatMap(changesOfSubscription),
];

/** Makes something new; its path names nothing. */
export type MakingOperation = {
  readonly name: string;
  readonly path: string;
  readonly prepare: (client: Client) => Promise<object>;
  readonly status: number;
  readonly table: Table;
  /** The code of other content under a key that was used. */
  readonly otherContent: string;
};

let names = 0;
const newName = (): string => `name-${(names += 1)}`;

const makingsOfKind = (kind: SubscriptionKind): MakingOperation[] => {
  const { path, idName, listName } = SUBSCRIPTION_PATHS[kind];
  const entry = async (client: Client): Promise<object> => ({ [idName]: await subscribe(client, kind) });
  return [
    {
      name: `bulk of charges that are ${kind}`,
      path: `${path}/charges`,
      prepare: async (client) => ({
        externalBulkChargeId: newName(),
        [listName]: [{ ...(await entry(client)), order: anOrder(5_000) }],
      }),
      status: 202,
      table: 'bulks',
      otherContent: '1026',
    },
    {
      name: `bulk of verifications that are ${kind}`,
      path: `${path}/verifications`,
      prepare: async (client) => ({ externalBulkVerificationId: newName(), [listName]: [await entry(client)] }),
      status: 202,
      table: 'bulks',
      otherContent: '1026',
    },
  ];
};

export const MAKINGS: readonly MakingOperation[] = [
  {
    name: 'create',
    path: '/v1/payments',
    prepare: () => Promise.resolve(aCreate()),
    status: 201,
    table: 'payments',
    otherContent: '1000',
  },
  ...KINDS.flatMap(makingsOfKind),
];

/** Shows what an id names. */
export type ReadingOperation = {
  readonly name: string;
  readonly prepare: (client: Client) => Promise<string>;
  readonly path: (id: string) => string;
  readonly idName: string;
  readonly table: Table;
  readonly headers?: Readonly<Record<string, string>>;
};

const readsOfKind = (kind: SubscriptionKind): ReadingOperation[] => {
  const { path, idName } = SUBSCRIPTION_PATHS[kind];
  const ofBulk = (name: string): ReadingOperation => ({
    name: `${name} of ${kind} subscriptions`,
    prepare: async (client) => {
      const making = MAKINGS.find((one) => one.path === `${path}/${name}`) as MakingOperation;
      return (await client.must(202, 'POST', making.path, await making.prepare(client))).bulkId;
    },
    path: (id) => `${path}/${name}/${id}`,
    idName: 'bulkId',
    table: 'bulks',
  });
  const headers = { 'idempotency-key': 'status' };
  return [
    {
      name: `a subscription that is ${kind}`,
      prepare: (client) => subscribe(client, kind),
      path: (id) => `${path}/${id}`,
      idName,
      table: 'subscriptions',
    },
    {
      name: `what came of a charge of a subscription that is ${kind}`,
      prepare: async (client) => {
        const id = await subscribe(client, kind);
        await client.post(`${path}/${id}/charges`, { order: anOrder(5_000) }, headers);
        return id;
      },
      path: (id) => `${path}/${id}/charges/status`,
      idName,
      table: 'payments',
      headers,
    },
    ofBulk('charges'),
    ofBulk('verifications'),
  ];
};

export const READS: readonly ReadingOperation[] = [
  {
    name: 'a payment',
    prepare: (client) => client.createReserved(),
    path: (id) => `/v1/payments/${id}`,
    idName: 'paymentId',
    table: 'payments',
  },
  {
    name: 'a charge',
    prepare: async (client) => (await prepareCharged(client)).chargeId,
    path: (id) => `/v1/charges/${id}`,
    idName: 'chargeId',
    table: 'payments',
  },
  {
    name: 'a refund',
    prepare: async (client) => client.refund((await prepareCharged(client)).chargeId, 1_000),
    path: (id) => `/v1/refunds/${id}`,
    idName: 'refundId',
    table: 'payments',
  },
  ...KINDS.flatMap(readsOfKind),
];

/** Lists, which name nothing; each with what it cannot be read without. */
export const LISTS: Readonly<Record<string, Table>> = {
  '/v1/payments?limit=1': 'payments',
  '/report/v1/payouts?fromDate=2026-01-01&toDate=2026-01-31': 'payouts',
  '/v1/webhooks': 'webhooks',
};
