// Counts the failed tries of an address, so that nobody tries out cards by the hundred: each payment has its own limit
// in the books, and this one spans payments. It is kept in this process alone; several processes let through as many
// times more.
import { ATTEMPTS_WINDOW_MS } from '../payments/pay.ts';

/** A try under way. What did not fail is forgotten. */
export type Attempt = { readonly forget: () => void };

// Bounds the memory; an attacker with more addresses than this is not stopped by counting them.
const MOST_ADDRESSES = 100_000;

export class AddressAttempts {
  readonly #most: number;
  #windowStartedAt = 0;
  #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a try before anything is done, or gives the seconds until the address may try again. */
  begin(address: string): Attempt | number {
    const now = this.#now();
    const network = networkOf(address);
    const count = this.#counts.get(network) ?? 0;
    if (count >= this.#most) return Math.max(1, Math.ceil((this.#windowStartedAt + ATTEMPTS_WINDOW_MS - now) / 1_000));
    const counts = this.#counts;
    if (counts.size < MOST_ADDRESSES || counts.has(network)) counts.set(network, count + 1);
    return { forget: () => void counts.set(network, Math.max(0, (counts.get(network) ?? 0) - 1)) };
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

const NETWORK_GROUPS = 4;

/** One household of version 6 has 2^64 addresses: it counts as one. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].slice(0, NETWORK_GROUPS).join(':');
}
