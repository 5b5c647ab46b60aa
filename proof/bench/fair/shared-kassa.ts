// A Kassa that two merchants share, of this checkout or of another one, started again and again on one data folder:
// whatever is asked of it goes through its own commands and its API, so that a version with another schema can stand
// beside it.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Closing } from '../../chaos/closing.ts';
import { startChild } from '../children.ts';
import type { Child } from '../children.ts';
import { mainOf } from '../../program.ts';
import { environmentOf, startService } from '../service.ts';
import type { ServiceOptions } from '../service.ts';
import { removeDataFolder } from '../setup.ts';

export type Merchant = { readonly merchantId: number; readonly secretKey: string; readonly checkoutKey: string };

export type SharedKassa = {
  readonly port: number;
  /** A test merchant of its own. */
  openMerchant(name: string): Promise<Merchant>;
  /** A person of the merchant who is in the console: their cookie. */
  signIn(merchant: Merchant): Promise<string>;
};

// As in production: not for this machine alone. The rates and all other settings are the defaults, but for hooks that may
// reach this machine, where the endpoints that hang are.
export const HOST = '0.0.0.0';
const HOOKS_ANYWHERE = { KASSA_PRIVATE_HOOKS: 'on' };
/** To lay in what would take minutes at the rate of a test merchant. */
export const WITHOUT_RATES = { KASSA_TEST_RATE_LIMIT: 'off' };

/** A version that does not know a setting refuses to start with it. */
async function settingsFor(root: string | undefined, more: Record<string, string>): Promise<Record<string, string>> {
  const known = await readFile(join(mainOf(root), '..', 'config.ts'), 'utf8');
  const wanted = Object.entries({ ...HOOKS_ANYWHERE, ...more }).filter(([name]) => known.includes(name));
  return { HOST, ...Object.fromEntries(wanted) };
}

const run = promisify(execFile);

/** What is used while it lasts, and is gone afterwards however it ended. */
async function whileOpen<Result>(use: (closing: Closing) => Promise<Result>): Promise<Result> {
  const closing = new Closing();
  let result: Result;
  try {
    result = await use(closing);
  } catch (error) {
    await closing.run().catch(() => {});
    throw error;
  }
  await closing.run();
  return result;
}

export const withDataFolder = <Result>(use: (folder: string) => Promise<Result>): Promise<Result> =>
  whileOpen(async (closing) => {
    const folder = await mkdtemp(join(tmpdir(), 'kassa-fair-'));
    closing.add(() => removeDataFolder(folder));
    return use(folder);
  });

export const withChild = <Result>(
  file: URL,
  signal: AbortSignal,
  use: (child: Child) => Promise<Result>,
): Promise<Result> =>
  whileOpen((closing) => {
    const child = startChild(file, signal);
    closing.add(() => child.end());
    return use(child);
  });

export type SharedOptions = Pick<ServiceOptions, 'dataDir' | 'root' | 'log' | 'profile'> & {
  readonly signal: AbortSignal;
  readonly settings?: Record<string, string>;
};

export const withSharedKassa = <Result>(
  { signal, settings = {}, ...options }: SharedOptions,
  use: (kassa: SharedKassa) => Promise<Result>,
): Promise<Result> =>
  whileOpen(async (closing) => {
    signal.throwIfAborted();
    const service = await startService({ ...options, env: await settingsFor(options.root, settings) });
    closing.add(() => service.stop());
    signal.throwIfAborted();
    const command = async (...args: readonly string[]): Promise<unknown> => {
      const env = environmentOf({ KASSA_DATA_DIR: options.dataDir });
      const { stdout } = await run(process.execPath, [mainOf(options.root), ...args, '--json'], { env });
      return JSON.parse(stdout);
    };
    return use({
      port: service.port,
      openMerchant: async (name) => (await command('merchant', 'create', '--name', name)) as Merchant,
      signIn: async ({ merchantId }) => {
        const of = ['--merchant', String(merchantId), '--role', 'developer'];
        const made = (await command('user', 'create', '--email', `${merchantId}@fair.example`, ...of)) as {
          link: string;
        };
        const origin = `http://127.0.0.1:${service.port}`;
        const answer = await fetch(origin + new URL(made.link).pathname, {
          method: 'POST',
          headers: { origin, 'sec-fetch-site': 'same-origin' },
          redirect: 'manual',
        });
        const [cookie] = answer.headers.getSetCookie();
        if (cookie === undefined) throw new Error(`nobody is let into the console: ${answer.status}`);
        return cookie.replace(/;.*/, '');
      },
    });
  });
