// `npm test`: the check, then every test file that a change of the code can break, each in one of a few worker processes
// that load the sources, a Kassa and a browser once. `npm run test:release`: what only a release, a deployment or another
// machine can break, and the daily files that go through more there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { normalize } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BadOption, print, quickFolder, runByHand, unlessAborted } from '../proof/by-hand.ts';
import { root } from '../proof/program.ts';
import { requireChromium } from './support/browser.ts';
import { chooseFiles } from './suite/choose.ts';
import type { Choice } from './suite/choose.ts';
import { runFiles } from './suite/crew.ts';
import { openEnvironment } from './suite/environment.ts';
import { openReport, printSums } from './suite/report.ts';
import { watchBesides } from './suite/tree-time.ts';

const HELP = `Runs the tests on a real Postgres, the embedded one or that of DATABASE_URL.

Usage: npm test -- [PART …] [options]
       npm run test:release

PART is a part of the paths of test files, for example http/charge. Without one, the check runs first, then all files.

Options:
  --changed[=COMMIT]  Only the files that a change since this commit can reach through imports (HEAD).
  --watch             Run again whenever a file changes what it can reach; Ctrl-C ends it.
  --report FILE       Write what each file took, as JSON.
  --workers N         Files at once (three for each core).
  --help              Show this.`;

// A file waits now and then, for a process that starts or for a timeout, and the others have the core meanwhile.
const WORKERS_PER_CORE = 3;
const MOST_WORKERS = 16;
// An editor writes several files at once.
const SETTLE_MS = 300;
const WATCHED = /^(?:src|test|client|testing|proof|scripts|web|deploy|docs|examples|texts)\//;

type Options = Choice & { readonly watch: boolean; readonly workers: number; readonly report?: string };

function readOptions(args: readonly string[]): Options | undefined {
  // `--changed` alone and `--changed=COMMIT` are one option.
  const given = args.map((argument) => (argument === '--changed' ? '--changed=HEAD' : argument));
  const { values, positionals } = parse(given);
  if (values.help) return undefined;
  const usual = Math.min(availableParallelism() * WORKERS_PER_CORE, MOST_WORKERS);
  const workers = values.workers === undefined ? usual : Number(values.workers);
  if (!Number.isInteger(workers) || workers < 1)
    throw new BadOption(`--workers is ${values.workers}; give a whole number.`);
  // `./test/http` as a shell completes it is test/http.
  const patterns = positionals.map((argument) => normalize(argument));
  const choice = { patterns, release: values.release ?? false, watch: values.watch ?? false, workers };
  return {
    ...choice,
    ...(values.changed !== undefined && { changedSince: values.changed }),
    ...(values.report !== undefined && { report: values.report }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        changed: { type: 'string' },
        watch: { type: 'boolean' },
        workers: { type: 'string' },
        release: { type: 'boolean' },
        report: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new BadOption(`${(error as Error).message.split('. ')[0]}. npm test -- --help tells more.`);
  }
}

async function isCheckClean(signal: AbortSignal): Promise<boolean> {
  const check = spawn(process.execPath, ['scripts/check.ts'], { cwd: root, stdio: 'inherit', signal });
  const [code] = (await once(check, 'exit')) as [number | null];
  return code === 0;
}

/** True when nothing failed. */
async function runOnce(options: Options, signal: AbortSignal): Promise<boolean> {
  const files = chooseFiles(options);
  if (files.length === 0) {
    print('No test file is reached by the changes.');
    return true;
  }
  const startedAt = performance.now();
  const besides = watchBesides();
  const report = openReport(files.length);
  const results = await runFiles({ files, workers: options.workers, signal, onResult: report.add });
  printSums(results, { tookMs: performance.now() - startedAt, besidesMs: besides() });
  if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(results, undefined, 1));
  return results.every(({ failures }) => failures.length === 0);
}

/** Resolves when a file of the project has changed, and no other for a moment. */
async function untilChanged(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const watcher = watch(root, { recursive: true, signal }, (_event, name) => {
    if (name !== null && WATCHED.test(name)) resolve();
  });
  watcher.on('error', () => resolve());
  signal.addEventListener('abort', () => resolve());
  await promise;
  watcher.close();
  await sleep(SETTLE_MS);
}

async function runAndWatch(options: Options, signal: AbortSignal): Promise<void> {
  for (;;) {
    await runOnce({ ...options, changedSince: options.changedSince ?? 'HEAD' }, signal);
    print('\nWaiting for a change. Ctrl-C ends it.');
    await untilChanged(signal);
    signal.throwIfAborted();
  }
}

async function run(signal: AbortSignal): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    print(HELP);
    return 0;
  }
  const isWhole = options.patterns.length === 0 && options.changedSince === undefined && !options.watch;
  if (options.release) process.env['TEST_DEPTH'] = 'release';
  // Here, where it is seen, and not in each worker.
  if (chooseFiles(options).some((file) => file.startsWith('test/browser/'))) await requireChromium();
  // Neither keeps all cores busy.
  const checking = isWhole && !options.release ? isCheckClean(signal) : Promise.resolve(true);
  const [isClean, close] = await unlessAborted(signal, Promise.all([checking, openEnvironment()]));
  try {
    if (!isClean) return 1;
    if (options.watch) await runAndWatch(options, signal);
    return (await runOnce(options, signal)) ? 0 : 1;
  } finally {
    await close();
  }
}

// A folder that is asked for is taken.
await runByHand('test', run, process.env['TMPDIR'] === undefined ? quickFolder() : undefined);
