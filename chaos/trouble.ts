// The troubles of a run. Each place where something can go wrong has a lane of its own: a pause, a trouble, its end, and
// so on, all drawn from the seed. Lanes do not wait for each other, so troubles meet.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults } from '../src/bank/faults.ts';
import { Random } from './random.ts';
import type { Weather, Wire } from './wire.ts';
import type { World } from './world.ts';

/** One trouble: what it is called in the table, how it begins, how long it lasts, how it ends. */
type Trouble = {
  readonly name: string;
  readonly forMs: number;
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void> | void;
};

type Lane = {
  readonly name: string;
  /** The pauses between troubles. */
  readonly pausesMs: readonly [least: number, most: number];
  readonly draw: (random: Random) => () => Trouble;
};

export type TroubleObserver = {
  readonly onBegin: (lane: string, name: string) => void;
  readonly onEnd: (lane: string, name: string) => void;
};

const FAIR: Weather = { kind: 'fair' };

function laneOfWire(name: string, wire: Wire, pausesMs: Lane['pausesMs'], longestMs: number): Lane {
  return {
    name,
    pausesMs,
    draw: (random) => {
      const deck = random.deal(['cut', 'cut for a while', 'slow', 'stalled', 'deaf'] as const);
      return () => {
        const kind = deck.next().value;
        const forMs = kind === 'cut' ? 0 : random.between(200, longestMs);
        const weather: Weather =
          kind === 'slow' ? { kind, ms: random.between(20, 400) } : { kind: kind === 'cut for a while' ? 'cut' : kind };
        return { name: kind, forMs, begin: () => wire.set(weather), end: () => wire.set(FAIR) };
      };
    },
  };
}

type Chances = readonly (readonly [name: string, faults: (random: Random) => Partial<Faults>])[];

// As clocks that nobody sets: nothing that Kassa decides hangs on it.
const CLOCKS_DIFFER_MS = 3_600_000;

const FAULTS: Chances = [
  ['errors before acting', (random) => ({ errorBefore: random.next() / 2 })],
  ['errors after acting', (random) => ({ errorAfter: random.next() / 2 })],
  ['connections lost before acting', (random) => ({ loseBefore: random.next() / 2 })],
  ['answers lost', (random) => ({ loseAfter: random.next() / 2 })],
  ['hangs before acting', (random) => ({ hang: random.next() / 3 })],
  ['hangs after acting', (random) => ({ hangAfter: random.next() / 3 })],
  ['handled twice', (random) => ({ twice: 0.2 + random.next() / 2, loseAfter: 0.1 })],
  ['429', (random) => ({ ratePerSecond: random.between(2, 15) })],
  ['dies after acting', (random) => ({ die: random.next() / 10 })],
  ['clock ahead', (random) => ({ clockOffsetMs: random.between(500, CLOCKS_DIFFER_MS), errorBefore: 0.1 })],
  ['clock behind', (random) => ({ clockOffsetMs: -random.between(500, CLOCKS_DIFFER_MS), loseBefore: 0.1 })],
  ['acts late', (random) => ({ actsLateMs: random.between(500, 6_000) })],
  ['slow', (random) => ({ latency: { kind: 'lognormal', medianMs: random.between(20, 300), p99Ms: 3_000 } })],
  ['a bit of everything', () => ({ errorBefore: 0.1, errorAfter: 0.1, loseBefore: 0.1, loseAfter: 0.1, twice: 0.1 })],
];

function laneOfFaults(world: World): Lane {
  return {
    name: 'faults of the bank',
    pausesMs: [200, 2_500],
    draw: (random) => {
      const deck = random.deal(FAULTS);
      return () => {
        const [name, faultsOf] = deck.next().value;
        const faults = faultsOf(random);
        return {
          name,
          forMs: random.between(800, 4_000),
          begin: () => world.setFaults(faults),
          end: () => world.setFaults({}),
        };
      };
    },
  };
}

type Killed = { kill(): Promise<void>; start(mayFail: boolean): Promise<void> };

function laneOfKills(name: string, killed: Killed, pausesMs: Lane['pausesMs'], longestMs: number): Lane {
  return {
    name,
    pausesMs,
    draw: (random) => () => ({
      name: 'kill -9',
      forMs: random.between(0, longestMs),
      begin: () => killed.kill(),
      end: () => killed.start(true),
    }),
  };
}

/** One of the Kassas, seldom both at once: with nobody there, nothing can go wrong. */
function laneOfKassas(kassas: World['kassas']): Lane {
  return {
    name: 'kassa',
    pausesMs: [2_000, 7_000],
    draw: (random) => {
      const deck = random.deal([[0], [1], [0], [1], [0, 1]] as const);
      return () => {
        const killed = deck.next().value.map((n) => kassas[n]);
        return {
          name: `kill -9 of ${killed.length === 1 ? 'one' : 'both'}`,
          forMs: random.between(0, 1_500),
          begin: async () => void (await Promise.all(killed.map((kassa) => kassa.kill()))),
          end: async () => void (await Promise.all(killed.map((kassa) => kassa.start(true)))),
        };
      };
    },
  };
}

function lanesOf(world: World): Lane[] {
  const { kassaToBank, kassaToDatabase } = world.wires;
  return [
    laneOfFaults(world),
    laneOfKassas(world.kassas),
    laneOfKills('postgres', world.database, [12_000, 30_000], 1_500),
    laneOfKills('bank', world.bank, [6_000, 20_000], 2_000),
    laneOfWire('kassa–bank', kassaToBank, [2_000, 8_000], 4_000),
    laneOfWire('kassa 1–postgres', kassaToDatabase[0], [4_000, 12_000], 3_000),
    laneOfWire('kassa 2–postgres', kassaToDatabase[1], [4_000, 12_000], 3_000),
  ];
}

/** Makes trouble until the time is over; when it returns, everything is up and all is fair again. */
export async function makeTrouble(
  world: World,
  options: { readonly seed: number; readonly seconds: number; readonly signal: AbortSignal },
  observer: TroubleObserver,
): Promise<void> {
  const { seed, seconds, signal } = options;
  const over = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]);
  const rest = (ms: number): Promise<void> => sleep(ms, undefined, { signal: over }).catch(() => {});

  const run = async ({ name, pausesMs: [least, most], draw }: Lane): Promise<void> => {
    const random = new Random(seed, name);
    const next = draw(random);
    // In a short run, too, every lane has its first trouble soon.
    await rest(random.between(500, Math.min(most, seconds * 500)));
    while (!over.aborted) {
      const trouble = next();
      observer.onBegin(name, trouble.name);
      await trouble.begin();
      await rest(trouble.forMs);
      await trouble.end();
      observer.onEnd(name, trouble.name);
      await rest(random.between(least, most));
    }
  };
  await Promise.all(lanesOf(world).map(run));
  await world.setFaults({});
}
