// The sandbox merchant of the first run. Its keys are also kept in a file of the data folder, readable by its owner
// alone, so that the banner can show them again.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Merchant } from '../domain/merchant.ts';
import { createKey, createMerchant, findMerchantByKey, listMerchants } from '../store/merchants.ts';
import type { Pool } from '../store/pool.ts';

export type Sandbox = { readonly merchantId: number; readonly secretKey: string; readonly checkoutKey: string };

const FILE = 'sandbox.json';
const SETTINGS = { name: 'Sandbox', dialect: 'spec', strictItems: false, reserveOnDemand: false } as const;

async function readSandbox(path: string): Promise<Sandbox | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Sandbox;
  } catch {
    return undefined;
  }
}

/** Of several processes that start on an empty database at once, one makes the merchant. */
async function createFirstMerchant(pool: Pool): Promise<Merchant | undefined> {
  return pool.withClient(async (client) => {
    await client.query('begin');
    try {
      await client.query('lock table merchants in share row exclusive mode');
      const { rowCount } = await client.query('select 1 from merchants limit 1');
      const within: Pool = {
        ...pool,
        query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
          (await client.query(text, [...values])).rows as Row[],
      };
      const merchant = rowCount === 0 ? await createMerchant(within, false, SETTINGS) : undefined;
      await client.query('commit');
      return merchant;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  });
}

/** Finds the sandbox's keys again, or makes the merchant when the database has none yet. */
export async function findOrCreateSandbox(pool: Pool, dataDir: string): Promise<Sandbox | undefined> {
  const path = join(dataDir, FILE);
  const known = await readSandbox(path);
  if (known && (await findMerchantByKey(pool, known.secretKey.slice(-32)))?.id === known.merchantId) return known;
  if ((await listMerchants(pool)).length > 0) return undefined;
  const merchant = await createFirstMerchant(pool);
  if (merchant === undefined) return undefined;
  const { secret } = await createKey(pool, merchant);
  const sandbox = { merchantId: merchant.id, secretKey: secret, checkoutKey: merchant.checkoutKey };
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(path, `${JSON.stringify(sandbox, null, 2)}\n`, { mode: 0o600 });
  return sandbox;
}
