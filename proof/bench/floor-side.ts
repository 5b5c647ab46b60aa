// The floor's side of a scenario: for writes the same rows in transactions of their own, for reads the bare route.
import { timeDigits } from './copy.ts';
import { floorOf } from './floor.ts';
import { measureFinished } from './floor-window.ts';
import type { FloorMeasure } from './floor-window.ts';
import type { Measure, Usage } from './measure.ts';
import { isRead } from './scenarios.ts';
import type { PairedName, ScenarioName } from './scenarios.ts';
import { driveFor, firstSliceOf, numberCopies, repeatTooShort, STOCKS, WARM_UP_MS, workOnEach } from './side.ts';
import type { Run, Side } from './side.ts';
import { copySample } from './stock.ts';

// Transactions of the first slice, which only tells the pace.
const FIRST_TRANSACTIONS = 2_500;

const nextNumbers = numberCopies();

/** What the bare route used for so many requests. */
export type BareUsage = Pick<Usage, 'requests' | 'cpuSeconds'>;
export type OnBareUsage = (usage: BareUsage) => void;

/** A life has no floor: it is made of operations that have theirs. */
export function floorSide(run: Run, name: Exclude<ScenarioName, PairedName>, onUsage: OnBareUsage): Side | undefined {
  if (name === 'life') return undefined;
  return isRead(name) ? bareRouteSide(run, onUsage) : writeSide(run, name);
}

function writeSide(run: Run, name: 'create' | keyof typeof STOCKS): Side {
  const { setup, samples, runFloor, floorClients: clients, timeMs, signal } = run;
  const { writes, family } = samples.writes[name];
  const floor = floorOf(writes, family, name === 'create' ? undefined : timeMs);
  const transact = async (count: number): Promise<FloorMeasure> => {
    const each = Math.ceil(count / clients);
    const numbers = nextNumbers(each * clients);
    if (name !== 'create') await copySample(setup.scratch, timeDigits(timeMs), samples[STOCKS[name]], numbers);
    const finished = await runFloor(setup.scratchUrl, floor, { clients, each, first: numbers.first }, signal);
    return measureFinished(finished, WARM_UP_MS);
  };
  let pace = 0;
  return {
    prepare: async () => {
      pace = (await transact(FIRST_TRANSACTIONS)).pace;
    },
    slice: (seconds) =>
      repeatTooShort(seconds, async () => {
        const measure = await transact(pace * (seconds + WARM_UP_MS / 1_000));
        pace = measure.pace;
        return measure;
      }),
  };
}

function bareRouteSide(run: Run, onUsage: OnBareUsage): Side {
  const { port, cpuSeconds } = run.bareRoute;
  const work = workOnEach(run, 'read', ['0'.repeat(32)], false);
  const slice = async (seconds: number): Promise<Measure> => {
    const before = await cpuSeconds();
    const driven = await driveFor(run, port, seconds, work);
    onUsage({ requests: driven.total, cpuSeconds: (await cpuSeconds()) - before });
    return driven;
  };
  return { prepare: async () => void (await slice(firstSliceOf(run))), slice };
}
