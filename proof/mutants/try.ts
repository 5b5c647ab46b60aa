// Tries a defect: plants it in a place, runs the tests that could catch it, and takes it out again. A test that fails has
// to pass without the defect, or it says nothing: it is tried so once, and left alone from then on if it fails.
import { plantIn } from './copy.ts';
import type { Mutant } from './mutant.ts';
import type { Place, Tried } from './place.ts';
import type { Test } from './reach.ts';

/** What is known of test files that have failed, by all places. */
export type Trust = { readonly good: Set<string>; readonly bad: Set<string> };

export type Trial = {
  readonly tests: readonly Test[];
  readonly limitMs: number;
  readonly env?: Readonly<Record<string, string>>;
};

async function runPlanted(place: Place, mutant: Mutant, { tests, limitMs, env }: Trial): Promise<Tried> {
  const takeOut = plantIn(place.folder, mutant);
  if (takeOut === undefined) throw new Error(`the lines of ${mutant.id} are not in ${mutant.file}`);
  try {
    await place.build();
    return await place.run(tests, limitMs, env);
  } finally {
    takeOut();
  }
}

export async function tryMutant(place: Place, mutant: Mutant, trial: Trial, trust: Trust): Promise<Tried> {
  let tests = trial.tests.filter(({ file }) => !trust.bad.has(file));
  let before = 0;
  for (;;) {
    if (tests.length === 0) return { caught: undefined, tried: before, isCut: false };
    const result = await runPlanted(place, mutant, { ...trial, tests });
    const { caught } = result;
    if (caught === undefined || trust.good.has(caught.file)) return { ...result, tried: before + result.tried };
    const failed = tests.findIndex(({ file }) => file === caught.file);
    await place.build();
    const clean = await place.run(tests.slice(failed, failed + 1), trial.limitMs, trial.env);
    if (clean.caught === undefined) {
      trust.good.add(caught.file);
      return { ...result, tried: before + result.tried };
    }
    trust.bad.add(caught.file);
    before += failed;
    tests = tests.slice(failed + 1);
  }
}
