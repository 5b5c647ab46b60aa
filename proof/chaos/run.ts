// One run of chaos: two Kassas, a Postgres with its standby and a bank, with wires between them, and troubles everywhere.
import { Replicated } from './replicated.ts';
import type { Interruption } from './replicated.ts';
import { runTrial } from './trial.ts';
import type { Tried } from './trial.ts';
import { makeTrouble, PLACES } from './trouble.ts';
import type { Place, TroubledWorld } from './trouble.ts';
import { Wire } from './wire.ts';
import { openWorld } from './world.ts';
import type { WorldObserver } from './world.ts';

// As the troubles are called after which reads may show what the standby does not have; docs/operate/backup-and-verify.md.
const ENDS_WAITS: Interruption = 'backend terminated';

export type RunOptions = {
  readonly seed: number;
  readonly seconds: number;
  readonly clients: number;
  /** So many charges in bulks, instead of everything that clients do. */
  readonly bulk?: number;
  /** Where there is trouble; everywhere by default. */
  readonly only?: readonly Place[];
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** Told once everything is up, before the first trouble. */
  readonly onOpen?: (world: TroubledWorld) => void;
};

export type Run = Tried & { readonly seed: number; readonly seconds: number };

function openTroubledWorld(observer: WorldObserver, signal: AbortSignal): Promise<TroubledWorld> {
  return openWorld(observer, signal, async (keep) => {
    const kassaToDatabase = [keep(await Wire.open()), keep(await Wire.open())] as const;
    const [first, second] = kassaToDatabase;
    const database = keep(
      await Replicated.open((port) => {
        first.lead(port);
        second.lead(port);
      }),
    );
    const kassaUrls = [database.urlAt(first.port), database.urlAt(second.port)] as const;
    return { database, kassaUrls, kassaToDatabase };
  });
}

export async function runChaos(options: RunOptions): Promise<Run> {
  const { seed, seconds, only = PLACES, signal } = options;
  const tried = await runTrial({
    ...options,
    open: async (journal) => {
      const world = await openTroubledWorld(
        {
          seed,
          clocksDiffer: only.includes('clocks'),
          onDefect: (text) => journal.find('defect', text),
          onClock: (kassa, clock) => journal.trouble(`clock of ${kassa}: ${clock}`),
        },
        signal,
      );
      options.onOpen?.(world);
      return world;
    },
    trouble: (world, journal, enough) =>
      makeTrouble(
        world,
        { seed, seconds, only, signal, enough },
        {
          onBegin: (place, name) => {
            journal.trouble(`${place}: ${name}`);
            if (name.includes(ENDS_WAITS)) journal.beginDoubt();
          },
          onEnd: (place, name) => {
            journal.note(`*** ${place}: ${name} is over`);
            if (name.includes(ENDS_WAITS)) journal.endDoubt();
          },
        },
      ),
  });
  return { seed, seconds, ...tried };
}
