// The operations of the API for the tests that hold for all of their sort: changes of what an id names, things that are
// made, and reads. Route, status and whether a body is needed are the operation's own; here is what makes it possible.
import assert from 'node:assert/strict';
import { OPERATIONS } from '../../src/api/operations.ts';
import { SPELLINGS } from '../../src/api/parts/subscription-spelling.ts';
import type { Spelling } from '../../src/api/parts/subscription-spelling.ts';
import { aCreate, anItem, anOrder } from './client.ts';
import type { Client } from './client.ts';
import type { Table } from './outage.ts';
import { subscribe } from './subscriptions.ts';

export type ChangingOperation = {
  readonly name: string;
  readonly method: string;
  /** Makes a payment that is ready for the operation, and gives the id that its path names. */
  readonly prepare: (client: Client) => Promise<string>;
  readonly path: (id: string) => string;
  /** A body that is taken. */
  readonly body: object;
  /** The status when it is. */
  readonly status: number;
  readonly idName: string;
  /** Works without a body. */
  readonly bodyOptional: boolean;
  /** Without which it cannot be done; payments, unless it says otherwise. */
  readonly table?: Table;
};

/** What the operation says of itself. */
function ownOf(operationId: string) {
  const found = OPERATIONS.find((each) => each.operationId === operationId) ?? assert.fail(operationId);
  const { route, success, body, config } = found;
  const [method = '', pattern = ''] = route.split(' ');
  const [, idName = ''] = /:(\w+)/.exec(pattern) ?? [];
  return {
    name: operationId,
    method,
    path: (id: string): string => pattern.replace(/:\w+/, id),
    status: success.status,
    idName,
    bodyOptional: body === undefined || config?.bodyOptional === true,
  };
}

export const NOBODYS_ID = '0190a1b2c3d47abc8def0123456789ab';

async function prepareCharged(client: Client): Promise<{ paymentId: string; chargeId: string }> {
  const paymentId = await client.createReserved();
  return { paymentId, chargeId: await client.charge(paymentId, 100_000) };
}

const createPayment = (client: Client): Promise<string> => client.create();
const reservePayment = (client: Client): Promise<string> => client.createReserved();

type Prepared = Pick<ChangingOperation, 'prepare' | 'body' | 'table'>;

const CHANGED: Readonly<Record<string, Prepared>> = {
  chargePayment: { prepare: reservePayment, body: { amount: 1_000 } },
  cancelPayment: { prepare: reservePayment, body: { amount: 1_000 } },
  refundCharge: { prepare: async (client) => (await prepareCharged(client)).chargeId, body: { amount: 1_000 } },
  refundPayment: { prepare: async (client) => (await prepareCharged(client)).paymentId, body: { amount: 1_000 } },
  terminatePayment: { prepare: createPayment, body: {} },
  updateCart: {
    prepare: createPayment,
    body: { amount: 50_000, items: [anItem({ quantity: 1.5, grossTotalAmount: 50_000 })] },
  },
  updateReference: {
    prepare: createPayment,
    body: { reference: 'order-2', checkoutUrl: 'https://shop.example/other' },
  },
  updateMyReference: { prepare: createPayment, body: { myReference: 'warehouse-7' } },
  reserveInSandbox: { prepare: createPayment, body: {} },
};

const changedOfKind = ({ kind, operation }: Spelling): (readonly [string, Prepared])[] => {
  const prepare = (client: Client): Promise<string> => subscribe(client, kind);
  return [
    [operation('chargeSubscription'), { prepare, body: { order: anOrder(5_000) } }],
    [operation('terminateSubscription'), { prepare, body: {}, table: 'subscriptions' }],
  ];
};

export const CHANGES: readonly ChangingOperation[] = [
  ...Object.entries(CHANGED),
  ...SPELLINGS.flatMap(changedOfKind),
].map(([operationId, prepared]) => ({ ...ownOf(operationId), ...prepared }));

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

const makingsOfKind = ({ kind, idName, listName, operation }: Spelling): MakingOperation[] => {
  const entry = async (client: Client): Promise<object> => ({ [idName]: await subscribe(client, kind) });
  return [
    {
      ...makingOf(operation('createBulkCharge')),
      prepare: async (client) => ({
        externalBulkChargeId: newName(),
        [listName]: [{ ...(await entry(client)), order: anOrder(5_000) }],
      }),
      table: 'bulks',
      otherContent: '1026',
    },
    {
      ...makingOf(operation('createBulkVerification')),
      prepare: async (client) => ({ externalBulkVerificationId: newName(), [listName]: [await entry(client)] }),
      table: 'bulks',
      otherContent: '1026',
    },
  ];
};

function makingOf(operationId: string): Pick<MakingOperation, 'name' | 'path' | 'status'> {
  const { name: own, path, status } = ownOf(operationId);
  return { name: own, path: path(''), status };
}

export const MAKINGS: readonly MakingOperation[] = [
  {
    ...makingOf('createPayment'),
    prepare: () => Promise.resolve(aCreate()),
    table: 'payments',
    otherContent: '1000',
  },
  ...SPELLINGS.flatMap(makingsOfKind),
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

type Shown = Pick<ReadingOperation, 'prepare' | 'table' | 'headers'>;

const READ: Readonly<Record<string, Shown>> = {
  getPayment: { prepare: reservePayment, table: 'payments' },
  getCharge: { prepare: async (client) => (await prepareCharged(client)).chargeId, table: 'payments' },
  getRefund: {
    prepare: async (client) => client.refund((await prepareCharged(client)).chargeId, 1_000),
    table: 'payments',
  },
};

const readOfKind = ({ kind, path, operation }: Spelling): (readonly [string, Shown])[] => {
  const ofBulk = (name: string): Shown => ({
    prepare: async (client) => {
      const making = MAKINGS.find((one) => one.name === operation(`create${name}`)) as MakingOperation;
      return (await client.must(202, 'POST', making.path, await making.prepare(client))).bulkId;
    },
    table: 'bulks',
  });
  const headers = { 'idempotency-key': 'status' };
  const prepareCharge = async (client: Client): Promise<string> => {
    const id = await subscribe(client, kind);
    await client.post(`${path}/${id}/charges`, { order: anOrder(5_000) }, headers);
    return id;
  };
  return [
    [operation('getSubscription'), { prepare: (client) => subscribe(client, kind), table: 'subscriptions' }],
    [operation('getSubscriptionChargeStatus'), { prepare: prepareCharge, table: 'payments', headers }],
    [operation('getBulkCharge'), ofBulk('BulkCharge')],
    [operation('getBulkVerification'), ofBulk('BulkVerification')],
  ];
};

export const READS: readonly ReadingOperation[] = [...Object.entries(READ), ...SPELLINGS.flatMap(readOfKind)].map(
  ([operationId, shown]) => ({ ...ownOf(operationId), ...shown }),
);

/** Lists, which name nothing; each with what it cannot be read without. */
export const LISTS: Readonly<Record<string, Table>> = {
  '/v1/payments?limit=1': 'payments',
  '/report/v1/payouts?fromDate=2026-01-01&toDate=2026-01-31': 'payouts',
  '/v1/webhooks': 'webhooks',
};
