// `kassa verify`: recomputes the books and says whether they balance. Exit code 1 when they do not.
import { verifyBooks } from '../store/verify.ts';
import { JSON_OPTION, print, printJson } from './command.ts';
import type { Command } from './command.ts';
import { withDatabase } from './database.ts';

const MOST_SHOWN = 100;

function showProgress(share: number): void {
  if (!process.stderr.isTTY) return;
  const done = share >= 1;
  process.stderr.write(done ? '\r\u001b[K' : `\rverifying… ${Math.floor(share * 100)} %`);
}

export const verify: Command = {
  name: 'verify',
  summary: "Recomputes every payment's totals and checks every invariant; exit code 1 on a difference.",
  options: { json: JSON_OPTION },
  run: ({ config, options }) =>
    withDatabase(config, async (pool) => {
      const { counts, differences } = await verifyBooks(pool, showProgress);
      if (options['json']) printJson({ ...counts, differences });
      else {
        const { merchants, payments, movements, pending, events, keptAnswers } = counts;
        print(`${payments} payments of ${merchants} merchants, ${movements} movements (${pending} pending),`);
        print(`${events} events, ${keptAnswers} kept answers.`);
        for (const { paymentId, difference } of differences.slice(0, MOST_SHOWN)) print(`${paymentId}: ${difference}`);
        if (differences.length > MOST_SHOWN) print(`… and ${differences.length - MOST_SHOWN} more; --json lists all.`);
        print(differences.length === 0 ? 'The books balance.' : `${differences.length} differences.`);
      }
      return differences.length === 0 ? 0 : 1;
    }),
};
