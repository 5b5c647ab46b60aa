// Runs the scenario: the victim alone, then beside the hostile merchant. What the hostile clients take of the machine is
// no fault of the service, so a victim of another service, which has no hostile merchant, is measured beside a process that
// burns as much processor time as they did: the ratio that counts is to that. These two take turns, so that a machine that
// is slower for a while is so for both.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FairOptions, Options } from '../options.ts';
import { requestFor } from '../requests.ts';
import { buildActs } from './acts.ts';
import type { ActName } from './act-names.ts';
import type { Deeds, Order } from './hostile.ts';
import { WITHOUT_RATES, withChild, withDataFolder, withSharedKassa } from './shared-kassa.ts';
import type { SharedKassa } from './shared-kassa.ts';
import { layInStock } from './stock.ts';
import type { Stock } from './stock.ts';
import { addVictimResults } from './victim-plan.ts';
import type { VictimPlan, VictimResult } from './victim-plan.ts';

export type FairResult = {
  readonly acts: readonly ActName[];
  readonly alone: VictimResult;
  readonly busy: VictimResult;
  readonly beside: VictimResult;
  readonly deeds: Deeds;
  readonly stock: Pick<Stock, 'largestBytes' | 'largePayments'>;
};

export type Fair = FairOptions &
  Pick<Options, 'connections' | 'log' | 'profile'> & {
    readonly signal: AbortSignal;
    readonly onProgress: (text: string) => void;
  };

// A few carts at once, 80 requests a second: what a shop does on a good day, and less than any limit of rates.
const CONNECTIONS = 4;
const EVERY_MS = 50;
const WARM_UP_MS = 3_000;
// On a host whose processors are taken by others, for so many times as long as was asked for.
const PATIENCE = 5;
// Until the hostile one is in full swing.
const SETTLE_MS = 1_000;
// Of a turn, and of the first one beside the hostile merchant, which tells what its clients take and does not count.
const SLICE_S = 10;
const FIRST_SLICE_S = 5;
const FEWEST_ROUNDS = 2;

const VICTIM = new URL('victim.ts', import.meta.url);
const HOSTILE = new URL('hostile.ts', import.meta.url);
const BURNER = new URL('burner.ts', import.meta.url);

/** What the victim notices at that Kassa, with another process beside it or none. */
type MeasureVictim = (seconds: number) => Promise<VictimResult>;

export const withVictim = <Result>(
  kassa: SharedKassa,
  { signal }: Pick<Fair, 'signal'>,
  use: (measure: MeasureVictim) => Promise<Result>,
): Promise<Result> =>
  withChild(VICTIM, signal, async (victim) => {
    const { secretKey } = await kassa.openMerchant('Victim');
    const plan: Omit<VictimPlan, 'seconds' | 'mostSeconds'> = {
      port: kassa.port,
      connections: CONNECTIONS,
      everyMs: EVERY_MS,
      warmUpMs: WARM_UP_MS,
      steps: [
        { ...requestFor('create', secretKey), names: 'nothing', gives: 'payment', measuredAs: 'create' },
        { ...requestFor('reserve', secretKey), names: 'payment' },
        { ...requestFor('read', secretKey), names: 'payment', measuredAs: 'read' },
        { ...requestFor('charge', secretKey), names: 'payment', measuredAs: 'charge' },
      ],
    };
    return use((seconds) => victim.ask<VictimResult>({ ...plan, seconds, mostSeconds: seconds * PATIENCE }));
  });

/** A victim of a service of its own, while another process burns a share of a core. */
type MeasureBusy = (seconds: number, cpuShare: number) => Promise<VictimResult>;

const withBusyVictim = <Result>(fair: Fair, use: (measure: MeasureBusy) => Promise<Result>): Promise<Result> =>
  withDataFolder((dataDir) =>
    withSharedKassa({ ...fair, dataDir, profile: undefined }, (kassa) =>
      withVictim(kassa, fair, (measure) =>
        withChild(BURNER, fair.signal, (burner) =>
          use(async (seconds, cpuShare) => {
            await burner.ask(cpuShare);
            const result = await measure(seconds);
            await burner.ask(0);
            return result;
          }),
        ),
      ),
    ),
  );

type Turns = {
  readonly seconds: number;
  readonly measureBeside: (seconds: number) => Promise<{ result: VictimResult; deeds: Deeds }>;
  readonly measureBusy: MeasureBusy;
  readonly onTurn: (text: string) => void;
};

async function takeTurns({ seconds, measureBeside, measureBusy, onTurn }: Turns) {
  let { deeds } = await measureBeside(FIRST_SLICE_S);
  const besides: VictimResult[] = [];
  const busies: VictimResult[] = [];
  const rounds = Math.max(FEWEST_ROUNDS, Math.round(seconds / SLICE_S));
  const turns = [
    async (): Promise<void> => {
      const measured = await measureBeside(seconds / rounds);
      besides.push(measured.result);
      ({ deeds } = measured);
    },
    async (): Promise<void> => void busies.push(await measureBusy(seconds / rounds, deeds.cpuShare)),
  ] as const;
  for (let round = 0; round < rounds; round += 1) {
    onTurn(`${round + 1} of ${rounds}, beside the hostile merchant and beside ${deeds.cpuShare.toFixed(2)} of a core`);
    // Whoever was first is second in the next round.
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
  }
  return { beside: addVictimResults(besides), busy: addVictimResults(busies), deeds };
}

async function runActs(fair: Fair, acts: readonly ActName[]): Promise<FairResult> {
  const { connections, seconds, signal } = fair;
  const onTurn = (text: string): void =>
    fair.onProgress(`fair, ${acts.length === 1 ? acts[0] : `${acts.length} acts`}: ${text}`);
  return withDataFolder((dataDir) =>
    withChild(HOSTILE, signal, async (hostile) => {
      const order = <Answer>(message: Order): Promise<Answer> => hostile.ask<Answer>(message);
      onTurn('laying in what the hostile merchant needs');
      const hangingPort = await order<number>({ kind: 'listen' });
      const stock = await withSharedKassa(
        { ...fair, dataDir, profile: undefined, settings: WITHOUT_RATES },
        async (kassa) => layInStock(kassa, await kassa.openMerchant('Hostile'), { acts, hangingPort, signal }),
      );
      return withBusyVictim(fair, (measureBusy) =>
        withSharedKassa({ ...fair, dataDir }, (kassa) =>
          withVictim(kassa, fair, async (measure) => {
            onTurn('the victim alone');
            const alone = await measure(seconds);
            const built = buildActs(acts, stock, connections);
            const measureBeside = async (slice: number): Promise<{ result: VictimResult; deeds: Deeds }> => {
              await order({ kind: 'begin', port: kassa.port, acts: built });
              await sleep(SETTLE_MS);
              const result = await measure(slice);
              return { result, deeds: await order<Deeds>({ kind: 'end' }) };
            };
            const measured = await takeTurns({ seconds, measureBeside, measureBusy, onTurn });
            return { acts, alone, stock, ...measured };
          }),
        ),
      );
    }),
  );
}

export async function runFair(fair: Fair): Promise<FairResult[]> {
  const results: FairResult[] = [];
  for (const acts of fair.acts) results.push(await runActs(fair, acts));
  return results;
}
