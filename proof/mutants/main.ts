// `npm run proof:mutants`: whether a defect is noticed. Plants small ones in the sources and tells which of them the check
// and the tests catch; what survives is a test that is missing, or a line that decides nothing.
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chooseFiles } from '../../test/suite/choose.ts';
import { runFiles } from '../../test/suite/crew.ts';
import { openEnvironment } from '../../test/suite/environment.ts';
import { createProgress, print, runByHand } from '../by-hand.ts';
import { root } from '../program.ts';
import { findRefused, readImporters } from './check.ts';
import { chooseMutants } from './choose.ts';
import { Compiler } from './compiler.ts';
import { copyCheckout } from './copy.ts';
import { tryEarlier } from './earlier.ts';
import type { Mutant } from './mutant.ts';
import { HELP, readOptions } from './options.ts';
import type { Options } from './options.ts';
import { openPlace } from './place.ts';
import { readCoverage, testsFor } from './reach.ts';
import type { Reach } from './reach.ts';
import { describeListed, describeOutcome, jsonOf, tableOf } from './report.ts';
import type { Outcome } from './report.ts';
import { tryMutant } from './try.ts';
import type { Trust } from './try.ts';

const showProgress = createProgress();

type Tier = { readonly release: boolean; readonly suffix: string; readonly env: Readonly<Record<string, string>> };
const DAILY: Tier = { release: false, suffix: '', env: {} };
const RELEASE: Tier = { release: true, suffix: '.release', env: { TEST_DEPTH: 'release' } };

/** Runs the tests in a copy, so that nobody's changes of the checkout meet them, unless the file is there already. */
async function takeCoverage(folder: string, { release, suffix, env }: Tier, options: Options, signal: AbortSignal) {
  const kept = options.coverage && `${resolve(options.coverage)}${suffix}`;
  if (kept && existsSync(kept)) return readCoverage(kept, options.testPart);
  const taken = join(tmpdir(), `coverage${suffix}`);
  const { testPart, workers } = options;
  const files = chooseFiles({ patterns: [], release }).filter(
    (file) => testPart === undefined || file.includes(testPart),
  );
  let done = 0;
  await runFiles({
    files,
    workers,
    signal,
    root: folder,
    env: { ...env, TEST_COVERAGE: taken },
    onResult: ({ file, failures }) => {
      done += 1;
      showProgress(`coverage: ${done} of ${files.length} files`);
      if (failures.length > 0) print(`without any defect fails: ${file}`);
    },
  });
  if (kept && testPart === undefined) copyFileSync(taken, kept);
  return readCoverage(taken, testPart);
}

type Progress = { readonly signal: AbortSignal; readonly onOutcome: (outcome: Outcome) => void };

/** Tries them by the tests of one tier, as many at once as there are places. */
async function tryAll(
  mutants: readonly Mutant[],
  reach: Reach,
  tier: Tier,
  places: readonly Awaited<ReturnType<typeof openPlace>>[],
  { options, progress, trust }: { readonly options: Options; readonly progress: Progress; readonly trust: Trust },
): Promise<void> {
  const waiting = [...mutants];
  const work = async (place: (typeof places)[number]): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      progress.signal.throwIfAborted();
      const startedAt = performance.now();
      const tests = testsFor(mutant, reach, options.most);
      const trial = { tests, limitMs: options.limitMs, env: tier.env };
      const { caught, tried, isCut } = await tryMutant(place, mutant, trial, trust);
      const by = caught === undefined ? '' : `${caught.file} ${caught.how} ${caught.test}`;
      const result = caught === undefined ? 'survived' : 'tests';
      progress.onOutcome({ mutant, result, by, tried, isCut, tookMs: performance.now() - startedAt });
    }
  };
  await Promise.all(places.map(work));
}

async function tryTests(
  mutants: readonly Mutant[],
  folder: string,
  options: Options,
  progress: Progress,
): Promise<void> {
  const { signal } = progress;
  const close = await openEnvironment();
  try {
    const importers = readImporters(folder);
    const reachOf = async (tier: Tier): Promise<Reach> => ({
      root: folder,
      importers,
      ...(await takeCoverage(folder, tier, options, signal)),
    });
    const daily = await reachOf(DAILY);
    const places = [];
    const count = Math.min(options.workers, mutants.length);
    for (let index = 0; index < count; index += 1) places.push(await openPlace(folder, index, signal));
    const trust: Trust = { good: new Set(), bad: new Set() };
    const survivors: Mutant[] = [];
    const note = (outcome: Outcome): void => {
      if (outcome.result === 'survived') survivors.push(outcome.mutant);
      progress.onOutcome(outcome);
    };
    await tryAll(mutants, daily, DAILY, places, { options, trust, progress: { signal, onOutcome: note } });
    if (!options.alsoRelease || survivors.length === 0) return;
    await tryAll([...survivors], await reachOf(RELEASE), RELEASE, places, { options, trust, progress });
  } finally {
    await close();
  }
}

async function attempt(options: Options, signal: AbortSignal): Promise<number> {
  // As it is now, whoever changes the checkout meanwhile.
  const folder = join(tmpdir(), 'checkout');
  await copyCheckout(root, folder);
  const compiler = new Compiler(folder);
  const mutants = chooseMutants(folder, compiler, options);
  print(`mutants: seed ${options.seed}, ${mutants.length} defects\n`);
  if (options.list) {
    for (const mutant of mutants) print(describeListed(mutant));
    return 0;
  }
  if (options.from !== undefined) {
    const earlier = await tryEarlier(mutants, { ...options.from, signal, onProgress: showProgress });
    for (const [name, of] of Object.entries(earlier))
      print(`${name}: ${of.length}\n${of.map(describeListed).join('\n')}\n`);
    return earlier.survived.length === 0 ? 0 : 1;
  }
  const outcomes = new Map<string, Outcome>();
  const onOutcome = (outcome: Outcome): void => {
    outcomes.set(outcome.mutant.id, outcome);
    showProgress('');
    print(describeOutcome(outcome));
    showProgress(`${outcomes.size} of ${mutants.length} defects`);
    if (options.json !== undefined) writeFileSync(options.json, jsonOf([...outcomes.values()]));
  };
  const startedAt = performance.now();
  const refused = await findRefused(mutants, {
    folder,
    compiler,
    importers: readImporters(folder),
    onProgress: showProgress,
    signal,
  });
  compiler.close();
  const eachMs = (performance.now() - startedAt) / mutants.length;
  for (const mutant of mutants) {
    const by = refused.get(mutant.id);
    if (by !== undefined) onOutcome({ mutant, result: 'check', by, tried: 0, isCut: false, tookMs: eachMs });
  }
  const left = mutants.filter(({ id }) => !refused.has(id));
  if (left.length > 0) await tryTests(left, folder, options, { signal, onOutcome });
  const all = [...outcomes.values()];
  const survivors = all.filter(({ result }) => result === 'survived');
  showProgress('');
  print(`\n${tableOf(all)}`);
  if (survivors.length > 0) print(`\nSurvived:\n${survivors.map(describeOutcome).join('\n')}`);
  return survivors.length === 0 ? 0 : 1;
}

await runByHand('mutants', async (signal) => {
  const options = readOptions(process.argv.slice(2));
  if (options !== undefined) return attempt(options, signal);
  print(HELP);
  return 0;
});
