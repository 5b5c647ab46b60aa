// What test files share, made once for a run: a Postgres with a migrated template that each database is cloned from, a
// data folder to copy for a file that wants a Postgres of its own, and the program built as a release has it. Test files
// find them by environment variables.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../proof/program.ts';
import { buildProgram } from '../../scripts/build-program.ts';
import { openDataFolder } from '../../src/database/data-folder.ts';
import { startEmbeddedDatabase } from '../../src/database/embedded.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import { asAdmin } from '../support/admin.ts';

// Only the end of the machine could tell whether the disk was waited for: what is about a Postgres that is killed starts
// one of its own. Each Kassa that runs has some thirty connections. And nobody has to tidy up hundreds of databases that
// live for a minute. A session that serves a few tests would plan each statement five times before it kept a plan.
const FOR_TESTS = [
  'fsync = off',
  'full_page_writes = off',
  'max_connections = 1000',
  'autovacuum_naptime = 1h',
  'plan_cache_mode = force_generic_plan',
];

/** A data folder with a Postgres that has our tables and nothing else, and does not run. */
async function makeDataFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kassa-made-'));
  const embedded = await startEmbeddedDatabase({ dataDir });
  await migrateAt(embedded.url);
  // Thousands of connections would each spend some milliseconds on what keeps a stolen password from being guessed.
  const { username, password } = new URL(embedded.url);
  await asAdmin(embedded.url, async (query) => {
    await query('set scram_iterations = 1');
    await query(`alter role ${username} password '${password}'`);
  });
  await embedded.stop();
  return dataDir;
}

type Server = { readonly url: string; readonly close: () => Promise<void> };

/** A Postgres for the tests, the embedded one unless DATABASE_URL names another, and how to be rid of it. */
async function openServer(made: string, prefix: string): Promise<Server> {
  const given = process.env['DATABASE_URL'];
  if (given) return { url: given, close: () => dropDatabases(given, prefix) };
  const dataDir = await mkdtemp(join(tmpdir(), 'kassa-test-'));
  execFileSync('cp', ['-a', `${made}/.`, dataDir]);
  const { cluster } = await openDataFolder(dataDir);
  await appendFile(join(cluster, 'postgresql.conf'), `${FOR_TESTS.join('\n')}\n`);
  const embedded = await startEmbeddedDatabase({ dataDir });
  const close = async (): Promise<void> => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: embedded.url, close };
}

async function migrateAt(url: string): Promise<void> {
  const pool = openPool(url, { size: 1 });
  await migrate(pool);
  await pool.close();
}

async function makeTemplate(url: string, template: string): Promise<void> {
  await asAdmin(url, (query) => query(`create database ${template}`));
  const templateUrl = new URL(url);
  templateUrl.pathname = `/${template}`;
  await migrateAt(templateUrl.href);
}

function dropDatabases(url: string, prefix: string): Promise<void> {
  return asAdmin(url, async (query) => {
    const names = await query(`select datname from pg_database where starts_with(datname, '${prefix}')`);
    for (const { datname } of names) await query(`drop database ${datname} with (force)`);
  });
}

/** The program and its command, as a release has them: they start in half the time that those of a checkout take. */
async function buildLikeRelease(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kassa-program-'));
  // Some run as another user.
  await chmod(folder, 0o755);
  await buildProgram(join(folder, 'dist'));
  await cp(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  // Without this Node would parse each file once more, to find out what kind of module it is.
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  return join(folder, 'dist', 'main.js');
}

/** Makes all of it, sets the environment, and returns what closes it. */
export async function openEnvironment(): Promise<() => Promise<void>> {
  const prefix = `kassa_test_${randomBytes(4).toString('hex')}`;
  const [made, program] = await Promise.all([makeDataFolder(), buildLikeRelease()]);
  const server = await openServer(made, prefix);
  try {
    await makeTemplate(server.url, `${prefix}_template`);
  } catch (error) {
    await server.close();
    throw error;
  }
  // What configures a Kassa of ours must not reach the Kassas of the tests.
  for (const name of Object.keys(process.env)) {
    if (/^(KASSA_.*|PORT|HOST|DATABASE_URL)$/.test(name)) delete process.env[name];
  }
  // Hundreds of processes load the same modules: the first one compiles them for all, whichever user it is.
  const compiled = join(tmpdir(), 'compiled');
  await mkdir(compiled);
  await chmod(compiled, 0o1777);
  Object.assign(process.env, {
    TEST_DATABASE_URL: server.url,
    TEST_DATABASE_PREFIX: prefix,
    TEST_DATA_FOLDER: made,
    TEST_PROGRAM: program,
    NODE_COMPILE_CACHE: compiled,
  });
  return server.close;
}
