// `npm run chaos`: whether money moves exactly once when everything goes wrong.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BadOption, HELP, readOptions } from './options.ts';
import type { Options } from './options.ts';
import { describeFindings, tableOf, wholeLog } from './report.ts';
import { runChaos } from './run.ts';
import type { Run } from './run.ts';
import { PLACES } from './trouble.ts';

const print = (text: string): boolean => process.stdout.write(`${text}\n`);

// What is not a terminal keeps every line.
const LINE_EVERY_MS = 10_000;

/** On a terminal one line that changes; elsewhere a line now and then, as a sign of life. */
function createProgress(): (text: string) => void {
  if (process.stderr.isTTY) return (text) => void process.stderr.write(`\r\u001B[K${text}`);
  let toldAt = performance.now();
  return (text) => {
    if (text === '' || performance.now() - toldAt < LINE_EVERY_MS) return;
    toldAt = performance.now();
    process.stderr.write(`${text}\n`);
  };
}

function keepLog(run: Run): string {
  const file = join(mkdtempSync(join(tmpdir(), 'kassa-chaos-log-')), `seed-${run.seed}.log`);
  writeFileSync(file, wholeLog(run));
  return file;
}

async function attempt({ seed, seconds, clients, bulk, only, log }: Options, signal: AbortSignal): Promise<number> {
  const load = bulk === undefined ? `${clients} clients` : `${bulk} charges in bulks`;
  print(`chaos: seed ${seed}, ${seconds} seconds, ${load}`);
  const showProgress = createProgress();
  const result = await runChaos({
    seed,
    seconds,
    clients,
    ...(bulk !== undefined && { bulk }),
    only,
    signal,
    onProgress: showProgress,
  });
  showProgress('');
  print(`\n${tableOf(result)}\n`);
  if (log !== undefined) writeFileSync(log, wholeLog(result));
  if (result.journal.findings.length === 0) {
    print("Every acknowledged operation is there, once. Our books and the bank's agree. Nothing is pending.");
    return 0;
  }
  print(`${describeFindings(result)}\n\nThe whole log is in ${log ?? keepLog(result)}`);
  const places = only.length === PLACES.length ? '' : ` --only ${only.join()}`;
  print(
    `Again: npm run chaos -- --seconds ${seconds} --seed ${seed} ${bulk === undefined ? `--clients ${clients}` : `--bulk ${bulk}`}${places}`,
  );
  return 1;
}

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => {
    if (!interrupted.signal.aborted) process.stderr.write(`\n${name}: stopping\n`);
    interrupted.abort();
  });

try {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) print(HELP);
  else process.exitCode = await attempt(options, interrupted.signal);
} catch (error) {
  if (interrupted.signal.aborted) process.exitCode = 130;
  else {
    const { message, stack } = error as Error;
    process.stderr.write(`chaos: ${error instanceof BadOption ? message : stack}\n`);
    process.exitCode = 1;
  }
}
