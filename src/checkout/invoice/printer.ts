// Manages a printing thread: starts it on demand, ends it when idle or when a print takes too long, and replaces it for the
// next print.
import { Worker } from 'node:worker_threads';
import type { Invoice } from './invoice.ts';
import type { Asked, Printed } from './print-worker.ts';

/** Not printed for reasons other than the invoice: a full queue, a timeout, or a crashed thread. */
export class NotPrinted extends Error {
  override readonly name = 'NotPrinted';
}

export type PrinterLimits = {
  /** For one invoice; the longest takes about two seconds on a quiet machine. */
  readonly printMs: number;
  /** After which a thread that has nothing to print ends: it holds the typeface and a library, about 60 MB. */
  readonly idleMs: number;
};

const LIMITS: PrinterLimits = { printMs: 20_000, idleMs: 30_000 };

const LOST = 'The invoice took too long to print, or its printer was lost. Try again in a moment.';

// The longest invoice takes about 150 MB of it. A thread that needs more dies alone, and not the service.
const MOST_MEMORY_MB = 512;

export class Printer {
  readonly #limits: PrinterLimits;
  #worker: Worker | undefined;
  #ending: NodeJS.Timeout | undefined;

  constructor(limits: PrinterLimits = LIMITS) {
    this.#limits = limits;
  }

  /** Prints one at a time. Cancels when the signal aborts. */
  async print(invoice: Invoice, signal: AbortSignal): Promise<Buffer> {
    clearTimeout(this.#ending);
    const worker = (this.#worker ??= this.#start());
    const giveUp = (): void => worker.postMessage(null satisfies Asked, []);
    const tooLong = setTimeout(() => void this.close(), this.#limits.printMs).unref();
    try {
      worker.postMessage(invoice satisfies Asked, []);
      signal.addEventListener('abort', giveUp);
      if (signal.aborted) giveUp();
      const printed = await answerOf(worker);
      if ('pdf' in printed) return Buffer.from(printed.pdf.buffer);
      if (printed.fault === undefined) throw new NotPrinted('Nobody waits for the invoice any more.');
      throw new Error(`an invoice could not be printed: ${printed.fault}`);
    } finally {
      clearTimeout(tooLong);
      signal.removeEventListener('abort', giveUp);
      this.#ending = setTimeout(() => void this.close(), this.#limits.idleMs).unref();
    }
  }

  /** Ends the thread, whatever it prints; the next print starts another. */
  async close(): Promise<void> {
    clearTimeout(this.#ending);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: MOST_MEMORY_MB };
    const worker = new Worker(new URL('./print-worker.ts', import.meta.url), { resourceLimits });
    // The pending request keeps the process alive.
    worker.unref();
    // Reported to the waiting caller; an unhandled error event would end the service.
    worker.on('error', () => {});
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }
}

function answerOf(worker: Worker): Promise<Printed> {
  const { promise, resolve, reject } = Promise.withResolvers<Printed>();
  const lost = (cause: Error): void => reject(new NotPrinted(LOST, { cause }));
  const ended = (code: number): void => lost(new Error(`the thread that prints ended with ${code}`));
  worker.once('message', resolve).once('error', lost).once('exit', ended);
  return promise.finally(() => worker.off('message', resolve).off('error', lost).off('exit', ended));
}
