// GET /invoices/{id}/{secret}: the PDF invoice of a charge or credit note of a refund, for anyone with its address. It is
// rendered on another thread, in turn with those of other merchants, and cancelled if all clients disconnect.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LANGUAGES, languageOfCountry } from '../pages/language.ts';
import { refundNamed } from '../domain/cancel-refund.ts';
import { billedCountryOf } from '../domain/consumer.ts';
import { partOf, readId } from '../domain/id.ts';
import type { Movement } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import { findCharge } from '../domain/refund.ts';
import { failure, NO_CODE, NOT_FOUND } from '../server/answer.ts';
import { sendAnswer } from '../server/errors.ts';
import { Budgets } from '../ops/budget.ts';
import { TooManyRequests } from '../server/too-many-requests.ts';
import { readNumbered } from '../payments/invoice-numbers.ts';
import { isSameSecret } from '../payments/ids.ts';
import type { CheckoutContext } from './context.ts';
import { InvoicePrinting } from './invoice/printing.ts';
import type { PrintRequest } from './invoice/printing.ts';
import { NotPrinted, Printer } from './invoice/printer.ts';

const HEADERS = {
  'content-type': 'application/pdf',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

// Rate limit per part, and so per merchant, checked before anything is read.
const MOST_A_SECOND = 20;
// A long invoice counts once more for each of these, since it costs as much to read and prepare.
const LINES_OF_ONE = 50;

// A short invoice takes a moment, a long one two seconds.
const RETRY_AFTER_S = 2;

const TOO_MANY = 'Too many invoices a second; the Retry-After header says when to come back.';
const NOT_NUMBERED = 'The invoice has no number yet. Try again in a moment.';

/** Aborts when the client's connection is closed. */
function whenGone({ raw: { socket } }: FastifyRequest): { readonly signal: AbortSignal; readonly forget: () => void } {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  socket.once('close', leave);
  if (socket.destroyed) leave();
  return { signal: gone.signal, forget: () => void socket.off('close', leave) };
}

/** The PDF, or why it is not available now. */
async function print(printing: InvoicePrinting, request: FastifyRequest, wanted: Omit<PrintRequest, 'signal'>) {
  const { signal, forget } = whenGone(request);
  try {
    return await printing.print({ ...wanted, signal });
  } catch (error) {
    if (!(error instanceof NotPrinted)) throw error;
    // A full queue shows in the status of the request; a crashed thread does not.
    if (error.cause !== undefined) request.log.warn({ err: error.cause }, error.message);
    return error;
  } finally {
    forget();
  }
}

type Invoiced = { readonly charge: Movement; readonly refund?: Movement };

/** The charge with that id, or the refund with its charge; declined and pending ones have no invoice. */
function findInvoiced(payment: Payment, id: string): Invoiced | undefined {
  const charge = findCharge(payment, id);
  if (charge) return { charge };
  const refund = refundNamed(payment, id);
  const given = refund?.state === 'approved' ? findCharge(payment, refund.chargeId ?? '') : undefined;
  return refund && given && { charge: given, refund };
}

export function routeInvoice(app: FastifyInstance, { payments, costly }: CheckoutContext): void {
  const printers = { short: new Printer(), long: new Printer() };
  const printing = new InvoicePrinting(printers, costly);
  const budgets = new Budgets();
  app.addHook('onClose', async () => {
    await Promise.all(Object.values(printers).map((printer) => printer.close()));
  });
  app.get('/invoices/:id/:secret', async (request, reply) => {
    const { id, secret } = request.params as { id: string; secret: string };
    const target = readId(id);
    const budget = target === undefined ? undefined : budgets.of(partOf(target), MOST_A_SECOND);
    const retryAfterS = budget?.take();
    if (retryAfterS) throw new TooManyRequests(TOO_MANY, retryAfterS);
    const { store } = payments;
    const found = target && (await store.read({ merchantId: null, target, isMovement: true })).payment;
    if (found) budget?.spend(Math.floor(found.order.items.length / LINES_OF_ONE));
    const invoice = found && found.method?.invoice;
    if (!invoice || !isSameSecret(invoice.secret, secret)) return sendAnswer(reply, NOT_FOUND);
    const merchant = await store.merchants.findById(found.merchantId);
    const payment = merchant && (await readNumbered(store, merchant, found));
    const wanted = payment && findInvoiced(payment, target);
    if (!wanted) return sendAnswer(reply, NOT_FOUND);
    const number = (wanted.refund ?? wanted.charge).issued?.number;
    if (number === undefined || !wanted.charge.issued)
      return sendAnswer(reply.header('retry-after', RETRY_AFTER_S), failure(503, NO_CODE, NOT_NUMBERED));
    const language =
      LANGUAGES.find((known) => known === invoice.language) ?? languageOfCountry(billedCountryOf(payment.consumer));
    const pdf = await print(printing, request, { payment, ...wanted, merchant, language });
    if (pdf instanceof NotPrinted)
      return sendAnswer(reply.header('retry-after', RETRY_AFTER_S), failure(503, NO_CODE, pdf.message));
    const name = `inline; filename="${wanted.refund ? 'credit-note' : 'invoice'}-${number}.pdf"`;
    return reply.headers({ ...HEADERS, 'content-disposition': name }).send(pdf);
  });
}
