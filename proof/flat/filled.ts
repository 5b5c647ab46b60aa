// A Kassa on a database with so many payments of `kassa load-sample`, made once and kept where a folder is named: the shop
// that has most of them, and what the database weighs.
import { mkdir } from 'node:fs/promises';
import { whoAsks } from '../../src/cli/commands/who.ts';
import { useEmbeddedDatabase } from '../../src/database/embedded.ts';
import { issueKey } from '../../src/merchants/keys.ts';
import { lastPosition } from '../../src/store/events/events.ts';
import { readMerchant } from '../../src/store/merchants/merchants.ts';
import type { MerchantRow } from '../../src/store/merchants/merchants.ts';
import { NO_QUERY_TIMEOUT, openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { environmentOf, startService } from '../bench/service.ts';
import { openSetup } from '../bench/setup.ts';
import type { BenchSetup } from '../bench/setup.ts';
import { launch } from '../program.ts';
import type { Known, Shop } from './readings.ts';

export type Filled = {
  readonly payments: number;
  readonly dataDir: string;
  readonly setup: BenchSetup;
  readonly shop: Shop;
  readonly secretKey: string;
  readonly megabytes: number;
  readonly startSeconds: number;
};

export type Telling = { readonly signal: AbortSignal; readonly onProgress: (text: string) => void };

// All that was filled is still there in the end, and nothing is forgotten while something is measured.
const KEEP = { KASSA_RETAIN_EVENTS: '365d', KASSA_RETAIN_EXPIRED: '365d', KASSA_RETAIN_IDEMPOTENCY: '365d' };

const LARGEST = `select * from merchants where name = 'Sample shop 1' order by id limit 1`;

/** Runs a command on that data folder, and tells what it tells. */
export async function command(dataDir: string, args: readonly string[], { signal, onProgress }: Telling) {
  const program = launch(args, {
    env: environmentOf({ KASSA_DATA_DIR: dataDir }),
    detached: true,
    mostHeld: 100_000,
    onErr: (text) => onProgress(`${args[0]}: ${text.trim().split('\n').at(-1)}`),
  });
  const stop = (): void => void program.end('SIGTERM');
  signal.addEventListener('abort', stop);
  try {
    const ended = await program.ended;
    signal.throwIfAborted();
    return ended;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function withPool<Result>(dataDir: string, use: (pool: Pool) => Promise<Result>): Promise<Result> {
  const embedded = await useEmbeddedDatabase({ dataDir });
  const pool = openPool(embedded.url, { size: 2 });
  try {
    return await use(pool);
  } finally {
    await pool.close();
    await embedded.stop();
  }
}

const hasPayments = (dataDir: string): Promise<boolean> =>
  withPool(dataDir, async (pool) => {
    const [merchant] = await pool.query<{ id: number }>(LARGEST);
    if (merchant === undefined) return false;
    return (await pool.query('select 1 from payments where merchant_id = $1 limit 1', [merchant.id])).length > 0;
  });

/** What autovacuum would have done after a while. */
const vacuum = (dataDir: string): Promise<unknown> =>
  withPool(dataDir, (pool) =>
    pool.withClient(async (client) => {
      await client.query('set statement_timeout = 0');
      await client.query({ text: 'vacuum', ...NO_QUERY_TIMEOUT });
    }),
  );

/** Makes the payments, unless they are there from a run before. */
export async function fill(dataDir: string, payments: number, telling: Telling): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await (await startService({ dataDir, profile: undefined, env: KEEP })).stop();
  if (!(await hasPayments(dataDir))) {
    const { code, err } = await command(dataDir, ['load-sample', '--payments', String(payments)], telling);
    if (code !== 0) throw new Error(`load-sample ended with ${code}: ${err}`);
  }
  telling.onProgress('vacuum');
  await vacuum(dataDir);
}

/** A payment from the middle of the shop's sixty days, that was charged and refunded. */
async function findKnown(pool: Pool, merchantId: number): Promise<Known> {
  const [known] = await pool.query<Omit<Known, 'position'>>(
    `select payment.id, reference, charge.id as charge, refund.id as refund
     from (select * from payments where merchant_id = $1 and refunded > 0
       and id >= (lpad(to_hex((extract(epoch from now() - interval '30 days') * 1000)::bigint), 12, '0')
         || repeat('0', 20))::uuid order by id limit 1) as payment
     join movements as charge on charge.part = payment.part and charge.payment_id = payment.id and charge.kind = 'charge'
     join movements as refund on refund.part = payment.part and refund.payment_id = payment.id and refund.kind = 'refund'
     limit 1`,
    [merchantId],
  );
  if (known === undefined) throw new Error('there is no payment that was refunded');
  return { ...known, position: Math.floor((await lastPosition(pool, merchantId)) / 2) };
}

/** Starts the service on what was filled, and opens the largest shop. */
export async function openFilled(dataDir: string, payments: number, signal: AbortSignal): Promise<Filled> {
  const beganAt = performance.now();
  const probe = await startService({ dataDir, profile: undefined, env: KEEP });
  const startSeconds = (performance.now() - beganAt) / 1_000;
  await probe.stop();
  const setup = await openSetup({ dataDir, profile: undefined, env: KEEP }, signal);
  try {
    const { pool, service } = setup;
    const [row] = await pool.query<MerchantRow>(LARGEST);
    const merchant = readMerchant(row as MerchantRow);
    const key = await issueKey(pool, whoAsks(), merchant.id, { name: 'flat' });
    if (key.kind !== 'issued') throw new Error(`no key was made: ${key.kind}`);
    const [size] = await pool.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes');
    const ofShop = {
      ...service,
      secretKey: key.secret,
      send: (method: string, path: string, body?: object) => service.send(method, path, body, key.secret),
    };
    return {
      payments,
      dataDir,
      setup: { ...setup, service: ofShop },
      shop: { pool, merchant, known: await findKnown(pool, merchant.id) },
      secretKey: key.secret,
      megabytes: (size?.bytes ?? 0) / 1_048_576,
      startSeconds,
    };
  } catch (error) {
    await setup.close();
    throw error;
  }
}
