// Refused actions of people and keys, for the audit: failed sign-ins, invalid links, missing rights. Anyone can repeat
// them at will, so they are not written per request: the first of a kind is written within seconds, and repetitions are
// counted and written once, at the end of the period. Beyond a number of kinds, they are counted together.
import type { Action, Actor, Facts } from '../../domain/audit.ts';
import type { Audited } from './audit.ts';
import { NO_MERCHANT, recordAct } from './audit.ts';
import { findMerchants } from '../merchants/merchants.ts';
import type { Pool } from '../connections/pool.ts';
import { withinTransaction } from '../connections/transaction.ts';

export type Refusal = {
  /** Undefined: an unknown merchant. */
  readonly actor?: Omit<Actor, 'address'>;
  /** The merchant whose audit gets the record; none for strangers. */
  readonly merchantIds: readonly number[];
  /** The unknown name that was entered. */
  readonly typed?: string;
  /** The source address, and the network it belongs to. */
  readonly address: string;
  readonly network: string;
  /** Whether the actor has proved their identity; otherwise they count as a stranger, whatever they claim. */
  readonly isProved: boolean;
  readonly action: Extract<Action, 'person.sign-in-refused' | 'access.refuse' | 'audit.export'>;
  readonly subject?: string;
  readonly after: Facts;
};

const MINUTE_MS = 60_000;
const PERIOD_MS = 10 * MINUTE_MS;
// A misconfigured collector sends requests all day.
const PERIODS_MS: Partial<Record<Action, number>> = { 'audit.export': 24 * 60 * MINUTE_MS };
// Per actor, or per network for strangers; for all strangers, and for all others. Kinds beyond these are counted
// together.
const MOST_OF_ONE = 20;
const MOST_OF_ALL = 200;

type Tally = {
  readonly refusal: Refusal;
  /** The group that its kind counts towards. */
  readonly counts: readonly (readonly [name: string, most: number])[];
  readonly periodMs: number;
  /** Since the last write. */
  times: number;
  sinceMs: number;
  untilMs: number;
  /** The end of the period in which no more is written; now for the first. */
  dueMs: number;
};

/** Everything beyond the limits. */
const othersOf = (action: Refusal['action']): Refusal => ({
  actor: { kind: 'system', id: 'others', name: '…' },
  merchantIds: [],
  address: '',
  network: '',
  isProved: true,
  action,
  after: { reason: 'many' },
});

/** For unknown names, only enough to distinguish mistakes: someone may have entered a password there. */
function maskTyped(typed: string): string {
  const [, local = '', domain] = /^(.)[^@]*(?:@(.))?/u.exec(typed.trim()) ?? [];
  return domain === undefined ? '…' : `${local}…@${domain}…`;
}

export class Refusals {
  readonly #pool: Pool;
  readonly #now: () => number;
  readonly #tallies = new Map<string, Tally>();
  /** The number of kinds. */
  readonly #kinds = new Map<string, number>();

  constructor(pool: Pool, now: () => number = Date.now) {
    this.#pool = pool;
    this.#now = now;
  }

  /** Costs the caller no time, so it cannot be used for timing. */
  note(refusal: Refusal): void {
    const { actor, network, action, subject, after } = refusal;
    const key = JSON.stringify([action, network, actor?.kind, actor?.id, subject, after]);
    const tally = this.#tallies.get(key) ?? this.#begin(key, refusal) ?? this.#others(action);
    tally.times += 1;
    tally.untilMs = this.#now();
    if (tally.times === 1) tally.sinceMs = tally.untilMs;
  }

  #begin(key: string, refusal: Refusal): Tally | undefined {
    const { isProved, actor, network } = refusal;
    const one = isProved && actor ? `${actor.kind} ${actor.id}` : `network ${network}`;
    const counts = [
      [one, MOST_OF_ONE],
      [isProved ? 'all' : 'all strangers', MOST_OF_ALL],
    ] as const;
    if (counts.some(([name, most]) => (this.#kinds.get(name) ?? 0) >= most)) return undefined;
    for (const [name] of counts) this.#kinds.set(name, (this.#kinds.get(name) ?? 0) + 1);
    return this.#add(key, refusal, counts, 0);
  }

  #others(action: Refusal['action']): Tally {
    return this.#tallies.get(action) ?? this.#add(action, othersOf(action), [], this.#now() + PERIOD_MS);
  }

  #add(key: string, refusal: Refusal, counts: Tally['counts'], dueMs: number): Tally {
    const periodMs = PERIODS_MS[refusal.action] ?? PERIOD_MS;
    const tally = { refusal, counts, periodMs, times: 0, sinceMs: 0, untilMs: 0, dueMs };
    this.#tallies.set(key, tally);
    return tally;
  }

  #forget(key: string, { counts }: Tally): void {
    this.#tallies.delete(key);
    for (const [name] of counts) {
      const left = (this.#kinds.get(name) ?? 1) - 1;
      if (left > 0) this.#kinds.set(name, left);
      else this.#kinds.delete(name);
    }
  }

  /** Writes what is due, or everything at shutdown. Keeps what cannot be written now. */
  async write({ isLast = false } = {}): Promise<void> {
    for (const [key, tally] of this.#tallies) {
      const now = this.#now();
      if (!isLast && now < tally.dueMs) continue;
      const { times } = tally;
      if (times === 0) {
        this.#forget(key, tally);
        continue;
      }
      await this.#record(tally);
      tally.times -= times;
      tally.sinceMs = tally.untilMs;
      tally.dueMs = now + tally.periodMs;
    }
  }

  async #record({ refusal, times, sinceMs, untilMs }: Tally): Promise<void> {
    const { actor: known, merchantIds, typed = '', address, action, subject, after } = refusal;
    const actor = known ?? ({ kind: 'person', id: 'unknown', name: maskTyped(typed) } as const);
    const [since, until] = [new Date(sinceMs).toISOString(), new Date(untilMs).toISOString()];
    const act = {
      actor: { ...actor, ...(address !== '' && { address }) },
      action,
      subject: subject ?? actor.id,
      after: { ...after, ...(times > 1 && { times, since, until }) },
    };
    await withinTransaction(this.#pool, async (within) => {
      const merchants: Audited[] = await findMerchants(within, merchantIds);
      for (const each of merchants.length === 0 ? [NO_MERCHANT] : merchants) await recordAct(within, each, act);
    });
  }
}
