// `npm run release:try -- [--package FILE] [--fetch]`: how long a stranger with a clean folder and a clean home takes from
// the tarball to a payment that is paid and charged, and how much that puts on the disk. It makes the package first where
// none is named. With --fetch npm has every package sent to it; else it takes what it kept. Ends with 1 when it takes too
// long.
import { readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { print, runByHand } from '../../proof/by-hand.ts';
import { packRelease } from './pack.ts';
import { root } from './stage.ts';
import { tryPackage } from './try-package.ts';

// Of processors, not of the clock: a machine that does other things as well is no reason to fail.
const MOST_MACHINE_MS = 60_000;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const { values } = parseArgs({ options: { package: { type: 'string' }, fetch: { type: 'boolean', default: false } } });
await runByHand('release-try', async (signal) => {
  const tarball = values.package === undefined ? await packRelease(tmpdir()) : resolve(values.package);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const { installMs, paidMs, machineMs, installedBytes } = await tryPackage(tarball, version, { ...values, signal });
  print(`the tarball            ${megabytes(statSync(tarball).size)}`);
  print(`installed              ${megabytes(installedBytes)}, with its own Node and Postgres`);
  print(`npm install            ${seconds(installMs)}`);
  print(`to the charge, stopped ${seconds(paidMs)}`);
  print(`in all                 ${seconds(installMs + paidMs)}`);
  if (machineMs !== undefined)
    print(`of processors          ${seconds(machineMs)}, at most ${seconds(MOST_MACHINE_MS)}`);
  return (machineMs ?? installMs + paidMs) > MOST_MACHINE_MS ? 1 : 0;
});
