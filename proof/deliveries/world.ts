// All that a run starts: a Postgres, a service that delivers nothing itself, and workers. And how to be rid of it again.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../chaos/database.ts';
import { SERVICE_READY } from '../program.ts';
import { SupervisedProgram } from '../supervised-program.ts';
import type { Merchant } from '../../src/domain/merchant.ts';
import { homePartOf, newId } from '../../src/payments/ids.ts';
import { createKey } from '../../src/store/merchants/keys.ts';
import { createMerchant } from '../../src/store/merchants/merchants.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { createWebhook, newWebhookSecret } from '../../src/store/events/webhooks.ts';
import { Worker } from './worker.ts';

export type Shop = { readonly merchant: Merchant; readonly secretKey: string };

export type World = {
  readonly pool: Pool;
  readonly serviceUrl: () => string;
  readonly workers: readonly Worker[];
  /** A merchant of its own, so that one measurement does not meet the endpoints of another. */
  openShop(): Promise<Shop>;
  subscribe(shop: Shop, url: string): Promise<void>;
  /** A payment of the shop that is created and reserved: four events. */
  pay(shop: Shop, ownHookUrl?: string): Promise<void>;
  close(): Promise<void>;
};

export const EVENTS_OF_A_PAYMENT = [
  'payment.created',
  'payment.reservation.created',
  'payment.reservation.created.v2',
  'payment.checkout.completed',
];
const POOL_SIZE = 4;

const ITEM = { reference: 'r', name: 'n', quantity: 1, unit: 'pcs', unitPrice: 1_000, netTotalAmount: 1_000 };
const ORDER = { items: [{ ...ITEM, grossTotalAmount: 1_000 }], amount: 1_000, currency: 'SEK' };

function createBody(ownHookUrl: string | undefined): object {
  const hooks = EVENTS_OF_A_PAYMENT.map((eventName) => ({ eventName, url: ownHookUrl, authorization: 'of-the-shop' }));
  return {
    order: ORDER,
    checkout: { url: 'https://shop.example/checkout' },
    ...(ownHookUrl !== undefined && { notifications: { webHooks: hooks } }),
  };
}

async function send(url: string, { secretKey }: Shop, body: object): Promise<{ paymentId: string }> {
  const headers = { authorization: secretKey, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return JSON.parse(text) as { paymentId: string };
}

/** Without workers the service itself delivers. */
export async function openWorld(workerCount: number, settings: Readonly<Record<string, string>> = {}): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'kassa-deliveries-'));
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).toReversed()) await step().catch(() => {});
  };
  try {
    const database = await Database.open(join(folder, 'database'), () => {});
    closing.push(() => database.close());
    const env = { DATABASE_URL: database.url, KASSA_DATA_DIR: join(folder, 'kassa') };
    const service = new SupervisedProgram({
      name: 'kassa',
      args: ['serve'],
      env: () => ({
        ...env,
        PORT: '0',
        KASSA_DELIVERIES: workerCount > 0 ? 'off' : 'on',
        KASSA_LOG_LEVEL: 'warn',
        ...settings,
      }),
      ready: SERVICE_READY,
      onPort: () => {},
      onEnded: () => {},
    });
    closing.push(() => service.close());
    await service.start();
    const pool = openPool(database.url, { size: POOL_SIZE });
    closing.push(() => pool.close());
    const workers = Array.from({ length: workerCount }, () => new Worker({ ...env, KASSA_LOG_LEVEL: 'warn' }));
    closing.push(() => Promise.all(workers.map((worker) => worker.kill())));
    const serviceUrl = (): string => service.url ?? '';
    return { pool, serviceUrl, workers, close, ...actionsOf(pool, serviceUrl) };
  } catch (error) {
    await close();
    throw error;
  }
}

function actionsOf(pool: Pool, serviceUrl: () => string): Pick<World, 'openShop' | 'subscribe' | 'pay'> {
  const settings = { dialect: 'spec', strictItems: false, reserveOnDemand: false, acquirer: 'simulator' } as const;
  return {
    openShop: async () => {
      const merchant = await createMerchant(pool, false, { ...settings, name: 'A shop' });
      return { merchant, secretKey: (await createKey(pool, merchant)).secret };
    },
    subscribe: async ({ merchant }, url) => {
      const id = newId(Date.now(), homePartOf(merchant));
      await createWebhook(pool, merchant, { id, url, events: undefined, secret: newWebhookSecret() });
    },
    pay: async (shop, ownHookUrl) => {
      const { paymentId } = await send(`${serviceUrl()}/v1/payments`, shop, createBody(ownHookUrl));
      await send(`${serviceUrl()}/v1/sandbox/payments/${paymentId}/reserve`, shop, {});
    },
  };
}
