// Runs the scenario: the victim alone, then beside the hostile merchant. What the hostile clients take of the machine is
// no fault of the service, so the victim is measured a third time, on a fresh service, beside a process that burns as
// much processor time as they did: the ratio that counts is to that.
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

const VICTIM = new URL('victim.ts', import.meta.url);
const HOSTILE = new URL('hostile.ts', import.meta.url);
const BURNER = new URL('burner.ts', import.meta.url);

/** What the victim notices at that Kassa, with another process beside it or none. */
type MeasureVictim = () => Promise<VictimResult>;

export const withVictim = <Result>(
  kassa: SharedKassa,
  { seconds, signal }: Pick<Fair, 'seconds' | 'signal'>,
  use: (measure: MeasureVictim) => Promise<Result>,
): Promise<Result> =>
  withChild(VICTIM, signal, async (victim) => {
    const { secretKey } = await kassa.openMerchant('Victim');
    const plan: VictimPlan = {
      port: kassa.port,
      connections: CONNECTIONS,
      everyMs: EVERY_MS,
      warmUpMs: WARM_UP_MS,
      seconds,
      mostSeconds: seconds * PATIENCE,
      steps: [
        { ...requestFor('create', secretKey), names: 'nothing', gives: 'payment', measuredAs: 'create' },
        { ...requestFor('reserve', secretKey), names: 'payment' },
        { ...requestFor('read', secretKey), names: 'payment', measuredAs: 'read' },
        { ...requestFor('charge', secretKey), names: 'payment', measuredAs: 'charge' },
      ],
    };
    return use(() => victim.ask<VictimResult>(plan));
  });

async function runActs(fair: Fair, acts: readonly ActName[]): Promise<FairResult> {
  const { connections, signal, onProgress } = fair;
  const name = acts.length === 1 ? acts[0] : `${acts.length} acts`;
  const first = await withDataFolder((dataDir) =>
    withChild(HOSTILE, signal, async (hostile) => {
      const order = <Answer>(message: Order): Promise<Answer> => hostile.ask<Answer>(message);
      onProgress(`fair, ${name}: laying in what the hostile merchant needs`);
      const hangingPort = await order<number>({ kind: 'listen' });
      const stock = await withSharedKassa(
        { ...fair, dataDir, profile: undefined, settings: WITHOUT_RATES },
        async (kassa) => layInStock(kassa, await kassa.openMerchant('Hostile'), { acts, hangingPort, signal }),
      );
      return withSharedKassa({ ...fair, dataDir }, (kassa) =>
        withVictim(kassa, fair, async (measure) => {
          onProgress(`fair, ${name}: the victim alone`);
          const alone = await measure();
          onProgress(`fair, ${name}: the victim beside the hostile merchant`);
          await order({ kind: 'begin', port: kassa.port, acts: buildActs(acts, stock, connections) });
          await sleep(SETTLE_MS);
          const beside = await measure();
          const deeds = await order<Deeds>({ kind: 'end' });
          return { alone, beside, deeds, stock };
        }),
      );
    }),
  );
  const { cpuShare } = first.deeds;
  onProgress(`fair, ${name}: the victim beside ${cpuShare.toFixed(2)} of a core that is busy`);
  // On data of its own: what the hostile merchant left is still being worked off.
  const busy = await withDataFolder((dataDir) =>
    withSharedKassa({ ...fair, dataDir }, (kassa) =>
      withVictim(kassa, fair, (measure) =>
        withChild(BURNER, signal, async (burner) => {
          await burner.ask(cpuShare);
          return measure();
        }),
      ),
    ),
  );
  return { acts, busy, ...first };
}

export async function runFair(fair: Fair): Promise<FairResult[]> {
  const results: FairResult[] = [];
  for (const acts of fair.acts) results.push(await runActs(fair, acts));
  return results;
}
