// Tries a package as a stranger would: installs the tarball into a clean folder with a clean home, starts what was
// installed, pays, charges, refunds, and lets it verify its books.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, SERVICE_READY, whenReady } from '../../proof/program.ts';
import { Client } from '../../test/support/client.ts';
import { aPay } from '../../test/support/checkout.ts';
import { root } from './stage.ts';

export type Tried = { readonly installMs: number; readonly paidMs: number };

function install(tarball: string, folder: string): void {
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { cwd: root, encoding: 'utf8' }).trim();
  const env = { PATH: process.env['PATH'], HOME: join(folder, 'home'), npm_config_cache: cache };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true }));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball], { cwd: folder, env });
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

export async function tryPackage(tarball: string, version: string): Promise<Tried> {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-try-'));
  // Postgres runs as another user where this runs as root.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'home'));
  const dataDir = join(folder, 'data');
  const command = [process.execPath, join(folder, 'node_modules', 'kassa', 'bin', 'kassa.js')] as const;
  const env = { HOME: join(folder, 'home'), KASSA_DATA_DIR: dataDir, PORT: '0' };
  const kassa = (...words: string[]) => launch(words, { command, env });
  try {
    const startedAt = performance.now();
    install(tarball, folder);
    const installedAt = performance.now();
    const { out } = await kassa('--version').ended;
    if (out !== `${version}\n`) throw new Error(`the package says that it is ${out}`);
    const service = kassa('serve');
    try {
      await pay(`http://127.0.0.1:${await whenReady(service, SERVICE_READY)}`, dataDir);
    } finally {
      await service.end('SIGTERM');
    }
    const paidAt = performance.now();
    const books = await kassa('verify').ended;
    if (books.code !== 0) throw new Error(`the books do not balance: ${books.out}${books.err}`);
    return { installMs: installedAt - startedAt, paidMs: paidAt - installedAt };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 500 });
  }
}
