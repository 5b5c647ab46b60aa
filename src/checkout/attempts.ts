// Counts the failed tries of an address, so that nobody tries out cards by the hundred: each payment has its own limit
// in the books, and this one spans payments. It is kept in this process alone; several processes let through as many
// times more.

const WINDOW_MS = 10 * 60_000;
// Bounds the memory; an attacker with more addresses than this is not stopped by counting them.
const MOST_ADDRESSES = 100_000;

export class AddressAttempts {
  readonly #most: number;
  #windowStartedAt = 0;
  #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Seconds until the address may try again; undefined when it may now. */
  secondsToWait(address: string): number | undefined {
    const now = this.#now();
    if ((this.#counts.get(networkOf(address)) ?? 0) < this.#most) return undefined;
    return Math.max(1, Math.ceil((this.#windowStartedAt + WINDOW_MS - now) / 1_000));
  }

  fail(address: string): void {
    this.#now();
    const network = networkOf(address);
    if (this.#counts.size < MOST_ADDRESSES || this.#counts.has(network))
      this.#counts.set(network, (this.#counts.get(network) ?? 0) + 1);
  }

  #now(): number {
    const now = performance.now();
    if (now - this.#windowStartedAt >= WINDOW_MS) {
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
