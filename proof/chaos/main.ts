// `npm run chaos`: whether money moves exactly once when everything goes wrong.
import { writeFileSync } from 'node:fs';
import { createProgress, keepLog, print, runByHand } from '../by-hand.ts';
import { HELP, readOptions } from './options.ts';
import type { Options } from './options.ts';
import { describeFindings, tableOf, wholeLog } from './report.ts';
import { runChaos } from './run.ts';
import { PLACES } from './trouble.ts';

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
  const kept = log ?? keepLog('chaos', `seed-${seed}`, wholeLog(result));
  print(`${describeFindings(result)}\n\nThe whole log is in ${kept}`);
  const places = only.length === PLACES.length ? '' : ` --only ${only.join()}`;
  print(
    `Again: npm run chaos -- --seconds ${seconds} --seed ${seed} ${bulk === undefined ? `--clients ${clients}` : `--bulk ${bulk}`}${places}`,
  );
  return 1;
}

await runByHand('chaos', async (signal) => {
  const options = readOptions(process.argv.slice(2));
  if (options !== undefined) return attempt(options, signal);
  print(HELP);
  return 0;
});
