// `npm run soak`: whether a Kassa under a steady load stays as large as it is, on disk and in memory, when what is over is
// forgotten soon.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BadOption, print, runByHand } from '../by-hand.ts';
import { Random } from '../chaos/random.ts';
import { openEndpoint } from '../deliveries/endpoints.ts';
import { openWorld } from '../deliveries/world.ts';
import { keepUpLoad } from './load.ts';
import type { Load } from './load.ts';
import { takeSample } from './sampling.ts';
import type { Sample } from './sampling.ts';
import { judgeSamples, verdictTable } from './verdict.ts';

const HELP = `A steady load on a Kassa that forgets soon what is over, and the sizes of all tables, indexes and of its
memory. Exit code 1 when one of them grows: when the mean of the last quarter of the time is more than 1.15 times that
of the second. Payments that held money are kept for good, so they and their movements grow, and do not count.

Usage: npm run soak -- [options]

Options:
  --minutes N  How long (20). Below 8 nothing is old enough to be forgotten in the second quarter.
  --rate N     Lives of payments that begin each second (100).
  --help       Show this.

It works in a temporary folder (TMPDIR says where) and on free ports, and removes what it made.`;

const SETTINGS = {
  KASSA_PAYMENT_LIFETIME: '1m',
  KASSA_RETAIN_EVENTS: '1m',
  KASSA_RETAIN_DELIVERIES: '1m',
  KASSA_RETAIN_IDEMPOTENCY: '1m',
  KASSA_RETAIN_EXPIRED: '1m',
};
const SAMPLES_PER_MINUTE = 2;
// Of four samples each quarter has one.
const FEWEST_MINUTES = 2;
const MOST = 1_000;

function readNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > MOST)
    throw new BadOption(`--${name} is ${text}; it must be a whole number from ${least} to ${MOST}.`);
  return value;
}

function describe(load: Load, sample: Sample, minute: number): string {
  const mebibytes = (name: string): string => `${((sample.get(name) ?? 0) / 2 ** 20).toFixed(0)} MiB`;
  const shown = ['events', 'deliveries', 'lanes', 'idempotency_records', 'payments', 'resident memory'];
  const sizes = shown.map((name) => `${name} ${mebibytes(name)}`).join(', ');
  return `${minute.toFixed(1).padStart(5)} min  ${load.done} lives, ${load.failed} failed; ${sizes}`;
}

async function run(minutes: number, perSecond: number, interrupted: AbortSignal): Promise<number> {
  const world = await openWorld(0, SETTINGS);
  const endpoint = await openEndpoint('takes', new Random(1, 'soak'));
  const over = new AbortController();
  const signal = AbortSignal.any([interrupted, over.signal]);
  try {
    const shop = await world.openShop();
    await world.subscribe(shop, endpoint.url);
    const load: Load = { begun: 0, done: 0, failed: 0, lastFailure: '', skipped: 0 };
    const loading = keepUpLoad({ url: world.serviceUrl(), shop, perSecond, signal }, load);
    const samples: Sample[] = [];
    let taken = 0;
    for (let n = 1; n <= minutes * SAMPLES_PER_MINUTE && !signal.aborted; n += 1) {
      await sleep(60_000 / SAMPLES_PER_MINUTE, undefined, { signal }).catch(() => {});
      const sample = await takeSample(world.pool, world.serviceUrl());
      samples.push(sample);
      taken += endpoint.taken.size;
      endpoint.forget();
      print(describe(load, sample, n / SAMPLES_PER_MINUTE));
    }
    over.abort();
    await loading;
    const verdicts = judgeSamples(samples);
    const growing = verdicts.filter(({ is }) => is === 'growing');
    const { begun, done, failed, skipped, lastFailure } = load;
    print(`\n${verdictTable(verdicts)}\n`);
    print(`${begun} lives begun, ${done} done, ${failed} failed, ${skipped} skipped; ${taken} events delivered`);
    if (failed > 0) print(`The last that failed: ${lastFailure}`);
    print(growing.length === 0 ? 'Flat.' : `Growing: ${growing.map(({ name }) => name).join(', ')}.`);
    return growing.length === 0 && failed === 0 ? 0 : 1;
  } finally {
    over.abort();
    await endpoint.close();
    await world.close();
  }
}

await runByHand('soak', async (signal) => {
  const options = { minutes: { type: 'string' }, rate: { type: 'string' }, help: { type: 'boolean' } } as const;
  const { values } = parseArgs({ options });
  if (values.help) {
    print(HELP);
    return 0;
  }
  const minutes = readNumber('minutes', values.minutes ?? '20', FEWEST_MINUTES);
  return run(minutes, readNumber('rate', values.rate ?? '100', 1), signal);
});
