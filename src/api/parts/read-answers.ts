// A cache of responses to reads, for shops that poll a payment. Every read still asks the database whether the payment
// is unchanged; if so, it is neither loaded nor formatted again.
import { isDeepStrictEqual } from 'node:util';
import type { Payment } from '../../domain/payment.ts';
import type { Stamp } from '../../store/payments/load.ts';
import type { PresentationContext } from '../dialects/dialect.ts';

/** A response, with everything it was made from. */
export type ReadAnswer = PresentationContext & { readonly stamp: Stamp; readonly body: string };

type Entry = {
  /** The id from the database: the one from the request is a slice of a URL, which would be kept with it. */
  readonly id: string;
  answer: ReadAnswer;
  readonly bytes: number;
  readAt: number;
};

// Five thousand responses of ordinary payments.
const MOST_BYTES = 8_388_608;
// Sending a longer one takes so long that formatting it matters little.
const LONGEST_BODY = 32_768;
// The size of an entry besides its text.
const ENTRY_BYTES = 256;
// A shop that polls comes back before this many other payments were read for the first time.
const MOST_READ_ONCE = 5_000;
// After this time without a read, a payment and the name of its consumer are in no memory any more.
export const KEPT_MS = 300_000;

/** A single character beyond the first 256 doubles the memory of the text. */
const bytesOf = (body: string): number => (/[\u0100-\uffff]/.test(body) ? body.length * 2 : body.length);

export class ReadAnswers {
  readonly #mostBytes: number;
  /** The most recently read come last. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  readonly #readOnce = new Set<string>();

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** The cached response, if everything else it was made from is the same. */
  find(paymentId: string, { publicUrl, merchant }: PresentationContext): ReadAnswer | undefined {
    const answer = this.#entries.get(paymentId)?.answer;
    if (answer === undefined || answer.publicUrl !== publicUrl) return undefined;
    // Merchants are reloaded every few seconds.
    return answer.merchant === merchant || isDeepStrictEqual(answer.merchant, merchant) ? answer : undefined;
  }

  /** Most payments are read once: the text is kept at the second read within a short time. */
  keep({ id, method }: Payment, stamp: Stamp, body: string, { publicUrl, merchant }: PresentationContext): void {
    // Invoice numbers are issued without a change of the payment.
    if (body.length > LONGEST_BODY || method?.invoice !== undefined) return this.forget(id);
    if (!this.#entries.has(id) && !this.#readOnce.delete(id)) return this.#noteFirst(id);
    const answer = { publicUrl, merchant, stamp, body };
    this.#put({ id, answer, bytes: ENTRY_BYTES + bytesOf(body), readAt: performance.now() });
  }

  /** It was used again. */
  touch(paymentId: string, answer: ReadAnswer, { merchant }: PresentationContext): void {
    const entry = this.#entries.get(paymentId);
    if (entry?.answer !== answer) return;
    if (answer.merchant !== merchant) entry.answer = { ...answer, merchant };
    entry.readAt = performance.now();
    this.#put(entry);
  }

  /** It no longer exists, or must not be kept. */
  forget(paymentId: string): void {
    const entry = this.#entries.get(paymentId);
    if (entry) this.#drop(entry);
  }

  /** Drops what was not read for that long. */
  forgetOld(): void {
    const readBefore = performance.now() - KEPT_MS;
    for (const entry of this.#entries.values()) {
      if (entry.readAt > readBefore) return;
      this.#drop(entry);
    }
  }

  #noteFirst(id: string): void {
    this.#readOnce.add(id);
    for (const oldest of this.#readOnce) {
      if (this.#readOnce.size <= MOST_READ_ONCE) return;
      this.#readOnce.delete(oldest);
    }
  }

  #put(entry: Entry): void {
    const before = this.#entries.get(entry.id);
    if (before) this.#drop(before);
    this.#entries.set(entry.id, entry);
    this.#bytes += entry.bytes;
    for (const oldest of this.#entries.values()) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#drop(oldest);
    }
  }

  #drop({ id, bytes }: Entry): void {
    this.#entries.delete(id);
    this.#bytes -= bytes;
  }
}
