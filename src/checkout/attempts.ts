// Limits failed attempts to pay per IP address, against card testing. Each payment also has a limit in the database; this
// one spans payments. It is per process, so several processes allow as many times more. An unconfigured proxy stands for
// everyone behind it and gets a much higher limit, since otherwise one consumer could block every shop's checkout.
import type { FastifyRequest } from 'fastify';
import { isUnnamedProxy, networkOf } from '../server/network.ts';
import { ATTEMPTS_WINDOW_MS } from '../payments/pay.ts';

/** An attempt in progress, and its number for the address. Only failures count. */
export type Attempt = { readonly count: number; readonly forget: () => void };

// Bounds the memory; counting does not stop an attacker with more addresses.
const MOST_ADDRESSES = 100_000;

const UNCOUNTED: Attempt = { count: 1, forget: () => {} };
const BEHIND_A_PROXY = 20;
const WARNING =
  'a proxy asks for others and is not named in KASSA_TRUSTED_PROXIES: failed tries are limited for all of them together';

export class AddressAttempts {
  readonly #most: number;
  #hasWarned = false;
  #windowStartedAt = 0;
  #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts an attempt before anything is done, or returns the seconds until the address may try again. */
  begin(request: FastifyRequest): Attempt | number {
    if (this.#most === Number.POSITIVE_INFINITY) return UNCOUNTED;
    if (isUnnamedProxy(request)) {
      if (!this.#hasWarned) request.log.warn({ proxy: request.ip }, WARNING);
      this.#hasWarned = true;
      const attempt = this.#count(`proxy ${request.ip}`, this.#most * BEHIND_A_PROXY);
      // The address may be shared by many consumers.
      return typeof attempt === 'number' ? attempt : { ...attempt, count: Number.POSITIVE_INFINITY };
    }
    return this.#count(networkOf(request.ip), this.#most);
  }

  #count(network: string, most: number): Attempt | number {
    const now = this.#now();
    const count = this.#counts.get(network) ?? 0;
    if (count >= most) return Math.max(1, Math.ceil((this.#windowStartedAt + ATTEMPTS_WINDOW_MS - now) / 1_000));
    const counts = this.#counts;
    if (counts.size < MOST_ADDRESSES || counts.has(network)) counts.set(network, count + 1);
    return { count: count + 1, forget: () => void counts.set(network, Math.max(0, (counts.get(network) ?? 0) - 1)) };
  }

  #now(): number {
    const now = performance.now();
    if (now - this.#windowStartedAt >= ATTEMPTS_WINDOW_MS) {
      this.#windowStartedAt = now;
      this.#counts = new Map();
    }
    return now;
  }
}
