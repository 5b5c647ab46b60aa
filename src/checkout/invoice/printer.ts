// One thread that prints, as the service sees it: started when there is something to print, ended when there was nothing
// for a while, ended as well when a print takes too long, and replaced at the next print however it ended.
import { Worker } from 'node:worker_threads';
import type { Invoice } from './invoice.ts';
import type { Asked, Printed } from './print-worker.ts';

/** Not printed, and not the invoice's fault: too many wait, it took too long, or the thread was lost. */
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

  /** One at a time. Gives it up when the signal says that nobody waits any more. */
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
    // Whoever waits for the PDF keeps the process alive.
    worker.unref();
    // Told to who waits for it; an error that nobody hears would end the service.
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
