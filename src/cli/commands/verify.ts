// `kassa verify`: recomputes the books and says whether they balance. Exit code 1 when they do not, 2 when that could
// not be found out. What is pending or undelivered for long is told beside it: books that wait for somebody balance all
// the same.
import { listLongPending } from '../../store/reconciliation.ts';
import type { LongPending } from '../../store/reconciliation.ts';
import { findUndelivered } from '../../store/deliveries.ts';
import type { Undelivered } from '../../store/deliveries.ts';
import { verifyBooks } from '../../store/verify.ts';
import { verifyAudit } from '../../store/verify-audit.ts';
import type { AuditDifference } from '../../store/verify-audit.ts';
import { print } from '../../ops/print.ts';
import { countOf, JSON_OPTION, printJson } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { withDatabase } from '../../start/database.ts';

// The resolver asks again every minute; a movement that it could not finish for so long, somebody should look at.
const LONG_S = 3_600;

// More would push what matters out of a terminal.
const MOST_SHOWN = 100;

/** On a terminal only: elsewhere it would fill a log with half-written lines. */
function showProgress(share: number): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(share >= 1 ? '\r\u001B[K' : `\rverifying… ${Math.floor(share * 100)} %`);
}

function showLongPending({ acquirer, count, oldest }: LongPending): string {
  const movements = count === 1 ? '1 movement is' : `${count} movements are`;
  return `${movements} pending at ${acquirer} for more than an hour, ${count === 1 ? '' : 'the oldest '}since ${oldest.toISOString()}.`;
}

function showUndelivered({ count, oldest }: Undelivered): string {
  const events = count === 1 ? '1 event has' : `${count} events have`;
  return `${events} been told to nobody for more than an hour, the oldest since ${oldest.toISOString()}: does anybody deliver?`;
}

const showAuditDifference = ({ merchantId, number, difference }: AuditDifference): string =>
  `audit of ${merchantId === 0 ? 'no merchant' : `merchant ${merchantId}`}, record ${number}: ${difference}`;

export const verify: Command = {
  troubleCode: 2,
  usage: '[--json]',
  more: 'It only reads, and may run beside the service, for example every night and after a restore.\nExit code 2 when the books could not be read.',
  options: { json: JSON_OPTION },
  run: ({ config, options }) =>
    withDatabase(config, async (pool) => {
      const { counts, differences } = await verifyBooks(pool, showProgress);
      const longPending = await listLongPending(pool, LONG_S);
      const undelivered = await findUndelivered(pool, LONG_S);
      const audit = await verifyAudit(pool);
      const found = differences.length + audit.differences.length;
      if (options['json'])
        printJson({
          ...counts,
          auditRecords: audit.records,
          longPending,
          undelivered,
          differences,
          auditDifferences: audit.differences,
        });
      else {
        const { merchants, payments, movements, pending, events, idempotencyRecords } = counts;
        const moved = `${countOf(movements, 'movement')} (${pending} pending)`;
        const kept = `${countOf(events, 'event')}, ${countOf(idempotencyRecords, 'idempotency record')}`;
        print(`${countOf(payments, 'payment')} of ${countOf(merchants, 'merchant')}, ${moved}, ${kept}.`);
        print(`${countOf(audit.records, 'audit record')} in ${countOf(audit.chains, 'chain')}.`);
        for (const long of longPending) print(showLongPending(long));
        if (undelivered) print(showUndelivered(undelivered));
        const lines = [
          ...differences.map(({ paymentId, difference }) =>
            paymentId === undefined ? difference : `${paymentId}: ${difference}`,
          ),
          ...audit.differences.map(showAuditDifference),
        ];
        for (const line of lines.slice(0, MOST_SHOWN)) print(line);
        if (found > MOST_SHOWN) print(`… and ${found - MOST_SHOWN} more; --json lists all.`);
        print(found === 0 ? 'The books balance.' : `The books do not balance: ${countOf(found, 'difference')}.`);
      }
      return found === 0 ? 0 : 1;
    }),
};
