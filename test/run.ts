// Runs all tests: the check first, then every test file on a real Postgres, the embedded one or that of DATABASE_URL.
// A template database is migrated once; a test file works on a clone of its own, or with a shop of its own in the one
// Kassa that the run starts for all. There is one Chromium for all, too, and one data folder that is copied by whoever
// wants a Postgres of its own.
// `npm test -- http/charge` runs only the files with that in their path, without the check.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { globSync } from 'node:fs';
import { appendFile, chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BadOption, runByHand } from '../proof/by-hand.ts';
import { root } from '../proof/program.ts';
import { watchProcessors } from '../proof/processors.ts';
import { buildProgram } from '../scripts/build-program.ts';
import { openDataFolder } from '../src/database/data-folder.ts';
import { startEmbeddedDatabase } from '../src/database/embedded.ts';
import { migrate } from '../src/store/migrate.ts';
import { openPool } from '../src/store/pool.ts';
import { asAdmin } from './support/admin.ts';
import { serveBrowser } from './support/browser.ts';
import { printFile, printSums } from './support/report.ts';
import type { FileResult } from './support/report.ts';
import { runFile } from './support/run-file.ts';
import { startService } from './support/service.ts';

// Test files at once. Two for a core keep it busy, unless they wait, for a time-out or for a process that starts: then more
// are begun, as long as the processors are idle, and fewer where others on the host take a share of them. So none gets to
// run so slowly, on a slow machine either, that what it waits for seems not to come.
const FILES_PER_CORE = { least: 2, most: 5 };
const MOST_FILES = 16;
const IDLE_ENOUGH = 0.12;
const BUSY_ENOUGH = 0.04;
const ADJUST_MS = 1_500;
// So many files that failed are run again, alone; more than that are no accident of the machine.
const MOST_AGAIN = 30;
// Whether a test fails counts only on processors that are ours: where others on the host take more than a tenth of them, it
// is waited for a while until they do not, and what failed meanwhile is tried again.
const MOST_STOLEN = 0.1;
const MOST_TRIES = 3;
const LOOK_MS = 5_000;
const MOST_LOOKS = 24;
// Until the run is so old; what is left then has failed.
const AGAIN_UNTIL_MS = 80 * 60_000;
// What takes longest, and so begins; the table at the end of a run says whether that still holds.
const LONGEST_FIRST = [
  'test/browser/demo',
  'test/browser/accessibility',
  'test/browser/console-pages',
  'test/start/installed',
  'test/fault/',
  'test/acquirers/',
  'test/http/cancel-refund',
  'test/http/charge-fields',
  'test/http/limits',
  'test/http/openapi-answers',
  'test/browser/',
  'test/model/',
  'test/start/',
  'test/store/verify',
  'test/store/reading-plans',
  'test/testing/',
  'test/console/',
  'test/events/',
];
// Only the end of the machine could tell whether the disk was waited for: what is about a Postgres that is killed starts
// one of its own. Each of the Kassas that run at once has some thirty connections. And nobody has to tidy up hundreds of
// databases that live for a minute.
const FOR_TESTS = ['fsync = off', 'full_page_writes = off', 'max_connections = 1000', 'autovacuum_naptime = 1h'];
// The Kassa that files share has the default settings, but does not mind that all consumers come from one address.
const FOR_ALL = { KASSA_ADDRESS_ATTEMPTS: 'off' };
// The end of its log, where it has ended by itself.
const LOG_SHOWN = 4_000;

function isCheckClean(): boolean {
  return spawnSync(process.execPath, ['scripts/check.ts'], { cwd: root, stdio: 'inherit' }).status === 0;
}

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

/** A Postgres for the tests, and how to be rid of it. */
async function openServer(made: string, prefix: string): Promise<{ url: string; close: () => Promise<void> }> {
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

/** The program and its command, as a release has them: they start in half the time that those of a checkout take. */
async function buildLikeRelease(folder: string): Promise<void> {
  await buildProgram(join(folder, 'dist'));
  await cp(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  // Without this Node would parse each file once more, to find out what kind of module it is.
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
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

async function runTests(files: readonly string[], signal: AbortSignal): Promise<FileResult[]> {
  const prefix = `kassa_test_${randomBytes(4).toString('hex')}`;
  const browser = files.some((file) => file.startsWith('test/browser/')) ? await serveBrowser() : undefined;
  const made = await makeDataFolder();
  const server = await openServer(made, prefix);
  // Hundreds of processes load the same modules: the first one compiles them for all.
  const compiled = await mkdtemp(join(tmpdir(), 'kassa-compiled-'));
  // In the checkout, where it finds its packages.
  const program = join(root, 'node_modules', '.cache', `${prefix}_program`);
  // Some run as another user.
  await chmod(compiled, 0o1777);
  try {
    await buildLikeRelease(program);
    await makeTemplate(server.url, `${prefix}_template`);
    // What configures a Kassa of ours must not reach the Kassas of the tests.
    for (const name of Object.keys(process.env)) {
      if (/^(KASSA_.*|PORT|HOST|DATABASE_URL)$/.test(name)) delete process.env[name];
    }
    Object.assign(process.env, {
      TEST_DATABASE_URL: server.url,
      TEST_DATABASE_PREFIX: prefix,
      TEST_DATA_FOLDER: made,
      TEST_PROGRAM: join(program, 'dist', 'main.js'),
      NODE_COMPILE_CACHE: compiled,
      ...(browser && { TEST_BROWSER_URL: browser.wsEndpoint() }),
    });
    const service = await startService({ env: FOR_ALL });
    Object.assign(process.env, { TEST_SERVICE_URL: service.url, TEST_SERVICE_DATABASE_URL: service.databaseUrl });
    let isOver = false;
    void service.ended().then(() => {
      if (!isOver)
        console.log(`FAILED             the Kassa that files share has ended:\n${service.log().slice(-LOG_SHOWN)}`);
    });
    try {
      return await runAgainAlone(await runFiles(files, signal), signal);
    } finally {
      isOver = true;
      await service.stop();
    }
  } finally {
    await rm(program, { recursive: true, force: true });
    await rm(compiled, { recursive: true, force: true });
    await rm(made, { recursive: true, force: true });
    await server.close();
    await browser?.close();
  }
}

/** How many files may run at once, as of now. */
function watchRoom(): () => number {
  const cores = availableParallelism();
  const [least, most] = [FILES_PER_CORE.least, FILES_PER_CORE.most].map((each) =>
    Math.min(each * cores, MOST_FILES),
  ) as [number, number];
  const shares = watchProcessors();
  let [atOnce, adjustedAt] = [least, performance.now()];
  return () => {
    if (performance.now() < adjustedAt + ADJUST_MS) return atOnce;
    adjustedAt = performance.now();
    const { stolen, idle } = shares();
    if (stolen > MOST_STOLEN) atOnce = Math.max(1, Math.round(least * (1 - stolen)));
    else if (idle > IDLE_ENOUGH) atOnce = Math.min(atOnce + 1, most);
    else if (idle < BUSY_ENOUGH) atOnce = Math.max(atOnce - 1, least);
    return Math.max(atOnce, 1);
  };
}

/** The longest first, as many at once as the machine bears. */
async function runFiles(files: readonly string[], signal: AbortSignal): Promise<FileResult[]> {
  const results: FileResult[] = [];
  const rankOf = (file: string): number => {
    const rank = LONGEST_FIRST.findIndex((start) => file.startsWith(start));
    return rank === -1 ? LONGEST_FIRST.length : rank;
  };
  const running = new Set<Promise<unknown>>();
  const begin = (file: string): void => {
    const run = runFile(join(root, file), signal).then((result) => {
      printFile(result);
      results.push(result);
      running.delete(run);
    });
    running.add(run);
  };
  const room = watchRoom();
  for (const file of files.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    while (running.size >= room()) await Promise.race([...running, sleep(ADJUST_MS)]);
    if (signal.aborted) break;
    begin(file);
  }
  await Promise.all(running);
  signal.throwIfAborted();
  return results;
}

/** Until the processors are ours for some seconds, or it was waited for long enough. */
async function waitForCalm(): Promise<void> {
  const shares = watchProcessors();
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    await sleep(LOOK_MS);
    if (shares().stolen <= MOST_STOLEN) return;
  }
}

/** A failure counts when nothing else runs and nobody takes the processors. */
async function runAlone(file: string, signal: AbortSignal): Promise<FileResult> {
  for (let tries = 1; ; tries += 1) {
    await waitForCalm();
    const shares = watchProcessors();
    const result = await runFile(join(root, file), signal);
    signal.throwIfAborted();
    printFile(result);
    const isOver = tries === MOST_TRIES || performance.now() > AGAIN_UNTIL_MS;
    if (result.failures.length === 0 || shares().stolen <= MOST_STOLEN || isOver) return result;
  }
}

/**
 * Whatever failed beside others again with the machine to itself: a defect fails again, and what the machine did to a test
 * is told as such, with its first failure in full.
 */
async function runAgainAlone(results: readonly FileResult[], signal: AbortSignal): Promise<FileResult[]> {
  const failed = results.filter(({ failures }) => failures.length > 0);
  if (failed.length === 0 || failed.length > MOST_AGAIN) return [...results];
  console.log(`\nOnce more, alone\n`);
  const again = new Map<string, FileResult>();
  for (const first of failed) {
    if (performance.now() > AGAIN_UNTIL_MS) break;
    const second = await runAlone(first.file, signal);
    again.set(first.file, second.failures.length > 0 ? second : { ...second, failedAtFirst: first });
  }
  return results.map((result) => again.get(result.file) ?? result);
}

/** The files that are meant: by a part of their paths, or all but those that the check runs. */
function chooseFiles(patterns: readonly string[]): string[] {
  const all = globSync('{src,test}/**/*.test.ts', { cwd: root }).toSorted();
  if (patterns.length === 0) return all.filter((file) => !file.startsWith('test/tidy/'));
  const unmatched = patterns.filter((pattern) => !all.some((file) => file.includes(pattern)));
  if (unmatched.length > 0) throw new BadOption(`No test file has ${unmatched.join(' or ')} in its path.`);
  return all.filter((file) => patterns.some((pattern) => file.includes(pattern)));
}

// Whoever ends it waits until what it started has ended.
await runByHand('test', async (signal) => {
  // `./test/http` as a shell completes it is test/http.
  const patterns = process.argv.slice(2).map((argument) => normalize(argument));
  const files = chooseFiles(patterns);
  if (patterns.length === 0 && !isCheckClean()) return 1;
  const startedAt = performance.now();
  const results = await runTests(files, signal);
  printSums(results, performance.now() - startedAt);
  return results.some(({ failures }) => failures.length > 0) ? 1 : 0;
});
