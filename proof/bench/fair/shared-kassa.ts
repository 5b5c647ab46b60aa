// A Kassa that two merchants share, of this checkout or of another one: whatever is asked of it goes through its own
// commands and its API, so that a version with another schema can stand beside it.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Closing } from '../../chaos/closing.ts';
import { openDataFolder } from '../../../src/database/data-folder.ts';
import { startChild } from '../children.ts';
import type { Child } from '../children.ts';
import { mainOf } from '../../program.ts';
import { environmentOf, startService } from '../service.ts';
import type { ServiceOptions } from '../service.ts';

export type Merchant = { readonly secretKey: string; readonly checkoutKey: string };

export type SharedKassa = {
  readonly port: number;
  /** A test merchant of its own. */
  openMerchant(name: string): Promise<Merchant>;
  /** Starts one more process that ends with all the others. */
  start(file: URL): Child;
  close(): Promise<void>;
};

// As in production: not for this machine alone. The rates and all other settings are the defaults, but for hooks that may
// reach this machine, where the endpoints that hang are.
export const HOST = '0.0.0.0';
const PRIVATE_HOOKS = 'KASSA_PRIVATE_HOOKS';

/** A version that does not know a setting refuses to start with it. */
async function settingsFor(root: string | undefined): Promise<Record<string, string>> {
  const known = await readFile(join(mainOf(root), '..', 'config.ts'), 'utf8');
  return { HOST, ...(known.includes(PRIVATE_HOOKS) && { [PRIVATE_HOOKS]: 'on' }) };
}

const run = promisify(execFile);

export async function openSharedKassa(
  options: Pick<ServiceOptions, 'root' | 'log' | 'profile'>,
  signal: AbortSignal,
): Promise<SharedKassa> {
  const closing = new Closing();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'kassa-fair-'));
    closing.add(() => rm(folder, { recursive: true, force: true }));
    // Where Postgres' user cannot enter the folder, its files lie elsewhere.
    closing.add(async () => rm((await openDataFolder(folder)).home, { recursive: true, force: true }));
    signal.throwIfAborted();
    const service = await startService({ ...options, dataDir: folder, env: await settingsFor(options.root) });
    closing.add(() => service.stop());
    signal.throwIfAborted();
    return {
      port: service.port,
      openMerchant: async (name) => {
        const args = [mainOf(options.root), 'merchant', 'create', '--name', name, '--json'];
        const { stdout } = await run(process.execPath, args, { env: environmentOf({ KASSA_DATA_DIR: folder }) });
        return JSON.parse(stdout) as Merchant;
      },
      start: (file) => {
        const child = startChild(file, signal);
        closing.add(() => child.end());
        return child;
      },
      close: () => closing.run(),
    };
  } catch (error) {
    await closing.run().catch(() => {});
    throw error;
  }
}
