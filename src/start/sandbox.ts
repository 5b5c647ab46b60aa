// The sandbox merchant of the first run. Its keys are also kept in a file of the data folder, readable by its owner
// alone, so that the banner can show them again. The file is written before the merchant is committed: whoever is killed
// in between leaves a file that no database knows, which the next start sees and writes anew.
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

/** The sandbox of a database that has one, whose key is not in the file, or is not valid any more. */
export type KeylessSandbox = Pick<Sandbox, 'merchantId'>;

export const SANDBOX_FILE = 'sandbox.json';
const SANDBOX_NAME = 'Sandbox';
const KEY_DIGITS = 32;

/** Does something with the file, in a folder that is ours; what forbids it is thrown as a sentence. */
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

/** Undefined where there is none, or none that can be understood. */
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
 * Where one is asked for: the keys of the sandbox as long as they are valid; on an empty database a new sandbox. A folder
 * that cannot be used is told: beside a database of one's own, that is no reason not to serve.
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
