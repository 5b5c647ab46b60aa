// Counts the failed tries of an address, so that nobody tries out cards by the hundred: each payment has its own limit
// in the books, and this one spans payments. It is kept in this process alone; several processes let through as many
// times more. A proxy that nobody named speaks for everybody behind it: it has many times as many, or sixty failed tries
// of one consumer would close every shop's checkout.
import type { FastifyRequest } from 'fastify';
import { Room } from '../ops/room.ts';
import { isUnnamedProxy, networkOf } from '../server/network.ts';
import { ATTEMPTS_WINDOW_MS } from '../payments/pay.ts';

/** A try under way, as the how manieth of its address. What did not fail is forgotten. */
export type Attempt = { readonly count: number; readonly forget: () => void };

// Bounds the memory; an attacker with more addresses than this is not stopped by counting them.
const MOST_ADDRESSES = 100_000;

const UNCOUNTED: Attempt = { count: 1, forget: () => {} };
const BEHIND_A_PROXY = 20;
const WARNING =
  'a proxy asks for others and is not named in KASSA_TRUSTED_PROXIES: failed tries are limited for all of them together';

export class AddressAttempts {
  readonly #most: number;
  #hasWarned = false;
  #windowStartedAt = 0;
  #failed = new Room();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a try before anything is done, or gives the seconds until the address may try again. */
  begin(request: FastifyRequest): Attempt | number {
    if (this.#most === Number.POSITIVE_INFINITY) return UNCOUNTED;
    if (isUnnamedProxy(request)) {
      if (!this.#hasWarned) request.log.warn({ proxy: request.ip }, WARNING);
      this.#hasWarned = true;
      const attempt = this.#count(`proxy ${request.ip}`, this.#most * BEHIND_A_PROXY);
      // It may be anybody's hundredth.
      return typeof attempt === 'number' ? attempt : { ...attempt, count: Number.POSITIVE_INFINITY };
    }
    return this.#count(networkOf(request.ip), this.#most);
  }

  #count(network: string, most: number): Attempt | number {
    const now = performance.now();
    if (now - this.#windowStartedAt >= ATTEMPTS_WINDOW_MS) {
      this.#windowStartedAt = now;
      this.#failed = new Room();
    }
    const count = this.#failed.held(network);
    if (count === 0 && this.#failed.names >= MOST_ADDRESSES) return UNCOUNTED;
    const forget = this.#failed.take([[network, most]]);
    if (forget) return { count: count + 1, forget };
    return Math.max(1, Math.ceil((this.#windowStartedAt + ATTEMPTS_WINDOW_MS - now) / 1_000));
  }
}
