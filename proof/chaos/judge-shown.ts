// Holds what onlookers were shown against what is there in the end: nothing of it was undone, and whoever read events from
// one to the next saw each once.
import type { Books } from './books.ts';
import type { Journal } from './journal.ts';
import { findUndone } from './onlookers.ts';

// Somebody who had an event in hand when the doubt ended may have sent it a moment later.
const SENT_LATE_MS = 10_000;

export function judgeShown(journal: Journal, { listed, events, toldAtMs }: Books): void {
  // There is nobody who looks on at bulks alone.
  if (journal.looks === 0) return;
  const { payments, byCursor, byStream } = journal.shown;
  for (const [id, shown] of payments) {
    const there = listed.get(id);
    const undone = there === undefined ? 'it, and it is not there' : findUndone(shown, there);
    if (undone !== undefined) journal.find('undone', `a list showed of ${id} ${undone}`);
  }
  const known = new Set(events);
  for (const [how, seen] of [
    ['the list', byCursor],
    ['the stream', byStream],
  ] as const) {
    const once = new Set(seen);
    for (const id of once)
      if (!known.has(id)) journal.find('undone', `${how} of events told ${id}, which is not there`);
    for (const id of events) if (!once.has(id)) journal.find('missed', `${how} of events never told ${id}`);
    if (once.size < seen.length) journal.find('missed', `${how} told ${seen.length - once.size} events twice`);
    const told = events.filter((id) => once.has(id));
    const inOrder = seen.filter((id) => known.has(id));
    if (once.size === seen.length && told.join() !== inOrder.join())
      journal.find('missed', `${how} told events in another order`);
  }
  for (const [id, atMs] of toldAtMs) {
    const isDoubtful = journal.doubts.some(({ fromMs, toMs }) => atMs > fromMs && atMs < toMs + SENT_LATE_MS);
    if (!known.has(id) && !isDoubtful) journal.find('undone', `an endpoint was told ${id}, which is not there`);
  }
}
