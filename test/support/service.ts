// A running Kassa for tests, with a real port and a real database. Most run inside the worker that runs the test: one that
// files share, each with a shop of its own, or one with settings or a database of its own. What is about a process, its
// signals, its end or its clock, and what needs two at work on one database, starts a process.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, SERVICE_READY, whenReady } from '../../proof/program.ts';
import { readConfig } from '../../src/config.ts';
import type { Merchant } from '../../src/domain/merchant.ts';
import { openLogTo } from '../../src/ops/log.ts';
import { holdService } from '../../src/start/service.ts';
import { createKey } from '../../src/store/merchants/keys.ts';
import { createMerchant } from '../../src/store/merchants/merchants.ts';
import type { MerchantSettings } from '../../src/store/merchants/merchants.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { Client } from './client.ts';
import { countStart } from './counts.ts';
import { cloneDatabase } from './database.ts';
import { noteLogLine } from './exchanges.ts';

const SIMPLE = { dialect: 'spec', strictItems: false, reserveOnDemand: false, acquirer: 'simulator' } as const;

export type Shop = { readonly merchant: Merchant; readonly secretKey: string; readonly client: Client };

type ShopSettings = Partial<MerchantSettings> & {
  readonly live?: boolean;
  /** In the part of this one: what a statement asks for by part alone, it finds of both. */
  readonly beside?: Shop;
};

type Access = {
  readonly url: string;
  readonly databaseUrl: string;
  /** The database behind the service, for looking at rows. */
  readonly pool: Pool;
  /** A merchant with a key of its own, and a client that uses it. */
  openShop(settings?: ShopSettings): Promise<Shop>;
  /** A client of this service with any key, or none. */
  client(secretKey?: string): Client;
};

export type Service = Access & {
  /** All that the service wrote to its log so far. */
  log(): string;
  stop(): Promise<unknown>;
};

export type SpawnedService = Service & {
  readonly pid: number;
  /** Resolves when the process has ended, by whatever. */
  ended(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>;
};

export type ServiceOptions = {
  /** Another service's database; otherwise a new one. */
  readonly databaseUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
};

type SpawnOptions = ServiceOptions & {
  /** For Node itself, before the program. */
  readonly flags?: readonly string[];
};

/** What a file sees of the Kassa that it shares: no settings, no log, and of the database only rows of its shops. */
export type SharedService = Access & {
  /** The Kassa runs on. */
  close(): Promise<void>;
};

type Place = { readonly databaseUrl: string; readonly dataDir: string; readonly env: Record<string, string> };

async function makePlace({ databaseUrl: given, env }: ServiceOptions): Promise<Place> {
  countStart();
  const databaseUrl = given ?? (await cloneDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'kassa-service-'));
  return { databaseUrl, dataDir, env: { PORT: '0', DATABASE_URL: databaseUrl, KASSA_DATA_DIR: dataDir, ...env } };
}

/** A Kassa inside this process, with its own settings and, unless one is named, its own database. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const { databaseUrl, dataDir, env } = await makePlace(options);
  const config = readConfig(env);
  const lines: string[] = [];
  const log = openLogTo(config.logLevel, (line) => {
    lines.push(line);
    noteLogLine(line);
  });
  const held = await holdService(config, log);
  if (held.started === undefined) throw new Error('it was asked to end before it had started');
  const pool = openPool(databaseUrl, { size: 4 });
  const stop = async (): Promise<void> => {
    await held.stop();
    await pool.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  let stopped: Promise<void> | undefined;
  return {
    ...openAccess(urlOf(held.started), databaseUrl, pool),
    log: () => lines.join(''),
    stop: () => (stopped ??= stop()),
  };
}

// A name would be looked up for each connection.
const urlOf = ({ url }: { readonly url: string }): string => url.replace('localhost', '127.0.0.1');

/** A Kassa that is a process of its own. */
export async function spawnService({ flags, ...options }: SpawnOptions = {}): Promise<SpawnedService> {
  const { databaseUrl, dataDir, env } = await makePlace(options);
  const program = launch(['serve'], { env, ...(flags && { flags }) });
  const url = `http://127.0.0.1:${await whenReady(program, SERVICE_READY)}`;
  const pool = openPool(databaseUrl, { size: 4 });
  const finish = async (signal: NodeJS.Signals): Promise<void> => {
    await program.end(signal);
    await pool.close().catch(() => {});
    await rm(dataDir, { recursive: true, force: true });
  };
  return {
    ...openAccess(url, databaseUrl, pool),
    pid: program.pid,
    log: () => program.err(),
    ended: async () => void (await program.ended),
    kill: () => finish('SIGKILL'),
    stop: async () => {
      await finish('SIGTERM');
      return program.child.exitCode;
    },
  };
}

// It has the default settings, but does not mind that all consumers come from one address. Its log is not kept: only a
// failure shows the end of it.
const SHARED = { KASSA_ADDRESS_ATTEMPTS: 'off' };

let shared: (SharedService & { stop(): Promise<void> }) | undefined;

/** Before the first file of a worker. */
export async function openShared(): Promise<void> {
  const { databaseUrl, env } = await makePlace({ env: SHARED });
  const config = readConfig(env);
  const held = await holdService(config, openLogTo(config.logLevel, noteLogLine));
  if (held.started === undefined) throw new Error('it was asked to end before it had started');
  const pool = openPool(databaseUrl, { size: 4 });
  const stop = async (): Promise<void> => {
    await held.stop();
    await pool.close();
  };
  shared = { ...openAccess(urlOf(held.started), databaseUrl, pool), close: async () => {}, stop };
}

/** The Kassa of this worker. */
export function shareService(): SharedService {
  if (shared === undefined) throw new Error('run the tests with: npm test -- test/…/….test.ts');
  return shared;
}

/** After the last file of a worker. */
export async function closeShared(): Promise<void> {
  await shared?.stop();
}

/** Parts are drawn from 4,096, so two merchants of a test would hardly ever have the same. */
/** Puts a merchant that has nothing yet into the part of another. */
export async function moveBeside(pool: Pool, { id, ...made }: Merchant, { parts }: Merchant): Promise<Merchant> {
  await pool.query('update merchants set parts = $2 where id = $1', [id, parts]);
  await pool.query('update event_counters set part = $2 where merchant_id = $1', [id, parts[0]]);
  return { ...made, id, parts };
}

const openAccess = (url: string, databaseUrl: string, pool: Pool): Access => ({
  url,
  databaseUrl,
  pool,
  client: (secretKey) => new Client(url, secretKey),
  openShop: async ({ live = false, beside, ...settings } = {}) => {
    const defaults = { ...SIMPLE, name: 'Test shop' } as const;
    const made = await createMerchant(pool, live, { ...defaults, ...settings });
    const merchant = beside ? await moveBeside(pool, made, beside.merchant) : made;
    const { secret } = await createKey(pool, merchant);
    return { merchant, secretKey: secret, client: new Client(url, secret) };
  },
});
