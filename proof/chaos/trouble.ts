// The troubles of a run. Each place where something can go wrong has a schedule of its own: a pause, a trouble, its
// end, and so on, all drawn from the seed. Schedules do not wait for each other, so troubles meet.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults } from '../../src/bank/faults.ts';
import { Random } from './random.ts';
import type { Interruption, Replicated } from './replicated.ts';
import type { Weather, Wire } from './wire.ts';
import type { World } from './world.ts';

/** With a Postgres that has a standby, and a wire from each Kassa to whichever of the two takes writes. */
export type TroubledWorld = World & {
  readonly database: Replicated;
  readonly kassaToDatabase: readonly [Wire, Wire];
};

/** One trouble: what it is called in the table, how it begins, how long it lasts, how it ends. */
type Trouble = {
  readonly name: string;
  readonly forMs: number;
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void> | void;
};

type Schedule = {
  readonly name: string;
  /** The pauses between troubles. */
  readonly pausesMs: readonly [least: number, most: number];
  readonly draw: (random: Random) => () => Trouble;
};

export type TroubleObserver = {
  readonly onBegin: (schedule: string, name: string) => void;
  readonly onEnd: (schedule: string, name: string) => void;
};

const INTERRUPTIONS: readonly Interruption[] = ['nothing', 'backend terminated', 'primary restarted'];
const FAIR: Weather = { kind: 'fair' };

function scheduleOfWire(name: string, wire: Wire, pausesMs: Schedule['pausesMs'], longestMs: number): Schedule {
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

function scheduleOfFaults(world: World): Schedule {
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

/** Either server away, or the primary lost for good; the worst while commits wait for a standby that is not there. */
function scheduleOfDatabase(database: Replicated): Schedule {
  const isAway = async (how: Interruption): Promise<void> => {
    await database.loseStandby();
    await database.interrupt(how);
  };
  const troubles = (random: Random): readonly Trouble[] => [
    {
      name: 'kill -9',
      forMs: random.between(0, 1_500),
      begin: () => database.kill(),
      end: () => database.start(),
    },
    {
      name: 'standby away',
      forMs: random.between(0, 4_000),
      begin: () => database.loseStandby(),
      end: () => database.findStandby(),
    },
    ...INTERRUPTIONS.slice(1).map((how) => ({
      name: `standby away, ${how}`,
      forMs: random.between(0, 2_000),
      begin: () => isAway(how),
      end: () => database.findStandby(),
    })),
    ...INTERRUPTIONS.map((how) => ({
      name: `standby away, ${how}, then promoted`,
      // Long enough that a Kassa which finds its change there has answered.
      forMs: random.between(800, 4_000),
      begin: () => isAway(how),
      end: async () => {
        await database.failOver();
        await database.renewStandby();
      },
    })),
  ];
  return {
    name: 'postgres',
    pausesMs: [4_000, 12_000],
    draw: (random) => {
      const deck = random.deal(troubles(random).map((_, n) => n));
      return () => troubles(random)[deck.next().value] as Trouble;
    },
  };
}

function scheduleOfBank(bank: World['bank']): Schedule {
  return {
    name: 'bank',
    pausesMs: [6_000, 20_000],
    draw: (random) => () => ({
      name: 'kill -9',
      forMs: random.between(0, 2_000),
      begin: () => bank.kill(),
      end: () => bank.start(true),
    }),
  };
}

/** One of the Kassas, seldom both at once: with nobody there, nothing can go wrong. And a new version, one by one. */
function scheduleOfKassas(kassas: World['kassas']): Schedule {
  return {
    name: 'kassa',
    pausesMs: [2_000, 7_000],
    draw: (random) => {
      const deck = random.deal([[0], [1], 'rolling', [0], [1], [0, 1]] as const);
      return () => {
        const drawn = deck.next().value;
        if (drawn === 'rolling')
          return {
            name: 'rolling restart',
            forMs: random.between(0, 500),
            begin: () => kassas[0].restart(),
            end: () => kassas[1].restart(),
          };
        const killed = drawn.map((n) => kassas[n]);
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

/** The places of trouble, as the command line names them. The clocks are drawn where Kassas are started. */
export const PLACES = ['bank', 'kassa', 'postgres', 'wires', 'clocks'] as const;
export type Place = (typeof PLACES)[number];

function schedulesOf(world: TroubledWorld, places: readonly Place[]): Schedule[] {
  const { kassaToBank, kassaToDatabase } = world;
  const schedules: Record<Place, () => Schedule[]> = {
    bank: () => [scheduleOfFaults(world), scheduleOfBank(world.bank)],
    kassa: () => [scheduleOfKassas(world.kassas)],
    postgres: () => [scheduleOfDatabase(world.database)],
    wires: () => [
      scheduleOfWire('kassa–bank', kassaToBank, [2_000, 8_000], 4_000),
      scheduleOfWire('kassa 1–postgres', kassaToDatabase[0], [4_000, 12_000], 3_000),
      scheduleOfWire('kassa 2–postgres', kassaToDatabase[1], [4_000, 12_000], 3_000),
    ],
    clocks: () => [],
  };
  return places.flatMap((place) => schedules[place]());
}

/** Makes trouble until the time is over; when it returns, everything is up and all is fair again. */
export async function makeTrouble(
  world: TroubledWorld,
  options: {
    readonly seed: number;
    readonly seconds: number;
    readonly only: readonly Place[];
    readonly signal: AbortSignal;
    /** Ends the troubles before their time. */
    readonly enough?: AbortSignal;
  },
  observer: TroubleObserver,
): Promise<void> {
  const { seed, seconds, only, signal, enough = signal } = options;
  const over = AbortSignal.any([signal, enough, AbortSignal.timeout(seconds * 1_000)]);
  const rest = (ms: number): Promise<void> => sleep(ms, undefined, { signal: over }).catch(() => {});

  const run = async ({ name, pausesMs: [least, most], draw }: Schedule): Promise<void> => {
    const random = new Random(seed, name);
    const next = draw(random);
    // In a short run, too, every schedule has its first trouble soon.
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
  await Promise.all(schedulesOf(world, only).map(run));
  await world.setFaults({});
}
