// The scenario `rates`: requests at fixed rates by a schedule, from few to more than the service bears. What it bears is
// measured first, with all connections busy all the time; rates are shares of that unless they are given as numbers.
import { rateOf } from '../measure.ts';
import { kassaSide, layIn } from '../kassa-side.ts';
import { Histogram } from '../histogram.ts';
import { requestFor } from '../requests.ts';
import { STOCKS } from '../side.ts';
import type { Run } from '../side.ts';
import type { OpenDone, OpenFailed, OpenPlan } from './open-plan.ts';
import type { Rate, RatesOptions, RatesOperation } from './rates-options.ts';

export type RateResult = {
  readonly operation: RatesOperation;
  /** Answers a second with all connections busy. */
  readonly most: number;
  readonly offered: number;
  readonly told: OpenDone;
  readonly done: Histogram;
  readonly refused: Histogram;
  /** Of the service: when it began, the most, and when it ended. */
  readonly memoryMb: readonly [first: number, most: number, last: number];
};

const WARM_UP_MS = 2_000;
const CLOSED_S = 5;
const READ_STOCK = 4_096;
const LOOK_EVERY_MS = 1_000;
const CLIENT = new URL('open-client.ts', import.meta.url);

/** One id for each request; what is created or read needs fewer. */
async function idsFor(run: Run, operation: RatesOperation, requests: number): Promise<readonly string[]> {
  if (operation === 'create') return [''];
  if (operation === 'read') return layIn(run, run.samples.charged, 0, READ_STOCK);
  return layIn(run, run.samples[STOCKS[operation]], 0, requests);
}

async function whileLookedAt<Result>(
  look: () => Promise<number>,
  work: () => Promise<Result>,
): Promise<[Result, RateResult['memoryMb']]> {
  const first = await look();
  const seen = [first];
  // A service that is busy tells late, and meanwhile nobody asks again.
  let isAsking = false;
  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    look()
      .then((megabytes) => void seen.push(megabytes))
      .catch(() => {})
      .finally(() => (isAsking = false));
  }, LOOK_EVERY_MS);
  try {
    const result = await work();
    const last = await look();
    return [result, [first, Math.max(...seen, last), last]];
  } finally {
    clearInterval(timer);
  }
}

const rateOfShare = ({ value, isShare }: Rate, most: number): number =>
  Math.max(1, Math.round(isShare ? value * most : value));

async function runRate(
  run: Run,
  operation: RatesOperation,
  rate: number,
  { seconds, connections }: RatesOptions,
): Promise<Omit<RateResult, 'most' | 'operation' | 'offered'>> {
  const { service } = run.setup;
  const measureMs = seconds * 1_000;
  const ids = await idsFor(run, operation, Math.ceil((rate * (WARM_UP_MS + measureMs)) / 1_000));
  // Anew for each rate: connections that an overload has opened are no part of the next one.
  const client = run.setup.start(CLIENT);
  try {
    const request = requestFor(operation, service.secretKey);
    const plan: OpenPlan = { port: service.port, rate, connections, warmUpMs: WARM_UP_MS, measureMs, ...request, ids };
    const ask = (): Promise<OpenDone | OpenFailed> => client.ask<OpenDone | OpenFailed>(plan);
    const [told, memoryMb] = await whileLookedAt(() => service.memoryMb(), ask);
    if (told.kind === 'failed') throw new Error(`the open-loop client stopped: ${told.message}`);
    return { told, memoryMb, done: new Histogram(told.doneCounts), refused: new Histogram(told.refusedCounts) };
  } finally {
    client.end();
  }
}

export async function runRates(run: Run, options: RatesOptions): Promise<RateResult[]> {
  const results: RateResult[] = [];
  for (const operation of options.of) {
    run.onProgress(`rates, ${operation}: what it bears`);
    const side = kassaSide(run, operation, () => {});
    await side.prepare();
    const most = rateOf(await side.slice(CLOSED_S));
    for (const rate of options.rates) {
      const offered = rateOfShare(rate, most);
      const result = await runRate(run, operation, offered, options);
      results.push({ operation, most, offered, ...result });
      const { told, done } = result;
      const p99 = done.percentileMs(0.99).toFixed(1);
      run.onProgress(
        `rates, ${operation}: ${offered} a second: ${Math.round(told.doneInTime / told.seconds)} done, p99 ${p99} ms`,
      );
    }
  }
  return results;
}
