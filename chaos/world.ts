// All that a run starts: a Postgres, a bank, two Kassas, and a wire in front of each of the first two for each who uses
// it. And how to be rid of it again.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Line, Page } from '../src/bank/book.ts';
import type { Faults } from '../src/bank/faults.ts';
import { openDataFolder } from '../src/database/data-folder.ts';
import { putAcquirer } from '../src/store/acquirers.ts';
import { migrate } from '../src/store/migrate.ts';
import { createKey, createMerchant } from '../src/store/merchants.ts';
import { openPool } from '../src/store/pool.ts';
import type { Pool } from '../src/store/pool.ts';
import { Closing } from './closing.ts';
import { Database } from './database.ts';
import { Program } from './program.ts';
import { Wire } from './wire.ts';

export type Shop = { readonly merchantId: number; readonly secretKey: string; readonly checkoutKey: string };

export type World = {
  readonly folder: string;
  readonly database: Database;
  readonly kassas: readonly [Program, Program];
  readonly bank: Program;
  readonly wires: { readonly kassaToDatabase: readonly [Wire, Wire]; readonly kassaToBank: Wire };
  readonly shop: Shop;
  /** What is not named is off. Does nothing when the bank is down: who starts again has no faults. */
  setFaults(faults: Partial<Faults>): Promise<void>;
  readBook(): Promise<Line[]>;
  /** A connection around the wires, for the judge. */
  withPool<Result>(use: (pool: Pool) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

export const ACQUIRER = 'bank';
const BANK_KEY = 'the-key-of-the-bank-of-chaos';

function kassaOf(n: number, folder: string, databaseUrl: string, onDefect: (text: string) => void): Program {
  const name = `kassa ${n + 1}`;
  return new Program({
    name,
    args: ['serve'],
    env: {
      PORT: '0',
      DATABASE_URL: databaseUrl,
      KASSA_DATA_DIR: join(folder, `kassa-${n}`),
      // All other times of the write path follow from it: short ones make a short run worth as much as a long one.
      KASSA_ACQUIRER_TIMEOUT: '1s',
      KASSA_PAYMENT_ATTEMPTS: 'off',
      KASSA_ADDRESS_ATTEMPTS: 'off',
      KASSA_LOG_LEVEL: 'warn',
    },
    ready: /API\s+http:\/\/localhost:(\d+)\/v1\n/,
    onPort: () => {},
    onEnded: (how) => onDefect(`${name} ended by itself: ${how}`),
  });
}

function bankOf(folder: string, wire: Wire, onDefect: (text: string) => void): Program {
  return new Program({
    name: 'bank',
    args: ['bank', '--port', '0', '--data', join(folder, 'bank'), '--key', BANK_KEY],
    env: {},
    ready: /Address +http:\/\/localhost:(\d+)\n/,
    onPort: (port) => wire.lead(port),
    // One of its faults is to end like that.
    onEnded: (how) => {
      if (how !== 'SIGKILL') onDefect(`the bank ended by itself: ${how}`);
    },
  });
}

async function openShop(databaseUrl: string, bankUrl: string): Promise<Shop> {
  const pool = openPool(databaseUrl, { size: 1 });
  try {
    await migrate(pool);
    await putAcquirer(pool, { name: ACQUIRER, url: bankUrl, key: BANK_KEY });
    const settings = { name: 'Chaos', dialect: 'spec', strictItems: false, reserveOnDemand: false } as const;
    const merchant = await createMerchant(pool, false, { ...settings, acquirer: ACQUIRER });
    const { secret } = await createKey(pool, merchant);
    return { merchantId: merchant.id, secretKey: secret, checkoutKey: merchant.checkoutKey };
  } finally {
    await pool.close();
  }
}

export async function openWorld(onDefect: (text: string) => void, signal: AbortSignal): Promise<World> {
  const closing = new Closing();
  const keep = <Opened extends { close(): Promise<void> }>(opened: Opened): Opened => {
    closing.add(() => opened.close());
    return opened;
  };
  try {
    const folder = await mkdtemp(join(tmpdir(), 'kassa-chaos-'));
    closing.add(() => rm(folder, { recursive: true, force: true }));
    const dataDir = join(folder, 'data');
    // Where Postgres' user cannot enter the folder, its files lie elsewhere.
    closing.add(async () => rm((await openDataFolder(dataDir)).home, { recursive: true, force: true }));
    const first = keep(await Wire.open());
    const second = keep(await Wire.open());
    const kassaToBank = keep(await Wire.open());
    signal.throwIfAborted();
    const database = keep(
      await Database.open(dataDir, (port) => {
        first.lead(port);
        second.lead(port);
      }),
    );
    signal.throwIfAborted();
    const shop = await openShop(database.url, `http://127.0.0.1:${kassaToBank.port}`);
    const bank = keep(bankOf(folder, kassaToBank, onDefect));
    const kassas = [
      keep(kassaOf(0, folder, database.urlAt(first.port), onDefect)),
      keep(kassaOf(1, folder, database.urlAt(second.port), onDefect)),
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
      folder,
      database,
      kassas,
      bank,
      wires: { kassaToDatabase: [first, second], kassaToBank },
      shop,
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
        const pool = openPool(database.url, { size: 2 });
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
