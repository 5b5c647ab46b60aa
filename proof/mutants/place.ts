// Where tests run against a defect: a copy of the checkout with a built program, a template of databases and a temporary
// folder of its own. All places share one Postgres. Tests are ended by force at the first failure, so whatever they left
// behind is ended and dropped after each defect.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync } from 'node:fs';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { asAdmin } from '../../test/support/admin.ts';
import { runFiles } from '../../test/suite/crew.ts';
import { copyCheckout } from './copy.ts';
import type { Test } from './reach.ts';

// What a test file takes in another run, this many times over and as long as a worker takes to start on a busy machine,
// and it hangs.
const TIMES_AS_LONG = 5;
const START_LIMIT_MS = 60_000;

const KEEPER = join(import.meta.dirname, '../keeper.ts');

export type Caught = { readonly file: string; readonly how: 'failed' | 'hung'; readonly test: string };
export type Tried = {
  readonly caught: Caught | undefined;
  readonly tried: number;
  /** The time was over before all of them had run. */
  readonly isCut: boolean;
};

export type Place = {
  readonly folder: string;
  /** After a change of the sources: what starts processes runs this. */
  build(): Promise<void>;
  /** One after the other, until one of them fails. */
  run(tests: readonly Test[], limitMs: number, env?: Readonly<Record<string, string>>): Promise<Tried>;
};

type Builder = { readonly buildProgram: (folder: string) => Promise<void> };

/** Ends every process that was started with this temporary folder, and empties it. */
async function emptyTemporary(folder: string): Promise<void> {
  const keeper = spawn(process.execPath, [KEEPER, folder], { stdio: ['pipe', 'ignore', 'inherit'], env: {} });
  keeper.stdin.end();
  await once(keeper, 'exit');
  makeTemporary(folder);
}

function makeTemporary(folder: string): void {
  mkdirSync(folder, { recursive: true });
  // Postgres and some tests run as another user.
  chmodSync(folder, 0o1777);
}

/** `openEnvironment` has set the environment. */
export async function openPlace(checkout: string, index: number, signal: AbortSignal): Promise<Place> {
  const within = (name: string): string => join(tmpdir(), `${index}-${name}`);
  const [folder, program, temporary] = [within('copy'), within('program'), within('tmp')];
  const { TEST_DATABASE_URL: server = '', TEST_DATABASE_PREFIX: shared = '' } = process.env;
  const prefix = `${shared}_${index}`;
  const template = `${prefix}_template`;
  makeTemporary(temporary);
  await copyCheckout(checkout, folder);
  await mkdir(program);
  await cp(join(folder, 'bin'), join(program, 'bin'), { recursive: true });
  await symlink(join(folder, 'node_modules'), join(program, 'node_modules'));
  await writeFile(join(program, 'package.json'), '{"type":"module"}');
  await asAdmin(server, (query) => query(`create database ${template} template ${shared}_template`));
  // It builds the checkout that it is in.
  const builder = (await import(pathToFileURL(join(folder, 'scripts/build-program.ts')).href)) as Builder;

  const dropDatabases = (): Promise<void> =>
    asAdmin(server, async (query) => {
      const left = await query(
        `select datname from pg_database where starts_with(datname, '${prefix}_') and datname <> '${template}'`,
      );
      for (const { datname } of left) await query(`drop database if exists ${String(datname)} with (force)`);
    });

  const build = async (): Promise<void> => {
    await rm(join(program, 'dist'), { recursive: true, force: true });
    await builder.buildProgram(join(program, 'dist'));
  };

  const run: Place['run'] = async (tests, limitMs, env = {}) => {
    const ended = new AbortController();
    const startedAt = performance.now();
    let caught: Caught | undefined;
    let [tried, isCut] = [0, false];
    let late: NodeJS.Timeout | undefined;
    const expect = (next: number): void => {
      clearTimeout(late);
      // After the last one its worker closes what it has opened.
      const test = tests[next];
      const file = (test ?? tests[next - 1])?.file ?? '';
      const hang = (): void => {
        caught = { file, how: 'hung', test: '' };
        ended.abort();
      };
      late = setTimeout(hang, START_LIMIT_MS + TIMES_AS_LONG * (test?.tookMs ?? 0));
    };
    expect(0);
    try {
      await runFiles({
        files: tests.map(({ file }) => file),
        workers: 1,
        signal: AbortSignal.any([signal, ended.signal]),
        root: folder,
        env: { TEST_DATABASE_PREFIX: prefix, TEST_PROGRAM: join(program, 'dist/main.js'), TMPDIR: temporary, ...env },
        onResult: ({ file, failures: [failure] }) => {
          tried += 1;
          if (failure !== undefined) caught = { file, how: 'failed', test: failure.name };
          isCut = caught === undefined && tried < tests.length && performance.now() - startedAt > limitMs;
          if (caught !== undefined || isCut) ended.abort();
          else expect(tried);
        },
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!ended.signal.aborted) throw error;
    } finally {
      clearTimeout(late);
    }
    await emptyTemporary(temporary);
    await dropDatabases();
    return { caught, tried, isCut };
  };
  return { folder, build, run };
}
