// The worker thread that renders invoices, one at a time. A long one takes a second, which would block requests. It
// checks for cancellation between pages.
import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../../ops/low-priority.ts';
import type { Invoice } from './invoice.ts';
import { renderInvoice } from './pdf.ts';

/** An invoice to print, or null to cancel the current one. */
export type Asked = Invoice | null;
/** The PDF, or the error; undefined if it was cancelled. */
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
