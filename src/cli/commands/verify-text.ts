// The output of `kassa verify` for people.
import type { Undelivered } from '../../store/events/deliveries.ts';
import type { LongPending } from '../../store/books/reconciliation.ts';
import type { Findings } from '../../store/books/verify.ts';
import type { SignedHeads } from '../../store/audit/audit-head.ts';
import type { AuditDifference, AuditFindings } from '../../store/books/verify-audit.ts';
import { print } from '../../ops/print.ts';
import { countOf } from '../terminal/command.ts';

export type Report = {
  readonly books: Findings;
  readonly audit: AuditFindings;
  /** The heads that the audit was checked against. */
  readonly signed: SignedHeads | undefined;
  readonly longPending: readonly LongPending[];
  readonly undelivered: Undelivered | undefined;
  /** Only changes since then were checked; undefined for everything. */
  readonly since: string | undefined;
};

// More would push the summary off the screen.
const MOST_SHOWN = 100;

function showLongPending({ acquirer, count, oldest }: LongPending): string {
  const movements = count === 1 ? '1 movement is' : `${count} movements are`;
  return `${movements} pending at ${acquirer} for more than an hour, ${count === 1 ? '' : 'the oldest '}since ${oldest.toISOString()}.`;
}

function showUndelivered({ count, oldest }: Undelivered): string {
  const events = count === 1 ? '1 event has' : `${count} events have`;
  return `${events} been undelivered for more than an hour, the oldest since ${oldest.toISOString()}: is a worker running?`;
}

const showAuditDifference = ({ merchantId, number, difference }: AuditDifference): string =>
  `audit of ${merchantId === 0 ? 'no merchant' : `merchant ${merchantId}`}, record ${number}: ${difference}`;

export const foundIn = ({ books, audit, signed }: Pick<Report, 'books' | 'audit' | 'signed'>): number =>
  books.differences.length + books.leftOut + audit.differences.length + (signed?.problems.length ?? 0);

export function printReport(report: Report): void {
  const { books, audit, signed, longPending, undelivered, since } = report;
  const { merchants, payments, movements, pending, events, idempotencyRecords } = books.counts;
  const moved = `${countOf(movements, 'movement')} (${pending} pending)`;
  const kept = `${countOf(events, 'event')}, ${countOf(idempotencyRecords, 'idempotency record')}`;
  const changed = since === undefined ? '' : `Changed since ${since}: `;
  print(`${changed}${countOf(payments, 'payment')} of ${countOf(merchants, 'merchant')}, ${moved}, ${kept}.`);
  print(`${countOf(audit.records, 'audit record')} in ${countOf(audit.chains, 'chain')}.`);
  if (signed)
    print(
      `Checked against ${countOf(signed.count, 'audit head')}${signed.newest === undefined ? '' : `, the newest from ${signed.newest}`}.`,
    );
  for (const long of longPending) print(showLongPending(long));
  if (undelivered) print(showUndelivered(undelivered));
  const lines = [
    ...books.differences.map(({ paymentId, difference }) =>
      paymentId === undefined ? difference : `${paymentId}: ${difference}`,
    ),
    ...audit.differences.map(showAuditDifference),
    ...(signed?.problems.map((problem) => `audit head: ${problem}`) ?? []),
  ];
  for (const line of lines.slice(0, MOST_SHOWN)) print(line);
  const found = foundIn(report);
  if (found > MOST_SHOWN)
    print(`… and ${found - MOST_SHOWN} more; --json lists ${books.leftOut > 0 ? 'more' : 'all'}.`);
  const sound = since === undefined ? 'The books balance.' : 'The changed books balance.';
  print(found === 0 ? sound : `The books do not balance: ${countOf(found, 'difference')}.`);
}
