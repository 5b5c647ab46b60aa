// Kassa's side of a scenario. A charge, a refund, a cancel needs a fresh payment each time: a stock of them is laid in
// before the slice, and should it run out, the slice is over and its time counts up to then.
import { timeDigits } from './copy.ts';
import type { Driven } from './children.ts';
import { rateOf } from './measure.ts';
import type { Measure, Usage } from './measure.ts';
import type { Work } from './plan.ts';
import { livesOf } from './requests.ts';
import { isRead } from './scenarios.ts';
import type { PairedName, ScenarioName } from './scenarios.ts';
import { driveFor, firstSliceOf, numberCopies, repeatTooShort, STOCKS, WARM_UP_MS, workOnEach } from './side.ts';
import type { Run, Side } from './side.ts';
import { copySample, idsOfCopies } from './stock.ts';
import type { Sample } from './stock.ts';

// In a second of the first slice, for which nothing is known yet; too little only ends it earlier.
const FIRST_PACE = 2_500;
// A slice may be faster than the one before it.
const MARGIN = 1.4;
// Payments that are read round and round: as they are polled, and more of them than a service keeps answers of.
const READ_STOCKS = { read: 4_096, scattered: 32_768 } as const;

/** The member of a payment's family that a request names: the payment, or its charge, the second movement. */
const NAMED = { charge: 0, cancel: 0, refund: 2 } as const;

const nextNumbers = numberCopies();

export type OnUsage = (usage: Usage) => void;

/** Whose payments are worked on, and of what they are copies. */
export type Stock = { readonly operation: keyof typeof STOCKS; readonly sample: Sample; readonly secretKey?: string };

async function sliceOf(run: Run, seconds: number, work: Work, onUsage: OnUsage): Promise<Driven> {
  const { service } = run.setup;
  const before = await service.usage();
  const driven = await driveFor(run, service.port, seconds, work);
  const after = await service.usage();
  const used = Object.entries(after).map(([name, value]) => [name, value - before[name as keyof typeof before]]);
  onUsage({ ...(Object.fromEntries(used) as typeof after), requests: driven.total });
  return driven;
}

/** The ids of new copies of a sample, as requests name them. */
export async function layIn(run: Run, sample: Sample, member: number, count: number): Promise<string[]> {
  const time = timeDigits(run.timeMs);
  const numbers = nextNumbers(count);
  await copySample(run.setup.pool, time, sample, numbers);
  return idsOfCopies(time, member, numbers);
}

export function kassaSide(run: Run, name: Exclude<ScenarioName, PairedName>, onUsage: OnUsage): Side {
  if (name === 'create') return endlessSide(run, onUsage, async () => workOnEach(run, 'create', [''], false));
  if (isRead(name))
    return endlessSide(run, onUsage, async () =>
      workOnEach(run, 'read', await layIn(run, run.samples.charged, 0, READ_STOCKS[name]), false),
    );
  if (name === 'life')
    return endlessSide(run, onUsage, async () => ({
      kind: 'lives',
      lives: livesOf(run.setup.service.secretKey),
    }));
  return stockSide(run, { operation: name, sample: run.samples[STOCKS[name]] }, onUsage);
}

export function endlessSide(run: Run, onUsage: OnUsage, workOf: () => Promise<Work>): Side {
  let work: Promise<Work> | undefined;
  const slice = async (seconds: number): Promise<Measure> => sliceOf(run, seconds, await (work ??= workOf()), onUsage);
  return { prepare: async () => void (await slice(firstSliceOf(run))), slice };
}

export function stockSide(run: Run, { operation, sample, secretKey }: Stock, onUsage: OnUsage): Side {
  let pace = 0;
  const slice = async (seconds: number): Promise<Measure> => {
    const count = (pace || FIRST_PACE) * (seconds + WARM_UP_MS / 1_000) * MARGIN;
    const ids = await layIn(run, sample, NAMED[operation], count);
    const measure = await sliceOf(run, seconds, workOnEach(run, operation, ids, true, secretKey), onUsage);
    pace = measure.requests > 0 ? rateOf(measure) : pace * 2;
    return measure;
  };
  return {
    prepare: async () => void (await slice(firstSliceOf(run))),
    slice: (seconds) => repeatTooShort(seconds, () => slice(seconds)),
  };
}
