// The sandbox merchant of the first start. Its keys are also stored in a file in the data folder, readable only by its
// owner, so that the banner can show them again. The file is written before the merchant is committed; after a crash in
// between, the next start rewrites it.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { FolderRefused, readOwn, writeOwn } from '../folders/own-file.ts';
import { requireOurs } from '../folders/owner.ts';
import { createFirstMerchant } from '../merchants/merchants.ts';
import type { MerchantWithKey } from '../merchants/merchants.ts';
import { findMerchantByKey } from '../store/merchants/keys.ts';
import { listMerchants } from '../store/merchants/merchants.ts';
import type { Pool } from '../store/connections/pool.ts';

export type Sandbox = { readonly merchantId: number; readonly secretKey: string; readonly checkoutKey: string };

/** A sandbox whose key is not in the file or no longer valid. */
export type KeylessSandbox = Pick<Sandbox, 'merchantId'>;

export const SANDBOX_FILE = 'sandbox.json';
const SANDBOX_NAME = 'Sandbox';
const KEY_DIGITS = 32;

/** Uses the file in a folder that belongs to this user; throws a FolderRefused if that is not possible. */
function useFile<Result>(dataDir: string, use: (file: string) => Result): Result {
  const file = join(dataDir, SANDBOX_FILE);
  try {
    requireOurs(dataDir);
    return use(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new FolderRefused(`${file} cannot be used (${code}).`, { cause: error });
  }
}

/** Undefined if the file is missing or invalid. */
export function readSandbox(dataDir: string): Sandbox | undefined {
  if (!existsSync(dataDir)) return undefined;
  const text = useFile(dataDir, readOwn) ?? '{}';
  try {
    const sandbox = JSON.parse(text) as Partial<Sandbox>;
    return typeof sandbox.secretKey === 'string' ? (sandbox as Sandbox) : undefined;
  } catch {
    return undefined;
  }
}

function writeSandbox(dataDir: string, sandbox: Sandbox): void {
  useFile(dataDir, (file) => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeOwn(file, `${JSON.stringify(sandbox, null, 2)}\n`);
  });
}

const sandboxOf = ({ merchant, secret }: MerchantWithKey): Sandbox => ({
  merchantId: merchant.id,
  secretKey: secret,
  checkoutKey: merchant.checkoutKey,
});

async function createSandbox(pool: Pool, dataDir: string): Promise<Sandbox | undefined> {
  const made = await createFirstMerchant(pool, { name: SANDBOX_NAME }, (first) =>
    writeSandbox(dataDir, sandboxOf(first)),
  );
  return made && sandboxOf(made);
}

/**
 * Returns the sandbox, if it is turned on, with its keys as long as they are valid; creates it in an empty database. An
 * unusable folder is only reported, since the service can run without it.
 */
export async function findOrCreateSandbox(
  pool: Pool,
  { dataDir, sandbox: isWanted }: Config,
  onRefused: (why: string) => void,
): Promise<Sandbox | KeylessSandbox | undefined> {
  if (!isWanted) return undefined;
  let refused: FolderRefused | undefined;
  const unlessRefused = async <Result>(work: () => Result | Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FolderRefused)) throw error;
      refused = error;
      return undefined;
    }
  };
  const known = await unlessRefused(() => readSandbox(dataDir));
  if (known && (await findMerchantByKey(pool, known.secretKey.slice(-KEY_DIGITS)))?.id === known.merchantId)
    return known;
  const merchants = await listMerchants(pool);
  const made = merchants.length === 0 ? await unlessRefused(() => createSandbox(pool, dataDir)) : undefined;
  if (made !== undefined) return made;
  if (refused !== undefined) onRefused(refused.message);
  const keyless = merchants.find(({ id, name, live }) => id === known?.merchantId || (!live && name === SANDBOX_NAME));
  return keyless && { merchantId: keyless.id };
}
