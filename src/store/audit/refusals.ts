// What was refused to people and keys, for the audit: failed sign-ins, bad links, actions without the right to them. Those
// who are refused can ask again as often as they like, so nothing is written for a request: the first of its kind is
// written within seconds, and what is repeated is counted and written once, when its period is over. What is of too many
// kinds is counted together.
import type { Action, Actor, Facts } from '../../domain/audit.ts';
import type { Audited } from './audit.ts';
import { NO_MERCHANT, recordAct } from './audit.ts';
import { findMerchants } from '../merchants/merchants.ts';
import type { Pool } from '../connections/pool.ts';
import { withinTransaction } from '../connections/transaction.ts';

export type Refusal = {
  /** Undefined: nobody who is known here. */
  readonly actor?: Omit<Actor, 'address'>;
  /** At which it is told; of nobody's, at none. */
  readonly merchantIds: readonly number[];
  /** What somebody typed who is not known here. */
  readonly typed?: string;
  /** The network address that asked, and the network it counts to. */
  readonly address: string;
  readonly network: string;
  /** Whether the actor has shown to be it; otherwise it is a stranger, whatever they said. */
  readonly isProved: boolean;
  readonly action: Extract<Action, 'person.sign-in-refused' | 'access.refuse' | 'audit.export'>;
  readonly subject?: string;
  readonly after: Facts;
};

const MINUTE_MS = 60_000;
const PERIOD_MS = 10 * MINUTE_MS;
// A collector that works asks all day.
const PERIODS_MS: Partial<Record<Action, number>> = { 'audit.export': 24 * 60 * MINUTE_MS };
// Of one actor, or of one network where the actor is a stranger; and of all strangers, and of all others. More kinds than
// these are counted together.
const MOST_OF_ONE = 20;
const MOST_OF_ALL = 200;

type Tally = {
  readonly refusal: Refusal;
  /** What its kind counts to. */
  readonly counts: readonly (readonly [name: string, most: number])[];
  readonly periodMs: number;
  /** Since it was written last. */
  times: number;
  sinceMs: number;
  untilMs: number;
  /** When the period ends in which no more is written; at once for the first. */
  dueMs: number;
};

/** What is of no kind of its own any more. */
const othersOf = (action: Refusal['action']): Refusal => ({
  actor: { kind: 'system', id: 'others', name: '…' },
  merchantIds: [],
  address: '',
  network: '',
  isProved: true,
  action,
  after: { reason: 'many' },
});

/** Of what nobody has, only enough to tell one mistake from another: somebody may have typed a password there. */
function maskTyped(typed: string): string {
  const [, local = '', domain] = /^(.)[^@]*(?:@(.))?/u.exec(typed.trim()) ?? [];
  return domain === undefined ? '…' : `${local}…@${domain}…`;
}

export class Refusals {
  readonly #pool: Pool;
  readonly #now: () => number;
  readonly #tallies = new Map<string, Tally>();
  /** How many kinds there are. */
  readonly #kinds = new Map<string, number>();

  constructor(pool: Pool, now: () => number = Date.now) {
    this.#pool = pool;
    this.#now = now;
  }

  /** Costs whoever is refused nothing, and tells nothing by its time. */
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

  /** Writes what is due; all that was counted where nothing comes after. What cannot be written now is kept. */
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
