// Holds what clients were told of bulks against the rows: one bulk for a name, every entry ended as it was told, and what
// it says of its payment is so. The payments themselves are judged like all others.
import type { Line } from '../../src/bank/book.ts';
import type { Books, EntryRow, MovementRow } from './books.ts';
import type { Bulk, Journal } from './journal.ts';

const showEntry = ({ bulkId, place, state, paymentId }: EntryRow): string =>
  `entry ${place} of bulk ${bulkId}, ${state}, payment ${paymentId}`;

function judgeBulk(journal: Journal, bulk: Bulk, books: Books): void {
  const { name, purpose, count, ids, isDone } = bulk;
  const rows = books.bulks.filter((row) => row.name === name && row.purpose === purpose);
  if (rows.length > 1) journal.find('doubled', `bulk ${name} is there ${rows.length} times`);
  const [row] = rows;
  const [id] = ids;
  if (id !== undefined && row?.id !== id) journal.find('lost', `bulk ${name} was acknowledged as ${id}, and is gone`);
  if (id !== undefined && !isDone) journal.find('unfinished', `bulk ${name} was not read to its end`);
  if (row === undefined) return;
  const entries = books.entries.filter(({ bulkId }) => bulkId === row.id);
  if (entries.length !== count || row.entryCount !== count)
    journal.find('lost', `bulk ${name} has ${entries.length} entries of ${count}`);
  for (const entry of entries)
    if (entry.state === 'pending') journal.find('unfinished', `${showEntry(entry)} is not done`);
}

/** What an entry says of its payment, the movements say as well. */
function judgeEntry(
  journal: Journal,
  entry: EntryRow,
  rows: readonly MovementRow[],
  lifeOf: (paymentId: string) => number | undefined,
): void {
  const charges = rows.filter(({ kind, state }) => kind === 'charge' && state === 'approved');
  const life = lifeOf(entry.paymentId);
  if (entry.state === 'failed' && charges.length > 0)
    journal.find('refused with an effect', `${showEntry(entry)} is charged`, life);
  if (entry.state !== 'succeeded') return;
  if (charges.length > 1) journal.find('doubled', `${showEntry(entry)} is charged ${charges.length} times`, life);
  if (charges[0]?.id !== entry.chargeId)
    journal.find('lost', `${showEntry(entry)} says ${entry.chargeId}, and there is ${charges[0]?.id}`, life);
}

/** Takes from the bank's lines what verifications have asked it; gives the others. */
export function withoutVerifications(journal: Journal, books: Books): readonly Line[] {
  const verifications = new Set(books.bulks.filter(({ purpose }) => purpose === 'verification').map(({ id }) => id));
  const asked = new Map(
    books.entries.filter(({ bulkId }) => verifications.has(bulkId)).map((entry) => [entry.paymentId, entry]),
  );
  for (const entry of asked.values()) {
    const line = books.bank.find(({ id }) => id === entry.paymentId);
    const state = entry.state === 'succeeded' ? 'approved' : 'declined';
    if (line?.state !== state || line.amount !== 0 || line.kind !== 'reservation')
      journal.find('difference', `${showEntry(entry)} is ${JSON.stringify(line)} in the bank's book`);
  }
  return books.bank.filter(({ id }) => !asked.has(id));
}

export function judgeBulks(
  journal: Journal,
  books: Books,
  movements: ReadonlyMap<string, readonly MovementRow[]>,
  lifeOf: (paymentId: string) => number | undefined,
): void {
  for (const bulk of journal.bulks) judgeBulk(journal, bulk, books);
  const names = new Set(journal.bulks.map(({ name }) => name));
  for (const { id, name } of books.bulks)
    if (name === null || !names.has(name)) journal.find('doubled', `bulk ${id} is nobody's`);
  const charges = new Set(books.bulks.filter(({ purpose }) => purpose === 'charge').map(({ id }) => id));
  for (const entry of books.entries)
    if (charges.has(entry.bulkId)) judgeEntry(journal, entry, movements.get(entry.paymentId) ?? [], lifeOf);
}
