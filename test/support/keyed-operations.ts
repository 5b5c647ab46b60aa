// The five operations that take an Idempotency-Key, each with a payment that is ready for it, so that a test can say
// something of all of them.
import assert from 'node:assert/strict';
import { aCreate } from './client.ts';
import type { Client, Reply } from './client.ts';

export type KeyedOperation = {
  readonly name: string;
  /** Makes a payment that is ready for the operation; a create needs none. */
  readonly prepare: (client: Client) => Promise<{ path: string; paymentId?: string }>;
  readonly body: object;
  readonly otherBody: object;
  readonly status: number;
  /** The code of the 422 when the key comes with another body. */
  readonly codeOfOtherBody: string;
  /** The summary of the payment when it was done once. */
  readonly summary?: Readonly<Record<string, number>>;
};

async function prepareCharged(client: Client): Promise<{ paymentId: string; chargeId: string }> {
  const paymentId = await client.createReserved(100_000);
  return { paymentId, chargeId: await client.charge(paymentId, 80_000) };
}

export const keyedOperations: readonly KeyedOperation[] = [
  {
    name: 'create',
    prepare: async () => ({ path: '/v1/payments' }),
    body: aCreate(100_000),
    otherBody: aCreate(100_001),
    status: 201,
    codeOfOtherBody: '1000',
  },
  {
    name: 'charge',
    prepare: async (client) => {
      const paymentId = await client.createReserved(100_000);
      return { path: `/v1/payments/${paymentId}/charges`, paymentId };
    },
    body: { amount: 40_000, orderItems: [] },
    otherBody: { amount: 40_001, orderItems: [] },
    status: 201,
    codeOfOtherBody: '1026',
    summary: { reservedAmount: 100_000, chargedAmount: 40_000 },
  },
  {
    name: 'refund of a charge',
    prepare: async (client) => {
      const { paymentId, chargeId } = await prepareCharged(client);
      return { path: `/v1/charges/${chargeId}/refunds`, paymentId };
    },
    body: { amount: 30_000, orderItems: null },
    otherBody: { amount: 30_001, orderItems: null },
    status: 201,
    codeOfOtherBody: '1027',
    summary: { reservedAmount: 100_000, chargedAmount: 80_000, refundedAmount: 30_000 },
  },
  {
    name: 'refund of a payment',
    prepare: async (client) => {
      const { paymentId } = await prepareCharged(client);
      return { path: `/v1/payments/${paymentId}/refunds`, paymentId };
    },
    body: { amount: 30_000 },
    otherBody: { amount: 30_000, orderItems: [] },
    status: 201,
    codeOfOtherBody: '1027',
    summary: { reservedAmount: 100_000, chargedAmount: 80_000, refundedAmount: 30_000 },
  },
  {
    name: 'cancel',
    prepare: async (client) => {
      const paymentId = await client.createReserved(100_000);
      return { path: `/v1/payments/${paymentId}/cancels`, paymentId };
    },
    body: { amount: 20_000 },
    otherBody: { amount: 20_001 },
    status: 204,
    codeOfOtherBody: '1000',
    summary: { reservedAmount: 100_000, cancelledAmount: 20_000 },
  },
];

export const keyed = (key: string): Record<string, string> => ({ 'idempotency-key': key });

export const isReplayed = (reply: Reply): boolean => reply.headers.get('idempotent-replayed') === 'true';

/** All that an operation can have had an effect on: its payment, or for a create the merchant's payments. */
export async function readEffects(client: Client, paymentId: string | undefined): Promise<object> {
  return paymentId === undefined ? client.must(200, 'GET', '/v1/payments?limit=20') : client.payment(paymentId);
}

/** That the operation was done, and once. */
export async function expectDoneOnce(client: Client, { summary }: KeyedOperation, paymentId?: string): Promise<void> {
  if (paymentId === undefined) {
    assert.equal((await client.must(200, 'GET', '/v1/payments?limit=20')).payments.length, 1);
    return;
  }
  const found: Record<string, number> = (await client.payment(paymentId)).summary;
  assert.deepEqual(Object.fromEntries(Object.entries(found).filter(([, amount]) => amount !== 0)), summary);
}
