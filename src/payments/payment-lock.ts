// The payment lock: of the requests of this process that want to change one payment at once, one at a time does, from its
// decision to its commit. Whoever has it passes on the payment as it was just committed, so that the next one need not
// read it again: a busy payment costs a commit for each change, and nobody loses but to other processes. How many wait,
// and for how long, is bounded.
import { committedOf } from '../domain/decision.ts';
import type { Payment } from '../domain/payment.ts';
import { Overloaded } from '../store/connections/group.ts';

/** A payment as it was committed here, and what is known of the changes before. */
type Passed = {
  readonly payment: Payment;
  /** Every change after this version was made under the lock, one after the other. */
  readonly since: number;
  /** The idempotency keys that those changes brought along. */
  readonly keys: Set<string>;
};

/** Who is asked: what a request has read itself, if it had to. */
export type Asker = {
  readonly merchantId: number | null;
  readonly key?: string | undefined;
  /** The version at which the request found no answer to its key. */
  readonly version?: number | undefined;
};

type Waiter = { readonly resolve: (lock: PaymentLock) => void; readonly timer: NodeJS.Timeout };

// At hundreds of changes a second they are all served within the time below.
const MOST_WAITING = 256;
// Keys that are remembered for those who wait; who waits for longer reads again.
const MOST_KEYS = 1_000;
/** For so long a request tries to change its payment: a client waits for 30 s, and a commit takes some of it. */
export const LONGEST_TRY_MS = 20_000;

/** Who waits, and whose payment it is as soon as somebody there has read it. */
type Line = { owner: number | undefined; readonly waiting: Waiter[] };

/** By payment; a line without anybody is a payment that somebody has. */
const lines = new Map<string, Line>();

export class PaymentLock {
  readonly #paymentId: string;
  #passed: Passed | undefined;

  constructor(paymentId: string, passed: Passed | undefined) {
    this.#paymentId = paymentId;
    this.#passed = passed;
  }

  /** The payment as the one before has left it; undefined where it has to be read. */
  passedTo({ merchantId, key, version }: Asker): Payment | undefined {
    if (this.#passed === undefined) return undefined;
    const { payment, since, keys } = this.#passed;
    if (merchantId !== null && payment.merchantId !== merchantId) return undefined;
    if (key === undefined) return payment;
    // No change since the request looked for its key may have brought it along.
    const isKnown = version !== undefined && version >= since && version <= payment.version;
    return isKnown && !keys.has(key) ? payment : undefined;
  }

  committed(before: Payment, after: Payment, key: string | undefined): void {
    const payment = committedOf({ payment: after }, before);
    const passed = this.#passed;
    const isNext = passed?.payment.version === before.version && passed.keys.size < MOST_KEYS;
    const { since, keys } = isNext ? passed : { since: before.version, keys: new Set<string>() };
    if (key !== undefined) keys.add(key);
    this.#passed = { payment, since, keys };
  }

  /** Somebody else has changed it meanwhile, or it is not known. */
  forget(): void {
    this.#passed = undefined;
  }

  release(): void {
    const next = lines.get(this.#paymentId)?.waiting.shift();
    if (next === undefined) lines.delete(this.#paymentId);
    else {
      clearTimeout(next.timer);
      next.resolve(new PaymentLock(this.#paymentId, this.#passed));
    }
  }
}

export const isLocked = (paymentId: string): boolean => lines.has(paymentId);

/** Whether somebody has it, and it is this merchant's: nobody stands in a line for what is another's. */
export const isLockedFor = (paymentId: string, merchantId: number): boolean =>
  lines.get(paymentId)?.owner === merchantId;

/** The lock on a payment that nobody has locked. The owner is for who has read it. */
export function lockFree(paymentId: string, owner?: number): PaymentLock | undefined {
  if (isLocked(paymentId)) return undefined;
  lines.set(paymentId, { owner, waiting: [] });
  return new PaymentLock(paymentId, undefined);
}

/** Waits for the lock on a payment, until whoever has it releases it. */
export function lockPayment(paymentId: string, giveUpAt: number, owner?: number): Promise<PaymentLock> {
  const free = lockFree(paymentId, owner);
  if (free !== undefined) return Promise.resolve(free);
  const line = lines.get(paymentId) as Line;
  line.owner ??= owner;
  const { waiting } = line;
  const { promise, resolve, reject } = Promise.withResolvers<PaymentLock>();
  if (waiting.length >= MOST_WAITING) reject(new Overloaded('too many requests wait for one payment'));
  else {
    const giveUp = (): void => {
      waiting.splice(waiting.indexOf(waiter), 1);
      reject(new Overloaded('a request waited for its payment for too long'));
    };
    const waiter = { resolve, timer: setTimeout(giveUp, Math.max(0, giveUpAt - performance.now())) };
    waiting.push(waiter);
  }
  return promise;
}
