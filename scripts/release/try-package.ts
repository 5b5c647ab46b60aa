// Tries a package as a stranger would: installs the tarball into a clean folder with a clean home, starts what was
// installed on the Node that the machine has, pays, charges, refunds, and lets it verify its books.
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { processorMs } from '../../proof/processor-time.ts';
import { launch, SERVICE_READY, whenReady } from '../../proof/program.ts';
import { Client } from '../../test/support/client.ts';
import { aPay } from '../../test/support/checkout.ts';
import { root } from './stage.ts';

export type Tried = {
  readonly installMs: number;
  readonly paidMs: number;
  /** Of processors, for all of it until it is paid; undefined where the system does not tell. */
  readonly machineMs: number | undefined;
  readonly installedBytes: number;
};

type TryOptions = {
  /** Packages come from their registry, and not from what npm kept of earlier installs. */
  readonly fetch?: boolean;
  /** Ends the installation; what was started ends with the run. */
  readonly signal: AbortSignal;
};

const run = promisify(execFile);

// What npm run puts in front is this checkout's, and nothing that a stranger has.
const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

async function install(tarball: string, folder: string, { fetch = false, signal }: TryOptions): Promise<void> {
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { cwd: root, encoding: 'utf8' }).trim();
  const env = { PATH, HOME: join(folder, 'home'), ...(!fetch && { npm_config_cache: cache }) };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true }));
  const words = ['install', '--no-audit', '--no-fund', ...(fetch ? [] : ['--prefer-offline'])];
  await run('npm', [...words, tarball], { cwd: folder, env, signal });
}

function sizeOf(folder: string): number {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((file) => file.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

async function pay(url: string, dataDir: string): Promise<void> {
  const keys = JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as Record<string, string>;
  const client = new Client(url, keys['secretKey']);
  const paymentId = await client.create();
  const headers = { paymentId, checkoutKey: keys['checkoutKey'] as string };
  const paid = await new Client(url).post('/api/v1/pay', aPay(), headers);
  if (paid.status !== 201) throw new Error(`the payment was not paid: ${paid.status} ${paid.text}`);
  await client.refund(await client.charge(paymentId, 100_000), 40_000);
  const { summary } = await client.payment(paymentId);
  if (summary.chargedAmount !== 100_000 || summary.refundedAmount !== 40_000)
    throw new Error(`the payment is told as ${JSON.stringify(summary)}`);
}

export async function tryPackage(tarball: string, version: string, options: TryOptions): Promise<Tried> {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-try-'));
  // Postgres runs as another user where this runs as root.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'home'));
  const dataDir = join(folder, 'data');
  // What npx runs.
  const command = [join(folder, 'node_modules', '.bin', 'kassa')] as const;
  const env = { PATH, HOME: join(folder, 'home'), KASSA_DATA_DIR: dataDir, PORT: '0' };
  const kassa = (...words: string[]) => launch(words, { command, env });
  try {
    const [startedAt, machineBefore] = [performance.now(), processorMs()];
    await install(tarball, folder, options);
    const installedAt = performance.now();
    const { out } = await kassa('--version').ended;
    if (out !== `${version}\n`) throw new Error(`the package says that it is ${out}`);
    options.signal.throwIfAborted();
    const service = kassa('serve');
    try {
      await pay(`http://127.0.0.1:${await whenReady(service, SERVICE_READY)}`, dataDir);
    } finally {
      await service.end('SIGTERM');
    }
    const [paidAt, machineAfter] = [performance.now(), processorMs()];
    const books = await kassa('verify').ended;
    if (books.code !== 0) throw new Error(`the books do not balance: ${books.out}${books.err}`);
    return {
      installMs: installedAt - startedAt,
      paidMs: paidAt - installedAt,
      machineMs: machineBefore === undefined || machineAfter === undefined ? undefined : machineAfter - machineBefore,
      installedBytes: sizeOf(join(folder, 'node_modules')),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 500 });
  }
}
