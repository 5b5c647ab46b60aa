// The payment lock: concurrent requests of this process that change a payment run one at a time, from the decision to
// the commit. Each passes the payment on as it was committed, so that the next need not read it again: a busy payment
// costs one commit per change, and only other processes cause conflicts. The number of waiting requests and their time
// are limited.
import { committedOf } from '../domain/decision.ts';
import type { Payment } from '../domain/payment.ts';
import { Overloaded } from '../store/connections/group.ts';

/** A payment as it was committed here, and what is known of earlier changes. */
type Passed = {
  readonly payment: Payment;
  /** All changes after this version were made under the lock, one after the other. */
  readonly since: number;
  /** The idempotency keys of those changes. */
  readonly keys: Set<string>;
};

/** What a request has read itself, if it had to. */
export type Asker = {
  readonly merchantId: number | null;
  readonly key?: string | undefined;
  /** The version at which the request found no record of its key. */
  readonly version?: number | undefined;
};

type Waiter = { readonly resolve: (lock: PaymentLock) => void; readonly timer: NodeJS.Timeout };

// At hundreds of changes per second, they are all served within the time below.
const MOST_WAITING = 256;
// Keys that are remembered for waiting requests; one that waits for longer reads again.
const MOST_KEYS = 1_000;
/** How long a request tries to change its payment: a client waits for 30 s, and a commit takes some of it. */
export const LONGEST_TRY_MS = 20_000;

/** The waiting requests, and the merchant of the payment once one of them has read it. */
type Line = { owner: number | undefined; readonly waiting: Waiter[] };

/** By payment; an empty queue means that the payment is locked. */
const lines = new Map<string, Line>();

export class PaymentLock {
  readonly #paymentId: string;
  #passed: Passed | undefined;

  constructor(paymentId: string, passed: Passed | undefined) {
    this.#paymentId = paymentId;
    this.#passed = passed;
  }

  /** The payment as the previous request left it; undefined if it must be read. */
  passedTo({ merchantId, key, version }: Asker): Payment | undefined {
    if (this.#passed === undefined) return undefined;
    const { payment, since, keys } = this.#passed;
    if (merchantId !== null && payment.merchantId !== merchantId) return undefined;
    if (key === undefined) return payment;
    // No change since the request looked up its key may have used it.
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

  /** Another process has changed it meanwhile, or that is not known. */
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

/** Whether it is locked, and belongs to this merchant: requests never queue for another merchant's payment. */
export const isLockedFor = (paymentId: string, merchantId: number): boolean =>
  lines.get(paymentId)?.owner === merchantId;

/** Locks a payment that is not locked. `owner` is for requests that have read it. */
export function lockFree(paymentId: string, owner?: number): PaymentLock | undefined {
  if (isLocked(paymentId)) return undefined;
  lines.set(paymentId, { owner, waiting: [] });
  return new PaymentLock(paymentId, undefined);
}

/** Waits until the payment is unlocked, and locks it. */
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
