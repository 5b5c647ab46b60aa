// `kassa load-sample`: creates sample payments by the million, of new test merchants of very different sizes, to try out
// how Kassa performs with large books.
import { createMerchantWithKey } from '../../merchants/merchants.ts';
import { remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { withDatabase } from '../../start/database.ts';
import type { Pool } from '../../store/connections/pool.ts';
import { loadSample } from '../../store/sample/load.ts';
import type { SampleProgress, SampleShare } from '../../store/sample/load.ts';
import { countOf, JSON_OPTION, printJson, printTable } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { openProgress } from '../terminal/progress.ts';
import type { Progress } from '../terminal/progress.ts';
import { whoAsks } from './who.ts';

const MOST_PAYMENTS = 100_000_000;
// The shares of all payments: one large shop, and ever smaller ones.
const SHARES = [0.7, 0.2, 0.07, 0.025, 0.005];
// How often progress is logged where there is no terminal.
const SHOW_EVERY_MS = 5_000;

function readPayments(text: string | boolean | undefined): number {
  const payments = Number(text);
  if (typeof text !== 'string' || !/^\d{1,9}$/.test(text) || payments < 1 || payments > MOST_PAYMENTS)
    throw new UserError(`--payments is ${String(text ?? 'missing')}; it must be a number from 1 to ${MOST_PAYMENTS}.`);
  return payments;
}

/** The first shop gets the rounding remainder. */
function sharesOf(payments: number): number[] {
  const rest = SHARES.slice(1).map((share) => Math.floor(payments * share));
  return [payments - rest.reduce((sum, share) => sum + share, 0), ...rest].filter((share) => share > 0);
}

async function openShops(
  pool: Pool,
  counts: readonly number[],
): Promise<(SampleShare & { readonly secret: string })[]> {
  const shops = [];
  for (const [index, payments] of counts.entries()) {
    const made = await createMerchantWithKey(pool, whoAsks(), { name: `Sample shop ${index + 1}` });
    if (made.kind !== 'created') throw new Error(`no merchant was made: ${made.kind}`);
    shops.push({ merchant: made.merchant, secret: made.secret, payments });
  }
  return shops;
}

const LAST_STEPS = { commit: 'Committing', analyze: 'Gathering statistics for the query planner' };

/** First the payments, then their indexes if they were dropped, then the last steps. */
function showProgress(payments: number): { readonly progress: SampleProgress; readonly end: () => void } {
  const openStep = (step: string, noun: string): Progress => openProgress({ noun, step, showEveryMs: SHOW_EVERY_MS });
  const making = openStep('Creating payments', 'payments');
  let indexing: Progress | undefined;
  return {
    progress: {
      onMade: (made) => making.show(made, payments, made === payments),
      onIndexed: (megabytes, total, isLast) => {
        const isFirst = indexing === undefined;
        indexing ??= openStep('Building indexes', 'MB indexed');
        if (isFirst) indexing.step('Building indexes');
        else indexing.show(megabytes, total, isLast);
      },
      onStep: (step) => making.step(LAST_STEPS[step]),
    },
    end: () => making.end(),
  };
}

export const loadSampleCommand: Command = {
  usage: '--payments N [--json]',
  more: 'Creates test merchants called Sample shop, of very different sizes; existing data is not touched.',
  options: {
    payments: { type: 'string', value: 'N', what: `Number of payments: 1 to ${MOST_PAYMENTS}.` },
    json: JSON_OPTION,
  },
  run: ({ config, options }) => {
    const payments = readPayments(options['payments']);
    return withDatabase(config, async (pool) => {
      const shops = await openShops(pool, sharesOf(payments));
      const beganAt = performance.now();
      const { progress, end } = showProgress(payments);
      await loadSample(pool, shops, Date.now(), progress).finally(end);
      const seconds = (performance.now() - beganAt) / 1_000;
      if (options['json'])
        printJson(
          shops.map(({ merchant, secret, payments: count }) => ({
            merchantId: merchant.id,
            secretKey: secret,
            payments: count,
          })),
        );
      else {
        printTable(
          ['MERCHANT', 'NAME', 'PAYMENTS', 'SECRET KEY'],
          shops.map(({ merchant, secret, payments: count }) => [
            String(merchant.id),
            merchant.name,
            String(count),
            secret,
          ]),
        );
        remark(`${countOf(payments, 'payment')} in ${seconds.toFixed(1)} s: ${Math.round(payments / seconds)}/s.`);
      }
      return 0;
    });
  },
};
