// The sandbox merchant of the first run. Its keys are also kept in a file of the data folder, readable by its owner
// alone, so that the banner can show them again. The file is written before the merchant is committed: whoever is killed
// in between leaves a file that no database knows, which the next start sees and writes anew.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { readOwn, writeOwn } from '../folders/own-file.ts';
import { isOurs } from '../folders/owner.ts';
import { createKey, createMerchant, findMerchantByKey, listMerchants } from '../store/merchants.ts';
import type { Pool } from '../store/pool.ts';

export type Sandbox = { readonly merchantId: number; readonly secretKey: string; readonly checkoutKey: string };

/** The sandbox of a database that has one, whose key is not in the file, or is not valid any more. */
export type KeylessSandbox = Pick<Sandbox, 'merchantId'>;

export const SANDBOX_FILE = 'sandbox.json';
const SETTINGS = {
  name: 'Sandbox',
  dialect: 'spec',
  strictItems: false,
  reserveOnDemand: false,
  acquirer: 'simulator',
} as const;
const KEY_DIGITS = 32;

export function readSandbox(dataDir: string): Sandbox | undefined {
  if (!isOurs(dataDir)) return undefined;
  try {
    const sandbox = JSON.parse(readOwn(join(dataDir, SANDBOX_FILE)) ?? '{}') as Partial<Sandbox>;
    return typeof sandbox.secretKey === 'string' ? (sandbox as Sandbox) : undefined;
  } catch {
    return undefined;
  }
}

/** False when the folder is not to be written: beside a database of one's own, that is no reason not to serve. */
function writeSandbox(dataDir: string, sandbox: Sandbox): boolean {
  if (!isOurs(dataDir)) return false;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeOwn(join(dataDir, SANDBOX_FILE), `${JSON.stringify(sandbox, null, 2)}\n`);
    return true;
  } catch {
    return false;
  }
}

/** Of several processes that start on an empty database at once, one makes the merchant. */
async function createSandbox(pool: Pool, dataDir: string): Promise<Sandbox | undefined> {
  return pool.withClient(async (client) => {
    const within: Pool = {
      ...pool,
      query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
        (await client.query(text, [...values])).rows as Row[],
    };
    await client.query('begin');
    try {
      await client.query('lock table merchants in share row exclusive mode');
      const isEmpty = (await listMerchants(within)).length === 0;
      const sandbox = isEmpty ? await makeSandbox(within, dataDir) : undefined;
      await client.query(sandbox === undefined ? 'rollback' : 'commit');
      return sandbox;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  });
}

async function makeSandbox(pool: Pool, dataDir: string): Promise<Sandbox | undefined> {
  const merchant = await createMerchant(pool, false, SETTINGS);
  const { secret } = await createKey(pool, merchant);
  const sandbox = { merchantId: merchant.id, secretKey: secret, checkoutKey: merchant.checkoutKey };
  return writeSandbox(dataDir, sandbox) ? sandbox : undefined;
}

/** Where one is asked for: the keys of the sandbox as long as they are valid; on an empty database a new sandbox. */
export async function findOrCreateSandbox(
  pool: Pool,
  { dataDir, sandbox: isAsked }: Config,
): Promise<Sandbox | KeylessSandbox | undefined> {
  if (!isAsked) return undefined;
  const known = readSandbox(dataDir);
  if (known && (await findMerchantByKey(pool, known.secretKey.slice(-KEY_DIGITS)))?.id === known.merchantId)
    return known;
  const merchants = await listMerchants(pool);
  if (merchants.length === 0) return createSandbox(pool, dataDir);
  const keyless = merchants.find(({ id, name, live }) => id === known?.merchantId || (!live && name === SETTINGS.name));
  return keyless && { merchantId: keyless.id };
}
