// One Kassa of a test: a service on a port and a database of its own, its merchants, and the bank that it may have.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '../domain/audit.ts';
import { putAcquirer } from '../merchants/acquirers.ts';
import { createMerchantWithKey, isMerchantName } from '../merchants/merchants.ts';
import { UserError } from '../ops/user-error.ts';
import { openPool } from '../store/connections/pool.ts';
import { startChild } from './child.ts';
import type { Child } from './child.ts';
import type { Databases } from './databases.ts';

const BANK = 'bank';
const SERVICE_READY = /API +(\S+)\/v1\n/;
const BANK_READY = /Address +(\S+)\n/;
const ACTOR: Actor = { kind: 'cli', id: 'kassa testing', name: 'kassa testing' };

export type MerchantWish = {
  readonly name?: string;
  readonly dialect?: 'spec' | 'nexi';
  readonly strictItems?: boolean;
  readonly reserveOnDemand?: boolean;
  /** Whether its money is at the bank, which can have bad days, and not at the simulator. */
  readonly atBank?: boolean;
};

export type MadeMerchant = { readonly merchantId: number; readonly secretKey: string; readonly checkoutKey: string };

export type Instance = {
  readonly url: string;
  readonly databaseUrl: string;
  readonly databaseMs: number;
  readonly serviceMs: number;
  createMerchant(wish: MerchantWish): Promise<MadeMerchant>;
  /** Where the bank is; started, or started again after it died, with the book that it had. */
  openBank(): Promise<{ readonly url: string; readonly key: string }>;
  log(): string;
  stop(): Promise<void>;
};

// What a test wants: no pages of a sandbox, no limits that a suite on one machine runs into, and only what is wrong.
const FOR_TESTS = {
  PORT: '0',
  KASSA_SANDBOX: 'off',
  KASSA_DEMO: 'off',
  KASSA_PRIVATE_HOOKS: 'on',
  KASSA_ADDRESS_ATTEMPTS: 'off',
  KASSA_TEST_RATE_LIMIT: 'off',
  KASSA_LOG_FORMAT: 'text',
  KASSA_LOG_LEVEL: 'error',
};

export async function startInstance(
  databases: Databases,
  settings: Readonly<Record<string, string>>,
): Promise<Instance> {
  const beganAt = performance.now();
  const databaseUrl = await databases.clone();
  const databaseMs = performance.now() - beganAt;
  const folder = await mkdtemp(join(tmpdir(), 'kassa-testing-'));
  const pool = openPool(databaseUrl, { size: 2 });
  let bank: { readonly child: Child; readonly url: string; readonly key: string } | undefined;
  let service: Child | undefined;
  const close = async (): Promise<void> => {
    await Promise.all([service?.stop(), bank?.child.stop()]);
    await pool.close();
    await databases.drop(databaseUrl);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const env = { ...FOR_TESTS, ...settings, DATABASE_URL: databaseUrl, KASSA_DATA_DIR: folder };
    service = await startChild(['serve'], env, SERVICE_READY);
  } catch (error) {
    await close();
    throw error;
  }
  const openBank = async (): Promise<{ url: string; key: string }> => {
    if (bank?.child.isRunning()) return bank;
    const key = bank?.key ?? randomBytes(16).toString('hex');
    const port = bank === undefined ? '0' : new URL(bank.url).port;
    const words = ['bank', '--port', port, '--key', key, '--data', join(folder, BANK)];
    const child = await startChild(words, {}, BANK_READY);
    const url = child.ready;
    await putAcquirer(pool, ACTOR, { name: BANK, url, key });
    bank = { child, url, key };
    return bank;
  };
  return {
    url: service.ready,
    databaseUrl,
    databaseMs,
    serviceMs: performance.now() - beganAt - databaseMs,
    openBank: async () => {
      const { url, key } = await openBank();
      return { url, key };
    },
    createMerchant: async ({ name = 'Test shop', atBank = false, ...wish }) => {
      if (!isMerchantName(name)) throw new UserError('the name of a merchant must be one line that people can read.');
      if (atBank) await openBank();
      const made = await createMerchantWithKey(pool, ACTOR, { name, ...wish, ...(atBank && { acquirer: BANK }) });
      if (made.kind !== 'created')
        throw new UserError(`such a merchant cannot be made: ${made.kind === 'refused' ? made.why : made.fault}.`);
      const { merchant, secret } = made;
      return { merchantId: merchant.id, secretKey: secret, checkoutKey: merchant.checkoutKey };
    },
    log: () => service?.log() ?? '',
    stop: close,
  };
}
