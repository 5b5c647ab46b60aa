// Limits failed attempts to pay per IP address, against card testing. Each payment also has a limit in the database; this
// one spans payments. It is per process, so several processes allow as many times more. An unconfigured proxy stands for
// everyone behind it and gets a much higher limit, since otherwise one consumer could block every shop's checkout.
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

  /** Counts an attempt before anything is done, or returns the seconds until the address may try again. */
  begin(request: FastifyRequest): Counted | number {
    if (this.#most === Number.POSITIVE_INFINITY) return { count: 1, forget: () => {} };
    if (isUnnamedProxy(request)) {
      if (!this.#hasWarned) request.log.warn({ proxy: request.ip }, WARNING);
      this.#hasWarned = true;
      const attempt = this.#window.count(`proxy ${request.ip}`, this.#most * BEHIND_A_PROXY);
      // The address may be shared by many consumers.
      return typeof attempt === 'number' ? attempt : { ...attempt, count: Number.POSITIVE_INFINITY };
    }
    return this.#window.count(networkOf(request.ip), this.#most);
  }
}
