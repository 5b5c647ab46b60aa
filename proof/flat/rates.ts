// Requests of the largest shop, to a Kassa with few payments and to one with many, in turns.
import { endlessSide, kassaSide } from '../bench/kassa-side.ts';
import { rateOf } from '../bench/measure.ts';
import type { Measure } from '../bench/measure.ts';
import { takeSamples } from '../bench/samples.ts';
import { workOnEach } from '../bench/side.ts';
import type { Run, Side } from '../bench/side.ts';
import { measureInTurns } from '../bench/turns.ts';
import type { Filled, Telling } from './filled.ts';

const OPERATIONS = ['create', 'read', 'charge', 'refund', 'cancel'] as const;
type Operation = (typeof OPERATIONS)[number];

export type RateRow = { readonly operation: Operation; readonly few: Measure; readonly many: Measure };

export type RatesAsked = { readonly seconds: number; readonly connections: number };

// Spread over all that there are, so that no cache has all of their pages, nor a service answers of them: also of few
// each comes again too late to be kept.
const READ = 20_000;
const MARGIN = 2;
const SPREAD = `select replace(id::text, '-', '') as id from payments tablesample system (least(100, $2::float8))
  where merchant_id = $1 order by random() limit ${READ}`;

async function runOf(filled: Filled, { seconds, connections }: RatesAsked, telling: Telling): Promise<Run> {
  const { setup } = filled;
  return {
    setup,
    samples: await takeSamples(setup),
    connections,
    seconds,
    floorClients: 0,
    runFloor: () => Promise.reject(new Error('there is no floor here')),
    bareRoute: { port: 0, cpuSeconds: () => Promise.resolve(0) },
    timeMs: Date.now(),
    ...telling,
  };
}

/** Reads of payments from all of the time; all else is of new ones, as it is in a shop. */
function sideOf(run: Run, filled: Filled, operation: Operation): Side {
  if (operation !== 'read') return kassaSide(run, operation, () => {});
  return endlessSide(
    run,
    () => {},
    async () => {
      const { pool, merchant } = filled.shop;
      const percent = (MARGIN * READ * 100) / filled.payments;
      const rows = await pool.query<{ id: string }>(SPREAD, [merchant.id, percent]);
      return workOnEach(
        run,
        'read',
        rows.map(({ id }) => id),
        false,
      );
    },
  );
}

export async function compareRates(few: Filled, many: Filled, asked: RatesAsked, telling: Telling): Promise<RateRow[]> {
  const runs = [await runOf(few, asked, telling), await runOf(many, asked, telling)] as const;
  const rows: RateRow[] = [];
  for (const operation of OPERATIONS) {
    const measures = await measureInTurns({ ...asked, ...telling }, operation, [
      { who: `${few.payments} payments`, side: sideOf(runs[0], few, operation) },
      { who: `${many.payments} payments`, side: sideOf(runs[1], many, operation) },
    ]);
    const [before, after] = measures as [Measure, Measure];
    rows.push({ operation, few: before, many: after });
  }
  return rows;
}

export const rateRatio = ({ few, many }: RateRow): number => rateOf(many) / rateOf(few);
export const p99Of = ({ latencies }: Measure): number => latencies.percentileMs(0.99);
export const p99Ratio = ({ few, many }: RateRow): number => p99Of(many) / p99Of(few);
