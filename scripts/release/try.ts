// `npm run release:try -- [--package FILE] [--fetch]`: how long a stranger with a clean folder and a clean home takes from
// the tarball to a payment that is paid and charged, and how much that puts on the disk. It makes the package first where
// none is named. With --fetch npm has every package sent to it; else it takes what it kept. Ends with 1 when it takes too
// long.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packRelease } from './pack.ts';
import { root } from './stage.ts';
import { tryPackage } from './try-package.ts';

// Of processors, not of the clock: a machine that does other things as well is no reason to fail.
const MOST_MACHINE_MS = 60_000;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const { values } = parseArgs({ options: { package: { type: 'string' }, fetch: { type: 'boolean', default: false } } });
const folder = mkdtempSync(join(tmpdir(), 'kassa-release-try-'));
try {
  const tarball = values.package === undefined ? await packRelease(folder) : resolve(values.package);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const { installMs, paidMs, machineMs, installedBytes } = await tryPackage(tarball, version, values);
  console.log(`the tarball            ${megabytes(statSync(tarball).size)}`);
  console.log(`installed              ${megabytes(installedBytes)}, with its own Node and Postgres`);
  console.log(`npm install            ${seconds(installMs)}`);
  console.log(`to the charge, stopped ${seconds(paidMs)}`);
  console.log(`in all                 ${seconds(installMs + paidMs)}`);
  if (machineMs !== undefined)
    console.log(`of processors          ${seconds(machineMs)}, at most ${seconds(MOST_MACHINE_MS)}`);
  if ((machineMs ?? installMs + paidMs) > MOST_MACHINE_MS) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
