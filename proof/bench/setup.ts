// All that the bench starts, and how to be rid of it again: a temporary folder, the service with its Postgres, a
// scratch database with the same schema beside the service's own, the load client.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataFolder } from '../../src/database/data-folder.ts';
import { useEmbeddedDatabase } from '../../src/database/embedded.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { startChild } from './children.ts';
import type { Child } from './children.ts';
import { startService } from './service.ts';
import type { Service } from './service.ts';

export type BenchSetup = {
  /** The data folder; there is room for files of the bench beside it. */
  readonly folder: string;
  readonly service: Service;
  readonly client: Child;
  /** Starts one more service on the same database, with other settings. */
  startAnother(env: Readonly<Record<string, string>>): Promise<Service>;
  /** Starts one more process that ends with all the others. */
  start(file: URL): Child;
  /** The service's own database, for samples and stocks. */
  readonly pool: Pool;
  /** The floors' database. */
  readonly scratch: Pool;
  readonly scratchUrl: string;
  close(): Promise<void>;
};

type Closing = (() => unknown)[];

const SCRATCH = 'bench_floor';

export type SetupOptions = {
  readonly log?: string | undefined;
  readonly profile: string | undefined;
  /** A data folder that is there already, and stays; a temporary one by default. */
  readonly dataDir?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
};

export async function openSetup(options: SetupOptions, signal: AbortSignal): Promise<BenchSetup> {
  const closing: Closing = [];
  // Backwards, each step even when the one before failed.
  const close = async (): Promise<void> => {
    const errors: unknown[] = [];
    for (let step = closing.pop(); step !== undefined; step = closing.pop()) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'not everything could be stopped');
  };
  try {
    const folder = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'kassa-bench-')));
    if (options.dataDir === undefined) closing.push(() => removeDataFolder(folder));
    signal.throwIfAborted();
    const service = await startService({ ...options, dataDir: folder });
    closing.push(() => service.stop());
    signal.throwIfAborted();
    const { databaseUrl, ...databases } = await openDatabases(folder, closing);
    const startAnother = async (env: Readonly<Record<string, string>>): Promise<Service> => {
      const more = { DATABASE_URL: databaseUrl, KASSA_SANDBOX: 'on', KASSA_DEMO: 'off', ...env };
      const another = await startService({ dataDir: folder, profile: undefined, env: more });
      closing.push(() => another.stop());
      return another;
    };
    const start = (file: URL): Child => {
      const child = startChild(file, signal);
      closing.push(() => child.end());
      return child;
    };
    const client = start(new URL('load-client.ts', import.meta.url));
    signal.throwIfAborted();
    return { folder, service, startAnother, client, start, ...databases, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Where Postgres' user cannot enter the folder, its files lie elsewhere. */
export async function removeDataFolder(folder: string): Promise<void> {
  await rm((await openDataFolder(folder)).home, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}

async function openDatabases(dataDir: string, closing: Closing) {
  const embedded = await useEmbeddedDatabase({ dataDir });
  closing.push(() => embedded.stop());
  const pool = openPool(embedded.url, { size: 2 });
  closing.push(() => pool.close());
  await pool.query(`drop database if exists ${SCRATCH}`);
  await pool.query(`create database ${SCRATCH}`);
  const scratchUrl = new URL(embedded.url);
  scratchUrl.pathname = `/${SCRATCH}`;
  const scratch = openPool(scratchUrl.href, { size: 2 });
  closing.push(() => scratch.close());
  await migrate(scratch);
  return { databaseUrl: embedded.url, pool, scratch, scratchUrl: scratchUrl.href };
}
