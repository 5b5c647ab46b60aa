// GET /invoices/{chargeId}/{secret}: the invoice of a charge as PDF, for whoever was given its address.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { billedCountryOf } from '../domain/consumer.ts';
import { readId } from '../domain/id.ts';
import { findCharge } from '../domain/refund.ts';
import { NOT_FOUND, sendAnswer } from '../http/errors.ts';
import type { CheckoutContext } from './context.ts';
import { languageOfCountry } from './invoice/labels.ts';
import { LANGUAGES } from './view.ts';

const HEADERS = {
  'content-type': 'application/pdf',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

function isSame(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
}

export function routeInvoice(app: FastifyInstance, { payments }: CheckoutContext): void {
  app.get('/invoices/:chargeId/:secret', { schema: { hide: true } }, async (request, reply) => {
    const { chargeId, secret } = request.params as { chargeId: string; secret: string };
    const target = readId(chargeId);
    const payment = target && (await payments.store.load({ merchantId: null, target, isMovement: true })).payment;
    const invoice = payment && payment.method?.invoice;
    if (!invoice || !isSame(invoice.secret, secret)) return sendAnswer(reply, NOT_FOUND);
    const charge = findCharge(payment, target);
    const merchant = charge && (await payments.store.merchants.findById(payment.merchantId));
    if (!merchant) return sendAnswer(reply, NOT_FOUND);
    const language =
      LANGUAGES.find((known) => known === invoice.language) ?? languageOfCountry(billedCountryOf(payment.consumer));
    // It draws with a large library, which would be a fifth of the service's start.
    const { printInvoice } = await import('./invoice/printed.ts');
    const pdf = await printInvoice(payment, charge, merchant, language);
    const name = `inline; filename="invoice-${charge.invoiceNumber}.pdf"`;
    return reply.headers({ ...HEADERS, 'content-disposition': name }).send(pdf);
  });
}
