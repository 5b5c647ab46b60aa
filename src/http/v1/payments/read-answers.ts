// What was answered to reads, so that a shop that polls a payment is told the same text again. Nothing is told by it alone:
// each read asks the database, which says whether the payment is the one that was told of, and then neither reads it
// once more nor has it spelled anew.
import { isDeepStrictEqual } from 'node:util';
import type { Payment } from '../../../domain/payment.ts';
import type { Stamp } from '../../../store/load.ts';
import type { PresentationContext } from '../../dialects/dialect.ts';

/** An answer, and all that it was made from. */
export type ReadAnswer = PresentationContext & { readonly stamp: Stamp; readonly body: string };

// Ten thousand answers of ordinary payments. There are two such halves.
const HALF_BYTES = 8_388_608;
// A longer one takes so long to send that to make it matters little.
const LONGEST_BODY = 32_768;
// What an entry takes beside its text.
const ENTRY_BYTES = 256;

/** Numbers of invoices are issued without a change of the payment. */
const isTold = ({ method }: Payment): boolean => method?.invoice === undefined;

export class ReadAnswers {
  readonly #halfBytes: number;
  // What is read stays: it moves to the newer half, and the older one is dropped when the newer is full.
  #newer = new Map<string, ReadAnswer | undefined>();
  #older = new Map<string, ReadAnswer | undefined>();
  #newerBytes = 0;

  constructor(halfBytes = HALF_BYTES) {
    this.#halfBytes = halfBytes;
  }

  /** What was told of the payment, if all else that an answer is made from is still the same. */
  find(paymentId: string, { publicUrl, merchant }: PresentationContext): ReadAnswer | undefined {
    const answer = this.#newer.get(paymentId) ?? this.#older.get(paymentId);
    if (answer === undefined || answer.publicUrl !== publicUrl) return undefined;
    if (answer.merchant === merchant) return answer;
    // A merchant is looked up anew every few seconds.
    if (!isDeepStrictEqual(answer.merchant, merchant)) return undefined;
    const same = { ...answer, merchant };
    this.#put(paymentId, same);
    return same;
  }

  /** Most payments are read once: of those only that they were is kept. */
  keep(payment: Payment, stamp: Stamp, body: string, { publicUrl, merchant }: PresentationContext): void {
    if (body.length > LONGEST_BODY || !isTold(payment)) return;
    const wasRead = this.#newer.has(payment.id) || this.#older.has(payment.id);
    this.#put(payment.id, wasRead ? { publicUrl, merchant, stamp, body } : undefined);
  }

  /** It was told again. */
  touch(paymentId: string, answer: ReadAnswer): void {
    if (!this.#newer.has(paymentId)) this.#put(paymentId, answer);
  }

  #put(paymentId: string, answer: ReadAnswer | undefined): void {
    this.#newer.set(paymentId, answer);
    this.#newerBytes += ENTRY_BYTES + (answer?.body.length ?? 0);
    if (this.#newerBytes < this.#halfBytes) return;
    [this.#older, this.#newer, this.#newerBytes] = [this.#newer, new Map(), 0];
  }
}
