// The use cases of the test clock of a merchant: reading it and moving it forward. It cannot be moved back, since payments,
// events and invoices carry its times. A live merchant has none.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '../domain/audit.ts';
import type { Merchant } from '../domain/merchant.ts';
import { isoTime } from '../domain/time.ts';
import { recordAct } from '../store/audit/audit.ts';
import { findMove, MOST_AHEAD_MS, readClock, writeMove } from '../store/merchants/clock.ts';
import type { Clock, KeyedMove } from '../store/merchants/clock.ts';
import { pull } from '../store/merchants/clock-pull.ts';
import type { RecordedAnswer } from '../store/statements/recorded-answer.ts';
import type { Pool } from '../store/connections/pool.ts';
import { withinTransaction } from '../store/connections/transaction.ts';

/** By so much, or to a moment. */
export type ClockStep = { readonly byMs: number } | { readonly toMs: number };

export type ClockTimes = {
  /** The time of the merchant's payments. */
  readonly time: string;
  readonly aheadSeconds: number;
  /** The latest time it can be moved to. */
  readonly latest: string;
};

export type ClockMoved =
  | { readonly kind: 'moved'; readonly clock: ClockTimes }
  /** The Idempotency-Key was brought before. */
  | { readonly kind: 'replayed'; readonly recorded: RecordedAnswer }
  | { readonly kind: 'other_request_had_key' }
  | { readonly kind: 'live' }
  | { readonly kind: 'not_forward' | 'too_far'; readonly clock: ClockTimes };

// Waiting work is made due before the response, unless it takes longer; then a job continues.
const LONGEST_PULL_MS = 5_000;

export const showClock = ({ realMs, aheadMs }: Clock): ClockTimes => ({
  time: isoTime(realMs + aheadMs),
  aheadSeconds: Math.floor(aheadMs / 1_000),
  latest: isoTime(realMs + MOST_AHEAD_MS),
});

async function requireClock(pool: Pool, { id }: Merchant): Promise<Clock> {
  const clock = await readClock(pool, id);
  if (clock === undefined) throw new Error(`merchant ${id} is gone`);
  return clock;
}

export const tellClock = async (pool: Pool, merchant: Merchant): Promise<ClockTimes> =>
  showClock(await requireClock(pool, merchant));

const aheadAfter = ({ realMs, aheadMs }: Clock, step: ClockStep): number =>
  'byMs' in step ? aheadMs + step.byMs : step.toMs - realMs;

/** The response recorded with an idempotency key. */
export type AnswerOfMove = (clock: ClockTimes) => string;

export async function moveClock(
  pool: Pool,
  actor: Actor,
  merchant: Merchant,
  step: ClockStep,
  keyed?: KeyedMove & { readonly answerOf: AnswerOfMove },
): Promise<ClockMoved> {
  if (merchant.live) return { kind: 'live' };
  let reachedMs = 0;
  const outcome = await withinTransaction(pool, async (within): Promise<ClockMoved> => {
    const clock = await requireClock(within, merchant);
    const first = keyed && (await findMove(within, merchant, keyed.key));
    if (first)
      return first.request === keyed?.request
        ? { kind: 'replayed', recorded: first.recorded }
        : { kind: 'other_request_had_key' };
    const aheadMs = aheadAfter(clock, step);
    if (aheadMs <= clock.aheadMs) return { kind: 'not_forward', clock: showClock(clock) };
    if (aheadMs > MOST_AHEAD_MS) return { kind: 'too_far', clock: showClock(clock) };
    const moved = showClock({ ...clock, aheadMs });
    await writeMove(within, merchant.id, aheadMs, keyed && { ...keyed, answer: keyed.answerOf(moved) });
    const [before, after] = [{ time: showClock(clock).time }, { time: moved.time }];
    await recordAct(within, merchant, { actor, action: 'clock.move', subject: String(merchant.id), before, after });
    reachedMs = aheadMs;
    return { kind: 'moved', clock: moved };
  });
  if (outcome.kind === 'moved') {
    // The move is committed: if this fails, a job continues.
    const pulling = pull(pool, { merchantId: merchant.id, aheadMs: reachedMs }).catch(() => {});
    await Promise.race([pulling, sleep(LONGEST_PULL_MS, undefined, { ref: false })]);
  }
  return outcome;
}
