// Prints invoices with two printers, one for short and one for long invoices, so that a short one never waits for a long
// one. Merchants take turns. The latest PDFs are cached, concurrent requests for the same invoice share a print, and a
// print without waiting clients is cancelled.
import type { Merchant } from '../../domain/merchant.ts';
import type { Language } from '../../pages/language.ts';
import type { Movement } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import { creditNoteOf, invoiceOf } from './invoice.ts';
import type { Invoice } from './invoice.ts';
import { PdfCache } from './pdf-cache.ts';
import { NotPrinted } from './printer.ts';
import type { Printer } from './printer.ts';
import { MerchantQueue } from './merchant-queue.ts';

/** The print job; `signal` aborts when the client disconnects. */
export type PrintRequest = {
  readonly payment: Payment;
  readonly charge: Movement;
  /** For its credit note, in place of the invoice of the charge. */
  readonly refund?: Movement;
  readonly merchant: Merchant;
  readonly language: Language;
  readonly signal: AbortSignal;
};

type Job = {
  readonly merchantId: number;
  readonly bytes: number;
  readonly invoice: Invoice;
  readonly pdf: Promise<Buffer>;
  readonly resolve: (pdf: Buffer) => void;
  readonly reject: (error: Error) => void;
  readonly onDisplaced: () => void;
  /** The number of waiting clients. */
  askers: number;
  readonly givenUp: AbortController;
};

// A hundred items and the line of their tax take up to a fifth of a second; each further rate is a line as well.
const MOST_LINES_OF_SHORT = 101;
// What a line holds besides its texts, and what a character takes.
const LINE_BYTES = 200;
const CHARACTER_BYTES = 2;
// From the request to the end of the print: clients wait for 30 s.
const LONGEST_WAIT_MS = 28_000;

const BUSY = 'Too many invoices are waiting to be printed. Try again in a moment.';
const LEFT = 'Nobody waits for the invoice any more.';

const bytesOf = ({ items }: Invoice): number =>
  items.reduce(
    (sum, { reference, name, unit }) =>
      sum + LINE_BYTES + CHARACTER_BYTES * (reference.length + name.length + unit.length),
    0,
  );

const documentOf = ({ payment, charge, refund, merchant, language }: PrintRequest): Invoice =>
  refund ? creditNoteOf(payment, charge, refund, merchant, language) : invoiceOf(payment, charge, merchant, language);

/** What the print depends on: its number and its seller are given after the payment has changed. */
function keyOf({ payment, charge, refund = charge, merchant, language }: PrintRequest): string {
  return `${refund.id} ${payment.version} ${merchant.name} ${language} ${JSON.stringify([refund.issued, charge.issued])}`;
}

/** A printer with those who wait for it. */
class PrintQueue {
  readonly #printer: Pick<Printer, 'print'>;
  readonly #waiting = new MerchantQueue<Job>();
  #isPrinting = false;

  constructor(printer: Pick<Printer, 'print'>) {
    this.#printer = printer;
  }

  add(job: Job): void {
    if (!this.#waiting.add(job)) return job.reject(new NotPrinted(BUSY));
    job.givenUp.signal.addEventListener('abort', () => this.#turnAway(job, LEFT));
    const tooLong = setTimeout(() => this.#turnAway(job, BUSY), LONGEST_WAIT_MS).unref();
    job.pdf.catch(() => {}).finally(() => clearTimeout(tooLong));
    void this.#printNext();
  }

  #turnAway(job: Job, why: string): void {
    this.#waiting.remove(job);
    job.reject(new NotPrinted(why));
  }

  async #printNext(): Promise<void> {
    if (this.#isPrinting) return;
    const job = this.#waiting.take();
    if (job === undefined) return;
    this.#isPrinting = true;
    await this.#printer.print(job.invoice, job.givenUp.signal).then(job.resolve, job.reject);
    this.#isPrinting = false;
    void this.#printNext();
  }
}

export class InvoicePrinting {
  readonly #short: PrintQueue;
  readonly #long: PrintQueue;
  readonly #cache = new PdfCache();
  readonly #underWay = new Map<string, Job>();

  constructor(printers: { readonly short: Pick<Printer, 'print'>; readonly long: Pick<Printer, 'print'> }) {
    this.#short = new PrintQueue(printers.short);
    this.#long = new PrintQueue(printers.long);
  }

  /** The PDF. A payment that has changed, or whose consumer was erased, has another version and is printed anew. */
  async print(asking: PrintRequest): Promise<Buffer> {
    const { signal } = asking;
    const key = keyOf(asking);
    const known = this.#cache.find(key);
    if (known) return known;
    if (signal.aborted) throw new NotPrinted(LEFT);
    const job = this.#underWay.get(key) ?? this.#begin(key, asking);
    job.askers += 1;
    const { promise: left, reject: leave } = Promise.withResolvers<never>();
    const onLeft = (): void => {
      job.askers -= 1;
      if (job.askers === 0) {
        this.#underWay.delete(key);
        job.givenUp.abort();
      }
      leave(new NotPrinted(LEFT));
    };
    signal.addEventListener('abort', onLeft);
    return Promise.race([job.pdf, left]).finally(() => signal.removeEventListener('abort', onLeft));
  }

  #begin(key: string, asking: PrintRequest): Job {
    const { merchant } = asking;
    const { promise: pdf, resolve, reject } = Promise.withResolvers<Buffer>();
    const invoice = documentOf(asking);
    const onDisplaced = (): void => reject(new NotPrinted(BUSY));
    const given = { merchantId: merchant.id, bytes: bytesOf(invoice), invoice };
    const job: Job = { ...given, pdf, resolve, reject, onDisplaced, askers: 0, givenUp: new AbortController() };
    this.#underWay.set(key, job);
    const forget = (): void => {
      if (this.#underWay.get(key) === job) this.#underWay.delete(key);
    };
    pdf
      .then(
        (bytes) => this.#cache.add(key, merchant.id, bytes),
        () => {},
      )
      .finally(forget);
    const lines = invoice.items.length + (invoice.taxes?.length ?? 0);
    (lines <= MOST_LINES_OF_SHORT ? this.#short : this.#long).add(job);
    return job;
  }
}
