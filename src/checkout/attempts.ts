// Counts the failed tries of an address, so that nobody tries out cards by the hundred: each payment has its own limit
// in the books, and this one spans payments. It is kept in this process alone; several processes let through as many
// times more. A proxy that nobody named speaks for everybody behind it: it has many times as many, or sixty failed tries
// of one consumer would close every shop's checkout.
import type { FastifyRequest } from 'fastify';
import { Window } from '../ops/window.ts';
import type { Counted } from '../ops/window.ts';
import { isUnnamedProxy, networkOf } from '../server/network.ts';
import { ATTEMPTS_WINDOW_MS } from '../payments/pay.ts';

const BEHIND_A_PROXY = 20;
const WARNING =
  'a proxy asks for others and is not named in KASSA_TRUSTED_PROXIES: failed tries are limited for all of them together';

export class AddressAttempts {
  readonly #most: number;
  #hasWarned = false;
  readonly #window = new Window(ATTEMPTS_WINDOW_MS);

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a try before anything is done, or gives the seconds until the address may try again. */
  begin(request: FastifyRequest): Counted | number {
    if (this.#most === Number.POSITIVE_INFINITY) return { count: 1, forget: () => {} };
    if (isUnnamedProxy(request)) {
      if (!this.#hasWarned) request.log.warn({ proxy: request.ip }, WARNING);
      this.#hasWarned = true;
      const attempt = this.#window.count(`proxy ${request.ip}`, this.#most * BEHIND_A_PROXY);
      // It may be anybody's hundredth.
      return typeof attempt === 'number' ? attempt : { ...attempt, count: Number.POSITIVE_INFINITY };
    }
    return this.#window.count(networkOf(request.ip), this.#most);
  }
}
