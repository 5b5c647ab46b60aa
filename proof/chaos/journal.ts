// What the clients asked for and what they were told: every request, every answer, in order. It is the one source of
// what must be true in the end, and the story of a payment about which something is not.
import type { ListedPayment } from './books.ts';

/** What became of an operation, as far as its client knows. */
export type Outcome =
  | 'open'
  | 'granted'
  /** By the acquirer, for the card's sake. */
  | 'declined'
  /** By the rules: too much, for example. */
  | 'refused';

/** A renewal is a single charge of a subscription. */
export type KeyedKind = 'create' | 'charge' | 'refund' | 'cancel' | 'renewal';

/** Something a client wants, under one Idempotency-Key, however often it has to ask. */
export type Operation = {
  readonly kind: KeyedKind;
  readonly key: string;
  readonly path: string;
  readonly body: object;
  readonly amount: number;
  /** What must become of it, by the card and the sums that the client knows. */
  readonly expected: Exclude<Outcome, 'open'>;
  outcome: Outcome;
  /** Ids that were answered: one, or something is wrong. */
  readonly ids: Set<string>;
  status?: number;
};

/** The tries to reserve a payment. They have no key, so an answer that was lost is looked for by reading the payment. */
export type Reserving = {
  sent: number;
  declined: number;
  /** Tries whose answer did not come or said nothing. */
  unknown: number;
  knows: 'nothing' | 'reserved' | 'not reserved';
  reservationId?: string;
};

export type Life = {
  readonly n: number;
  readonly amount: number;
  readonly chargesAtOnce: boolean;
  /** The card with which it was reserved in the end. */
  card: string;
  paymentId?: string;
  readonly reserving: Reserving;
  readonly operations: Operation[];
  /** The charge that the reservation brought along, as the client read it. */
  chargedAtOnce?: string;
  /** Of a payment that is a charge of a subscription, alone or as an entry of a bulk. */
  readonly renewal?: Renewal;
};

export type Renewal = {
  /** What must become of it, by the card, the amount and the interval that the client knows. */
  readonly expected: Exclude<Outcome, 'open'>;
  outcome: Outcome;
};

/** A bulk under one name, however often its client had to ask for it. */
export type Bulk = {
  readonly name: string;
  readonly purpose: 'charge' | 'verification';
  readonly count: number;
  /** Ids that were answered: one, or something is wrong. */
  readonly ids: Set<string>;
  isDone: boolean;
};

export type Finding = {
  readonly kind:
    | 'lost'
    | 'doubled'
    | 'difference'
    | 'refused with an effect'
    | 'wrong answer'
    | 'not told'
    | 'undone'
    | 'missed'
    | 'unfinished'
    | 'defect';
  /** The number of the life it is about, if it is about one. */
  readonly life?: number;
  readonly text: string;
};

/** What onlookers were shown: payments as they were listed last, and the ids of events in the order in which they came. */
export type Shown = {
  readonly payments: Map<string, ListedPayment>;
  readonly byCursor: string[];
  readonly byStream: string[];
};

type Line = { readonly atMs: number; readonly life?: number; readonly text: string };

// Troubles that began longer ago or later have little to do with what a client saw.
const NEAR_MS = 3_000;

export class Journal {
  /** Whether payments have hooks of their own. */
  readonly isHooked: boolean;
  readonly lives: Life[] = [];
  readonly bulks: Bulk[] = [];
  readonly findings: Finding[] = [];
  readonly troubles = new Map<string, number>();
  readonly #lines: Line[] = [];
  readonly #startedAt = performance.now();
  /** When each operation was granted first, by performance.now(). */
  readonly grantedAtMs: number[] = [];
  retries = 0;
  requests = 0;
  /** Operations and reservations that were unknown for a while. */
  readonly unknown = new Set<object>();

  /** Requests of onlookers that were answered. */
  looks = 0;
  readonly shown: Shown = { payments: new Map(), byCursor: [], byStream: [] };
  /** When somebody had ended waits for the standby by force; nobody is promised what can be read then. */
  readonly doubts: { readonly fromMs: number; toMs: number }[] = [];
  #doubt = new AbortController();

  constructor(isHooked = true) {
    this.isHooked = isHooked;
  }

  /** A new one, which has its number by its place. */
  beginLife(begun: Pick<Life, 'amount' | 'chargesAtOnce' | 'card' | 'renewal'>): Life {
    const reserving: Reserving = { sent: 0, declined: 0, unknown: 0, knows: 'nothing' };
    const life: Life = { n: this.lives.length + 1, ...begun, reserving, operations: [] };
    this.lives.push(life);
    return life;
  }

  note(text: string, life?: number): void {
    const atMs = performance.now() - this.#startedAt;
    this.#lines.push({ atMs, text, ...(life !== undefined && { life }) });
  }

  find(kind: Finding['kind'], text: string, life?: number): void {
    this.findings.push({ kind, text, ...(life !== undefined && { life }) });
    this.note(`!!! ${kind}: ${text}`, life);
  }

  trouble(name: string): void {
    this.troubles.set(name, (this.troubles.get(name) ?? 0) + 1);
    this.note(`*** ${name}`);
  }

  /** Aborted while it is doubtful whether what can be read is there to stay. */
  get doubt(): AbortSignal {
    return this.#doubt.signal;
  }

  beginDoubt(): void {
    this.doubts.push({ fromMs: performance.now(), toMs: Infinity });
    this.#doubt.abort();
  }

  endDoubt(): void {
    const last = this.doubts.at(-1);
    if (last) last.toMs = performance.now();
    this.#doubt = new AbortController();
  }

  /** All lines of a life, and the troubles of its time. */
  story(life: number): string[] {
    const own = this.#lines.filter((line) => line.life === life).map(({ atMs }) => atMs);
    const isNear = ({ atMs }: Line): boolean => own.some((ownMs) => Math.abs(atMs - ownMs) < NEAR_MS);
    return this.#lines.filter((line) => line.life === life || (line.life === undefined && isNear(line))).map(show);
  }

  all(): string[] {
    return this.#lines.map(show);
  }
}

function show({ atMs, life, text }: Line): string {
  const whose = life === undefined ? '' : `#${life}`;
  return `${(atMs / 1_000).toFixed(3).padStart(9)}  ${whose.padEnd(6)}  ${text}`;
}
