// What was answered to reads, so that a shop that polls a payment is told the same text again. Nothing is told by it alone:
// each read asks the database, which says whether the payment is the one that was told of, and then neither reads it
// once more nor has it spelled anew.
import { isDeepStrictEqual } from 'node:util';
import type { Payment } from '../../domain/payment.ts';
import type { Stamp } from '../../store/payments/load.ts';
import type { PresentationContext } from '../dialects/dialect.ts';

/** An answer, with all that it was made from. */
export type ReadAnswer = PresentationContext & { readonly stamp: Stamp; readonly body: string };

type Entry = {
  /** As the database gives it: as it was asked for, it is a part of an address, which would be kept with it. */
  readonly id: string;
  answer: ReadAnswer;
  readonly bytes: number;
  readAt: number;
};

// Five thousand answers of ordinary payments.
const MOST_BYTES = 8_388_608;
// A longer one takes so long to send that to make it matters little.
const LONGEST_BODY = 32_768;
// What an entry takes beside its text.
const ENTRY_BYTES = 256;
// Whoever polls comes again before so many others have been read for the first time.
const MOST_READ_ONCE = 5_000;
// So long after its last read a payment is in no memory any more, nor who paid it.
export const KEPT_MS = 300_000;

/** One letter beyond the first 256 makes all of a text twice as long in memory. */
const bytesOf = (body: string): number => (/[\u0100-\uffff]/.test(body) ? body.length * 2 : body.length);

export class ReadAnswers {
  readonly #mostBytes: number;
  /** Those that were read last come last. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  readonly #readOnce = new Set<string>();

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** What was told of the payment, if all else that an answer is made from is still the same. */
  find(paymentId: string, { publicUrl, merchant }: PresentationContext): ReadAnswer | undefined {
    const answer = this.#entries.get(paymentId)?.answer;
    if (answer === undefined || answer.publicUrl !== publicUrl) return undefined;
    // A merchant is looked up anew every few seconds.
    return answer.merchant === merchant || isDeepStrictEqual(answer.merchant, merchant) ? answer : undefined;
  }

  /** Most payments are read once: the text is kept when it is read again soon. */
  keep({ id, method }: Payment, stamp: Stamp, body: string, { publicUrl, merchant }: PresentationContext): void {
    // Numbers of invoices are issued without a change of the payment.
    if (body.length > LONGEST_BODY || method?.invoice !== undefined) return this.forget(id);
    if (!this.#entries.has(id) && !this.#readOnce.delete(id)) return this.#noteFirst(id);
    const answer = { publicUrl, merchant, stamp, body };
    this.#put({ id, answer, bytes: ENTRY_BYTES + bytesOf(body), readAt: performance.now() });
  }

  /** It was told again. */
  touch(paymentId: string, answer: ReadAnswer, { merchant }: PresentationContext): void {
    const entry = this.#entries.get(paymentId);
    if (entry?.answer !== answer) return;
    if (answer.merchant !== merchant) entry.answer = { ...answer, merchant };
    entry.readAt = performance.now();
    this.#put(entry);
  }

  /** It is there no more, or not to be kept. */
  forget(paymentId: string): void {
    const entry = this.#entries.get(paymentId);
    if (entry) this.#drop(entry);
  }

  /** Forgets what nobody has read for so long. */
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
