// Medusa's side of a comparison: its packages are fetched by npm into a folder of the bench, and its payment module works
// in a database of its own on the same Postgres.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Child } from '../children.ts';
import { drive } from '../children.ts';
import { rateOf } from '../measure.ts';
import type { Measure } from '../measure.ts';
import { requestText } from '../plan.ts';
import type { Work } from '../plan.ts';
import { WARM_UP_MS, firstSliceOf, repeatTooShort } from '../side.ts';
import type { Run, Side } from '../side.ts';
import type { MedusaOrder } from './medusa-server.ts';

export type PeerOperation = 'create' | 'read' | 'charge' | 'refund' | 'cancel';

export const MEDUSA_VERSION = '2.21.2';
const PACKAGES = ['@medusajs/payment', '@medusajs/framework'].map((name) => `${name}@${MEDUSA_VERSION}`);
const INSTALL_LIMIT_MS = 600_000;
const DATABASE = 'bench_medusa';
const READ_STOCK = 200;
// In a second of the first slice, as quick as it may be.
const FIRST_PACE = 250;
const MARGIN = 1.4;

const run = promisify(execFile);

type Laid = { readonly collections: readonly string[]; readonly payments: readonly string[] };
type Opened = {
  readonly port: number;
  readonly layIn: (state: 'authorized' | 'captured', count: number) => Promise<Laid>;
};

async function install(folder: string, signal: AbortSignal): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error', ...PACKAGES];
  await run('npm', args, { cwd: folder, timeout: INSTALL_LIMIT_MS, signal, env: { ...process.env, NODE_ENV: '' } });
}

export async function openMedusa(of: Run): Promise<Opened> {
  const { setup, signal, floorClients, onProgress } = of;
  const folder = join(setup.folder, 'medusa');
  onProgress(`installing ${PACKAGES.join(' and ')}`);
  await install(folder, signal);
  await setup.pool.query(`create database ${DATABASE}`);
  const url = new URL(setup.scratchUrl);
  url.pathname = `/${DATABASE}`;
  onProgress('starting the payment module of Medusa');
  const child: Child = setup.start(new URL('medusa-server.ts', import.meta.url));
  const ask = <Answer>(order: MedusaOrder): Promise<Answer> => child.ask<Answer>(order);
  const port = await ask<number>({ kind: 'open', folder, url: url.href, connections: floorClients });
  return { port, layIn: (state, count) => ask<Laid>({ kind: 'lay in', state, count }) };
}

const PATHS = {
  create: ['/payments', ''],
  read: ['/payments/', ''],
  charge: ['/payments/', '/captures'],
  refund: ['/payments/', '/refunds'],
  cancel: ['/payments/', '/cancels'],
} as const satisfies Record<PeerOperation, readonly [string, string]>;

const STATES = { charge: 'authorized', refund: 'captured', cancel: 'authorized' } as const;

function workOn(operation: PeerOperation, ids: readonly string[], once: boolean): Work {
  const isRead = operation === 'read';
  const text = requestText(isRead ? 'GET' : 'POST', PATHS[operation], 'none', isRead ? undefined : {});
  return { kind: 'each', ...text, status: isRead ? 200 : 201, ids, once };
}

export function medusaSide(of: Run, { port, layIn }: Opened, operation: PeerOperation): Side {
  const driveFor = (seconds: number, work: Work): Promise<Measure> =>
    drive(of.setup.client, {
      port,
      connections: of.connections,
      warmUpMs: WARM_UP_MS,
      measureMs: seconds * 1_000,
      work,
    });
  if (operation === 'create' || operation === 'read') {
    let ids: readonly string[] | undefined;
    const slice = async (seconds: number): Promise<Measure> => {
      ids ??= operation === 'create' ? [''] : (await layIn('captured', READ_STOCK)).collections;
      return driveFor(seconds, workOn(operation, ids, false));
    };
    return { prepare: async () => void (await slice(firstSliceOf(of))), slice };
  }
  let pace = 0;
  const slice = async (seconds: number): Promise<Measure> => {
    const count = Math.ceil((pace || FIRST_PACE) * (seconds + WARM_UP_MS / 1_000) * MARGIN);
    const { payments } = await layIn(STATES[operation], count);
    const measure = await driveFor(seconds, workOn(operation, payments, true));
    pace = measure.requests > 0 ? rateOf(measure) : pace * 2;
    return measure;
  };
  return {
    prepare: async () => void (await slice(firstSliceOf(of))),
    slice: (seconds) => repeatTooShort(seconds, () => slice(seconds)),
  };
}
