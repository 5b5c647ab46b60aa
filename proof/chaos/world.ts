// All that a run starts around its Postgres: a bank behind a wire, two Kassas, a shop and endpoints for its events. And how
// to be rid of it again. Which Postgres it is, whoever opens a world says.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Line, Page } from '../../src/bank/book.ts';
import type { Faults } from '../../src/bank/faults.ts';
import { readDatabaseUrl } from '../../src/config/database-url.ts';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { createKey } from '../../src/store/merchants/keys.ts';
import { createMerchant } from '../../src/store/merchants/merchants.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { homePartOf, newId } from '../../src/payments/ids.ts';
import { createWebhook, newWebhookSecret } from '../../src/store/events/webhooks.ts';
import { Closing } from './closing.ts';
import { openEventEndpoints } from './event-endpoints.ts';
import type { EventEndpoints } from './event-endpoints.ts';
import { BANK_READY, SERVICE_READY } from '../program.ts';
import { SupervisedProgram } from '../supervised-program.ts';
import { Random } from './random.ts';
import { Wire } from './wire.ts';

export type Shop = { readonly merchantId: number; readonly secretKey: string; readonly checkoutKey: string };

export type WorldDatabase = {
  /** As an operator's DATABASE_URL: of the server that takes writes now, or of several of which one does. */
  readonly url: string;
};

/** A Postgres, and how each of the Kassas reaches it. */
export type Grounds = { readonly database: WorldDatabase; readonly kassaUrls: readonly [string, string] };

/** Has something closed when its world is. */
export type Keep = <Opened extends { close(): Promise<void> }>(opened: Opened) => Opened;

export type World = Grounds & {
  readonly folder: string;
  readonly kassas: readonly [SupervisedProgram, SupervisedProgram];
  readonly bank: SupervisedProgram;
  readonly kassaToBank: Wire;
  readonly shop: Shop;
  readonly eventEndpoints: EventEndpoints;
  /** What is not named is off. Does nothing when the bank is down: who starts again has no faults. */
  setFaults(faults: Partial<Faults>): Promise<void>;
  readBook(): Promise<Line[]>;
  /** A connection around the wires, for the judge. */
  withPool<Result>(use: (pool: Pool) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

export type WorldObserver = {
  readonly seed: number;
  readonly clocksDiffer: boolean;
  readonly onDefect: (text: string) => void;
  /** A Kassa starts with a clock that is wrong. */
  readonly onClock: (kassa: string, clock: string) => void;
};

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** How far the clock of a Kassa is off, drawn anew at each start. */
type Clock = readonly [name: string, offMs: number];

const RIGHT: Clock = ['right', 0];
// By minutes as one that nobody set, by days as one that ran empty; nine days is longer than answers are kept.
const CLOCKS: readonly Clock[] = [
  ['2 minutes ahead', 2 * MINUTE_MS],
  ['10 minutes behind', -10 * MINUTE_MS],
  ['40 minutes ahead', 40 * MINUTE_MS],
  ['2 days behind', -2 * DAY_MS],
  ['2 days ahead', 2 * DAY_MS],
  ['9 days behind', -9 * DAY_MS],
  ['9 days ahead', 9 * DAY_MS],
];

export const ACQUIRER = 'bank';
const BANK_KEY = 'the-key-of-the-bank-of-chaos';

function kassaOf(n: number, folder: string, databaseUrl: string, observer: WorldObserver): SupervisedProgram {
  const name = `kassa ${n + 1}`;
  const clocks = new Random(observer.seed, `clock of ${name}`).deal(observer.clocksDiffer ? CLOCKS : [RIGHT]);
  return new SupervisedProgram({
    name,
    args: ['serve'],
    preload: join(import.meta.dirname, 'shifted-clock.ts'),
    env: () => {
      const [clock, clockMs] = clocks.next().value;
      if (clockMs !== 0) observer.onClock(name, clock);
      return {
        CHAOS_CLOCK_MS: String(clockMs),
        PORT: '0',
        DATABASE_URL: databaseUrl,
        KASSA_DATA_DIR: join(folder, `kassa-${n}`),
        // All other times of the write path follow from it: short ones make a short run worth as much as a long one.
        KASSA_ACQUIRER_TIMEOUT: '1s',
        KASSA_PAYMENT_ATTEMPTS: 'off',
        KASSA_ADDRESS_ATTEMPTS: 'off',
        // Whether a payment has expired is decided by the clock of whoever is asked, and these are days apart.
        KASSA_PAYMENT_LIFETIME: '365d',
        KASSA_RESERVATION_LIFETIME: '365d',
        // What is over is forgotten all the time, and by whoever has the turn, whatever its clock says.
        KASSA_RETAIN_DELIVERIES: '1m',
        KASSA_DRAIN_TIME: '1s',
        KASSA_LOG_LEVEL: 'warn',
      };
    },
    ready: SERVICE_READY,
    onPort: () => {},
    onEnded: (how) => observer.onDefect(`${name} ended by itself: ${how}`),
  });
}

function bankOf(folder: string, wire: Wire, onDefect: (text: string) => void): SupervisedProgram {
  return new SupervisedProgram({
    name: 'bank',
    args: ['bank', '--port', '0', '--data', join(folder, 'bank'), '--key', BANK_KEY],
    env: () => ({}),
    ready: BANK_READY,
    onPort: (port) => wire.lead(port),
    // One of its faults is to end like that.
    onEnded: (how) => {
      if (how !== 'SIGKILL') onDefect(`the bank ended by itself: ${how}`);
    },
  });
}

/** As the pool takes them. */
const addressesOf = (databaseUrl: string): string => readDatabaseUrl(databaseUrl) ?? '';

async function openShop(databaseUrl: string, bankUrl: string, eventEndpoints: EventEndpoints): Promise<Shop> {
  const pool = openPool(addressesOf(databaseUrl), { size: 1 });
  try {
    await migrate(pool);
    await putAcquirer(pool, { name: ACQUIRER, url: bankUrl, key: BANK_KEY });
    const settings = { name: 'Chaos', dialect: 'spec', strictItems: false, reserveOnDemand: false } as const;
    const merchant = await createMerchant(pool, false, { ...settings, acquirer: ACQUIRER });
    const { secret } = await createKey(pool, merchant);
    const id = newId(Date.now(), homePartOf(merchant));
    await createWebhook(pool, merchant, {
      id,
      url: eventEndpoints.webhookUrl,
      events: undefined,
      secret: newWebhookSecret(),
    });
    return { merchantId: merchant.id, secretKey: secret, checkoutKey: merchant.checkoutKey };
  } finally {
    await pool.close();
  }
}

export async function openWorld<Ground extends Grounds>(
  observer: WorldObserver,
  signal: AbortSignal,
  openGrounds: (keep: Keep) => Promise<Ground>,
): Promise<World & Ground> {
  const closing = new Closing();
  const keep: Keep = (opened) => {
    closing.add(() => opened.close());
    return opened;
  };
  try {
    const folder = await mkdtemp(join(tmpdir(), 'kassa-chaos-'));
    closing.add(() => rm(folder, { recursive: true, force: true }));
    const kassaToBank = keep(await Wire.open());
    signal.throwIfAborted();
    const grounds = await openGrounds(keep);
    const { database, kassaUrls } = grounds;
    signal.throwIfAborted();
    const eventEndpoints = keep(await openEventEndpoints());
    const shop = await openShop(database.url, `http://127.0.0.1:${kassaToBank.port}`, eventEndpoints);
    const bank = keep(bankOf(folder, kassaToBank, observer.onDefect));
    const kassas = [
      keep(kassaOf(0, folder, kassaUrls[0], observer)),
      keep(kassaOf(1, folder, kassaUrls[1], observer)),
    ] as const;
    await Promise.all([bank.start(), ...kassas.map((kassa) => kassa.start())]);
    signal.throwIfAborted();

    const askBank = async (method: string, path: string, body?: object): Promise<unknown> => {
      const response = await fetch(`${bank.url}${path}`, {
        method,
        headers: { authorization: BANK_KEY },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (response.status !== 200) throw new Error(`the bank answers ${response.status}: ${await response.text()}`);
      return response.json();
    };
    return {
      ...grounds,
      folder,
      kassas,
      bank,
      kassaToBank,
      shop,
      eventEndpoints,
      setFaults: async (faults) => {
        await askBank('PUT', '/faults', faults).catch((error: unknown) => {
          if (String(error).includes('the bank answers')) throw error;
        });
      },
      readBook: async () => {
        const lines: Line[] = [];
        for (let after: string | undefined = '0'; after !== undefined;) {
          const page = (await askBank('GET', `/book?limit=5000&after=${after}`)) as Page;
          lines.push(...page.lines);
          after = page.next;
        }
        return lines;
      },
      withPool: async (use) => {
        const pool = openPool(addressesOf(database.url), { size: 2 });
        try {
          return await use(pool);
        } finally {
          await pool.close();
        }
      },
      close: () => closing.run(),
    };
  } catch (error) {
    await closing.run().catch(() => {});
    throw error;
  }
}
