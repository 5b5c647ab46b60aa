// A running Kassa for tests: a real process with a real port, on a database of its own or on one that it shares.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey, createMerchant } from '../../src/store/merchants.ts';
import type { MerchantSettings } from '../../src/store/merchants.ts';
import type { Merchant } from '../../src/domain/merchant.ts';
import { openPool } from '../../src/store/pool.ts';
import type { Pool } from '../../src/store/pool.ts';
import { Client } from './client.ts';
import { cloneDatabase } from './database.ts';

export const root = join(import.meta.dirname, '..', '..');
const SIMPLE = { dialect: 'spec', strictItems: false, reserveOnDemand: false, acquirer: 'simulator' } as const;
const START_TIMEOUT_MS = 30_000;

export type Shop = { readonly merchant: Merchant; readonly secretKey: string; readonly client: Client };

export type Service = {
  readonly url: string;
  readonly databaseUrl: string;
  readonly pid: number;
  /** The database behind the service, for looking at rows. */
  readonly pool: Pool;
  /** All that the service wrote to its log so far. */
  log(): string;
  /** A merchant with a key of its own, and a client that uses it. */
  openShop(settings?: Partial<MerchantSettings> & { live?: boolean }): Promise<Shop>;
  /** A client of this service with any key, or none. */
  client(secretKey?: string): Client;
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
  /** For Node itself, before the program. */
  readonly flags?: readonly string[];
};

/** Starts the program and waits for the banner; throws what it wrote when it ends before. */
async function spawnService(
  env: NodeJS.ProcessEnv,
  flags: readonly string[],
): Promise<{ child: ChildProcess; url: string; log: () => string }> {
  const child = spawn(process.execPath, [...flags, join(root, 'src/main.ts'), 'serve'], { cwd: root, env });
  let [out, err] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the service did not start: ${out}${err}`)), START_TIMEOUT_MS);
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      const found = /API\s+(http:\S+)\/v1\n/.exec(out)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found.replace('localhost', '127.0.0.1'));
    });
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${out}${err}`)));
  });
  return { child, url, log: () => err };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const databaseUrl = options.databaseUrl ?? (await cloneDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'kassa-service-'));
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    PORT: '0',
    DATABASE_URL: databaseUrl,
    KASSA_DATA_DIR: dataDir,
    ...options.env,
  };
  const { child, url, log } = await spawnService(env, options.flags ?? []);
  const pool = openPool(databaseUrl, { size: 4 });
  const finish = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended(child);
    await pool.close().catch(() => {});
    await rm(dataDir, { recursive: true, force: true });
  };
  return {
    url,
    databaseUrl,
    pid: child.pid as number,
    pool,
    log,
    client: (secretKey) => new Client(url, secretKey),
    openShop: async ({ live = false, ...settings } = {}) => {
      const defaults = { ...SIMPLE, name: 'Test shop' } as const;
      const merchant = await createMerchant(pool, live, { ...defaults, ...settings });
      const { secret } = await createKey(pool, merchant);
      return { merchant, secretKey: secret, client: new Client(url, secret) };
    },
    ended: () => ended(child),
    kill: () => finish('SIGKILL'),
    stop: async () => {
      await finish('SIGTERM');
      return child.exitCode;
    },
  };
}
