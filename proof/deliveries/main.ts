// `npm run deliveries`: whether every event arrives, how fast, and what a hanging endpoint does to another.
import { parseArgs } from 'node:util';
import { BadOption, print, runByHand, unlessAborted } from '../by-hand.ts';
import { measureHang, measureRate, proveArrival } from './phases.ts';
import type { Arrival, Hang, Rate } from './phases.ts';
import { openWorld } from './world.ts';
import type { World } from './world.ts';

const HELP = `Events are delivered by workers of their own to endpoints that take them, fail, or hang. Exit code 1 when
one is lost.

Usage: npm run deliveries -- [options]

Options:
  --payments N  Payments of the proof, each with four events for two endpoints (10000).
  --seed N      Which answers fail and which worker is killed (1).
  --help        Show this.

It works in a temporary folder (TMPDIR says where) and on free ports, and removes what it made. The pauses between
tries are cut short in the proof, so that days pass in a minute.`;

const WORKERS = 2;
const HANGING = 10;
const FEWEST_KILLS = 5;
const MOST = 100_000;
// Enough for a p99, at 50 payments a second.
const STEADY_PAYMENTS = 500;

function describeRate({ deliveries, seconds }: Rate): string {
  return `rate: ${deliveries} deliveries by ${WORKERS} workers in ${seconds.toFixed(1)} s: ${Math.round(deliveries / seconds)} a second`;
}

function describeHang({ alone, besideHanging, hanging }: Hang): string {
  const ratio = (besideHanging.p99 / Math.max(1, alone.p99)).toFixed(2);
  return [
    `hang: from the event to its arrival at a sound endpoint, ${alone.count} events`,
    `  alone                     p50 ${alone.p50} ms, p99 ${alone.p99} ms`,
    `  beside ${hanging} that hang       p50 ${besideHanging.p50} ms, p99 ${besideHanging.p99} ms: ${ratio} times`,
  ].join('\n');
}

function describeArrival({ events, kills, seconds, endpoints }: Arrival): string {
  const lines = endpoints.map(
    ({ manner, attempts, arrived, lost, duplicates }) =>
      `  one that ${manner.padEnd(10)}  attempts ${attempts}, arrived ${arrived}, lost ${lost}, duplicates ${duplicates}`,
  );
  return [`proof: ${events} events, ${kills} times a worker was killed, ${seconds.toFixed(0)} s`, ...lines].join('\n');
}

function readNumber(name: string, text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > MOST)
    throw new BadOption(`--${name} is ${text}; it must be a whole number from 1 to ${MOST}.`);
  return value;
}

async function measure(world: World, payments: number, seed: number): Promise<number> {
  print(`deliveries: ${payments} payments, seed ${seed}`);
  print(describeRate(await measureRate({ world, seed, payments: Math.ceil(payments / 4) })));
  print(describeHang(await measureHang({ world, seed, payments: Math.min(STEADY_PAYMENTS, payments) }, HANGING)));
  const arrival = await proveArrival({ world, seed, payments }, { fewestKills: FEWEST_KILLS, endLeases: false });
  print(describeArrival(arrival));
  return arrival.endpoints.some(({ lost }) => lost > 0) ? 1 : 0;
}

await runByHand('deliveries', async (signal) => {
  const options = { payments: { type: 'string' }, seed: { type: 'string' }, help: { type: 'boolean' } } as const;
  const { values } = parseArgs({ options });
  if (values.help) {
    print(HELP);
    return 0;
  }
  const payments = readNumber('payments', values.payments ?? '10000');
  const seed = readNumber('seed', values.seed ?? '1');
  const world = await openWorld(WORKERS);
  try {
    return await unlessAborted(signal, measure(world, payments, seed));
  } finally {
    await world.close();
  }
});
