// Runs all tests: the check first, then every test file on a real Postgres, the embedded one or that of DATABASE_URL.
// A template database is migrated once; every test file works on a clone of its own.
// `npm test -- test/http/charge.test.ts` runs only the files that are named, without the check.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '../src/database/embedded.ts';
import { migrate } from '../src/store/migrate.ts';
import { openPool } from '../src/store/pool.ts';
import { asAdmin } from './support/admin.ts';
import { requireChromium } from './support/browser.ts';

const root = join(import.meta.dirname, '..');
// Test files at once. A file is mostly waiting for its service, its database, its browser or its bank.
const CONCURRENCY = 3;

function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** A Postgres for the tests, and how to be rid of it. */
async function openServer(prefix: string): Promise<{ url: string; close: () => Promise<void> }> {
  const given = process.env['DATABASE_URL'];
  if (given) return { url: given, close: () => dropDatabases(given, prefix) };
  const dataDir = await mkdtemp(join(tmpdir(), 'kassa-test-'));
  const embedded = await startEmbeddedDatabase({ dataDir });
  const close = async (): Promise<void> => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: embedded.url, close };
}

async function makeTemplate(url: string, template: string): Promise<void> {
  await asAdmin(url, (query) => query(`create database ${template}`));
  const templateUrl = new URL(url);
  templateUrl.pathname = `/${template}`;
  const pool = openPool(templateUrl.href, { size: 1 });
  await migrate(pool);
  await pool.close();
}

function dropDatabases(url: string, prefix: string): Promise<void> {
  return asAdmin(url, async (query) => {
    const names = await query(`select datname from pg_database where starts_with(datname, '${prefix}')`);
    for (const { datname } of names) await query(`drop database ${datname} with (force)`);
  });
}

async function runTests(files: readonly string[]): Promise<number> {
  const prefix = `kassa_test_${randomBytes(4).toString('hex')}`;
  const server = await openServer(prefix);
  // Hundreds of processes load the same modules: the first one compiles them for all.
  const compiled = await mkdtemp(join(tmpdir(), 'kassa-compiled-'));
  try {
    await makeTemplate(server.url, `${prefix}_template`);
    // What configures a Kassa of ours must not reach the Kassas of the tests.
    const clean = Object.entries(process.env).filter(([name]) => !/^(KASSA_.*|PORT|HOST|DATABASE_URL)$/.test(name));
    const env = {
      ...Object.fromEntries(clean),
      TEST_DATABASE_URL: server.url,
      TEST_DATABASE_PREFIX: prefix,
      NODE_COMPILE_CACHE: compiled,
    };
    const flags = ['--test', `--test-concurrency=${CONCURRENCY}`, '--test-timeout=300000'];
    return await run([...flags, ...files], env);
  } finally {
    await rm(compiled, { recursive: true, force: true });
    await server.close();
  }
}

const named = process.argv.slice(2);
const checked = named.length > 0 ? 0 : await run(['scripts/check.ts'], process.env);
const files = named.length > 0 ? named : globSync('{src,test}/**/*.test.ts', { cwd: root, exclude: ['test/tidy/**'] });
if (checked === 0 && files.some((file) => file.startsWith('test/browser/'))) requireChromium();
process.exitCode = checked === 0 ? await runTests(files.toSorted()) : checked;
