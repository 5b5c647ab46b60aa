// Prints invoices with two printers, one for short and one for long invoices, so that a short one never waits for a long
// one. Merchants take turns. The latest PDFs are cached, concurrent requests for the same invoice share a print, and a
// print without waiting clients is cancelled.
import { NoTurn } from '../../ops/fair-queue.ts';
import { openCostlyWork } from '../../server/costly-work.ts';
import type { CostlyWork } from '../../server/costly-work.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Language } from '../../pages/language.ts';
import type { Movement } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import { creditNoteOf, invoiceOf } from './invoice.ts';
import type { Invoice } from './invoice.ts';
import { PdfCache } from './pdf-cache.ts';
import { NotPrinted } from './printer.ts';
import type { Printer } from './printer.ts';

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
  readonly pdf: Promise<Buffer>;
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

type Printers = { readonly short: Pick<Printer, 'print'>; readonly long: Pick<Printer, 'print'> };

export class InvoicePrinting {
  readonly #printers: Printers;
  readonly #costly: CostlyWork;
  readonly #cache = new PdfCache();
  readonly #underWay = new Map<string, Job>();

  constructor(printers: Printers, costly = openCostlyWork()) {
    this.#printers = printers;
    this.#costly = costly;
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
    const tenant = asking.merchant.id;
    const givenUp = new AbortController();
    const tooLong = setTimeout(() => givenUp.abort(), LONGEST_WAIT_MS).unref();
    const job: Job = { pdf: this.#print(documentOf(asking), tenant, givenUp.signal), askers: 0, givenUp };
    this.#underWay.set(key, job);
    const end = (): void => {
      clearTimeout(tooLong);
      if (this.#underWay.get(key) === job) this.#underWay.delete(key);
    };
    job.pdf
      .then(
        (bytes) => this.#cache.add(key, tenant, bytes),
        () => {},
      )
      .finally(end);
    return job;
  }

  async #print(invoice: Invoice, tenant: number, signal: AbortSignal): Promise<Buffer> {
    const isShort = invoice.items.length + (invoice.taxes?.length ?? 0) <= MOST_LINES_OF_SHORT;
    const { shortPrints, longPrints } = this.#costly;
    const printer = isShort ? this.#printers.short : this.#printers.long;
    try {
      const asked = { tenant, bytes: bytesOf(invoice), signal };
      return await (isShort ? shortPrints : longPrints).run(asked, () => printer.print(invoice, signal));
    } catch (error) {
      throw error instanceof NoTurn ? new NotPrinted(BUSY) : error;
    }
  }
}
