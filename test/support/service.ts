// A running Kassa for tests: a real process with a real port, on a database of its own or on one that it shares. Files
// that need no more than a shop of their own share one Kassa, which the run starts for all of them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, SERVICE_READY, whenReady } from '../../proof/program.ts';
import { createKey } from '../../src/store/keys.ts';
import { createMerchant } from '../../src/store/merchants.ts';
import type { MerchantSettings } from '../../src/store/merchants.ts';
import type { Merchant } from '../../src/domain/merchant.ts';
import { openPool } from '../../src/store/pool.ts';
import type { Pool } from '../../src/store/pool.ts';
import { Client } from './client.ts';
import { cloneDatabase } from './database.ts';

const SIMPLE = { dialect: 'spec', strictItems: false, reserveOnDemand: false, acquirer: 'simulator' } as const;

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

/** What a file sees of the Kassa that it shares: no settings, no process, and of the database only rows of its shops. */
export type SharedService = Pick<Service, 'url' | 'databaseUrl' | 'pool' | 'openShop' | 'client'> & {
  /** Closes what the file opened; the Kassa runs on. */
  close(): Promise<void>;
};

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const databaseUrl = options.databaseUrl ?? (await cloneDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'kassa-service-'));
  const env = { PORT: '0', DATABASE_URL: databaseUrl, KASSA_DATA_DIR: dataDir, ...options.env };
  const program = launch(['serve'], { env, ...(options.flags && { flags: options.flags }) });
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

/** The Kassa of the whole run, with the settings of a default one. */
export function shareService(): SharedService {
  const { TEST_SERVICE_URL: url, TEST_SERVICE_DATABASE_URL: databaseUrl } = process.env;
  if (!url || !databaseUrl) throw new Error('run the tests with: npm test -- test/…/….test.ts');
  const pool = openPool(databaseUrl, { size: 4 });
  return { ...openAccess(url, databaseUrl, pool), close: () => pool.close() };
}

const openAccess = (url: string, databaseUrl: string, pool: Pool): Omit<SharedService, 'close'> => ({
  url,
  databaseUrl,
  pool,
  client: (secretKey) => new Client(url, secretKey),
  openShop: async ({ live = false, ...settings } = {}) => {
    const defaults = { ...SIMPLE, name: 'Test shop' } as const;
    const merchant = await createMerchant(pool, live, { ...defaults, ...settings });
    const { secret } = await createKey(pool, merchant);
    return { merchant, secretKey: secret, client: new Client(url, secret) };
  },
});
