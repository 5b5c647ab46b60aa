// The thread that draws invoices: it is given one at a time and gives back its PDF. Drawing a long one takes a second, in
// which the thread that answers requests would answer nobody. It hears between two pages that nobody waits any more.
import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../../ops/low-priority.ts';
import type { Invoice } from './invoice.ts';
import { renderInvoice } from './pdf.ts';

/** An invoice to print, or null to give up the one that is being printed. */
export type Asked = Invoice | null;
/** The PDF; or what went wrong, undefined when it was given up. */
export type Printed = { readonly pdf: Uint8Array<ArrayBuffer> } | { readonly fault: string | undefined };

const port = parentPort;
if (port === null) throw new Error('this file is to be run as a thread');

lowerPriority('awaited');

let underWay: AbortController | undefined;

async function print(invoice: Invoice): Promise<Printed> {
  underWay = new AbortController();
  const { signal } = underWay;
  try {
    // A copy, since a small buffer is a piece of a larger one, and only a whole one can be handed over.
    return { pdf: Uint8Array.from(await renderInvoice(invoice, signal)) };
  } catch (error) {
    return { fault: signal.aborted ? undefined : ((error as Error).stack ?? String(error)) };
  }
}

port.on('message', (asked: Asked) => {
  if (asked === null) return underWay?.abort();
  void print(asked).then((printed) => port.postMessage(printed, 'pdf' in printed ? [printed.pdf.buffer] : []));
});
