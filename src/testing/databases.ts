// Databases for tests, cloned from a migrated template. They are on a Postgres that all tests of this user share,
// embedded or external. Connections are named after their run, so that the next run can find and drop the databases of a
// killed one.
import { createHash, randomBytes } from 'node:crypto';
import { useEmbeddedDatabase } from '../database/embedded.ts';
import type { EmbeddedDatabase } from '../database/embedded.ts';
import { migrate } from '../store/schema/migrate.ts';
import { checksumOf, readMigrations } from '../store/schema/migration-files.ts';
import { openPool } from '../store/connections/pool.ts';
import type { Pool } from '../store/connections/pool.ts';

const PREFIX = 'kassa_test';
// Test data need not be durable. Enough connections for several Kassas with thirty each.
const SETTINGS = ['fsync = off', 'full_page_writes = off', 'synchronous_commit = off', 'max_connections = 1000'];
// Postgres copies a template for one at a time, in a fraction of a second; who comes second is turned away.
const BUSY = '55006';
const IS_THERE = '42P04';
const LOOK_AGAIN_MS = 50;
const MOST_LOOKS = 600;

export type Databases = {
  /** The address of a new database with all tables and nothing in them. */
  clone(): Promise<string>;
  drop(url: string): Promise<void>;
  close(): Promise<void>;
};

type Wanted = {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly onEnded: (error: Error) => void;
};

const codeOf = (error: unknown): string | undefined =>
  (error as { code?: string }).code ?? (error as { cause?: { code?: string } }).cause?.code;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));

function addressOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** Configures a new Postgres for tests; most settings take effect at its next start. */
async function openEmbedded({ dataDir, onEnded }: Wanted): Promise<EmbeddedDatabase> {
  const embedded = await useEmbeddedDatabase({ dataDir, onEnded });
  if (!embedded.created) return embedded;
  const pool = openPool(embedded.url, { size: 1 });
  for (const setting of SETTINGS) await pool.query(`alter system set ${setting}`);
  await pool.close();
  await embedded.stop();
  return useEmbeddedDatabase({ dataDir, onEnded });
}

/** By what it is made of, so that another version has another. */
const templateName = (): string => {
  const sums = readMigrations().map(checksumOf).join();
  return `${PREFIX}_template_${createHash('sha256').update(sums).digest('hex').slice(0, 12)}`;
};

const exists = async (pool: Pool, name: string): Promise<boolean> =>
  (await pool.query('select 1 from pg_database where datname = $1', [name])).length > 0;

/** Made under another name and renamed when it is whole; of several who make it, the first wins. */
async function ensureTemplate(server: string, admin: Pool, token: string): Promise<string> {
  const name = templateName();
  if (await exists(admin, name)) return name;
  const draft = `${PREFIX}_${token}_0`;
  await admin.query(`create database ${draft}`);
  const pool = openPool(addressOf(server, draft), { size: 2 });
  try {
    await migrate(pool);
  } finally {
    await pool.close();
  }
  for (let looks = 0; ; looks += 1) {
    try {
      await admin.query(`alter database ${draft} rename to ${name}`);
      return name;
    } catch (error) {
      if (codeOf(error) === IS_THERE) return name;
      if (codeOf(error) !== BUSY || looks > MOST_LOOKS) throw error;
      await pause();
    }
  }
}

/** Drops databases of runs that have ended: no connection has their name, and none is to the database. */
async function sweep(admin: Pool): Promise<void> {
  const left = await admin.query<{ datname: string }>(
    `select datname from pg_database d
      where datname like '${PREFIX}\\_%' and datname not like '${PREFIX}\\_template\\_%'
        and not exists (
          select 1 from pg_stat_activity a
           where a.datname = d.datname or a.application_name = substring(d.datname, '^${PREFIX}_[0-9a-f]+')
        )`,
  );
  // Of two who sweep, one drops it.
  for (const { datname } of left) await admin.query(`drop database if exists ${datname}`).catch(() => {});
}

export async function openDatabases(wanted: Wanted): Promise<Databases> {
  const embedded = wanted.databaseUrl === undefined ? await openEmbedded(wanted) : undefined;
  const server = embedded?.url ?? wanted.databaseUrl ?? '';
  const token = randomBytes(6).toString('hex');
  const named = new URL(server);
  named.searchParams.set('application_name', `${PREFIX}_${token}`);
  const admin = openPool(named.href, { size: 1 });
  const close = async (): Promise<void> => {
    await admin.close();
    await embedded?.stop();
  };
  try {
    await sweep(admin);
    const template = await ensureTemplate(server, admin, token);
    let count = 0;
    const clone = async (): Promise<string> => {
      count += 1;
      const name = `${PREFIX}_${token}_${count}`;
      for (let looks = 0; ; looks += 1) {
        try {
          await admin.query(`create database ${name} template ${template}`);
          return addressOf(server, name);
        } catch (error) {
          if (codeOf(error) !== BUSY || looks > MOST_LOOKS) throw error;
          await pause();
        }
      }
    };
    const drop = async (url: string): Promise<void> => {
      await admin.query(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
    };
    return { clone, drop, close };
  } catch (error) {
    await close();
    throw error;
  }
}
