// What depends on the fee of the method that the consumer has chosen: it is drawn once with and once without, and the
// styles show the one that the chosen method has. So the total is right before the script comes, and while it works.
import { feeOf, withFee } from '../../domain/fee.ts';
import type { Order } from '../../domain/payment.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { offeredTypes } from '../offered-types.ts';
import type { CheckoutView } from '../view.ts';

const INVOICE = { paymentType: 'INVOICE', paymentMethod: 'EasyInvoice' } as const;

/** The order as it is when it is paid by invoice; undefined when that changes nothing. */
export function orderWithFee({ payment }: CheckoutView): Order | undefined {
  const isOffered = offeredTypes(payment).some(({ type }) => type === 'invoice');
  if (!isOffered || feeOf(payment, INVOICE) === undefined) return undefined;
  return withFee({ ...payment, method: INVOICE }).order;
}

/** Draws something of the order, for each of the methods that it differs by. */
export function byFee(view: CheckoutView, draw: (order: Order) => Html | string | false): Html {
  const other = orderWithFee(view);
  const { order } = view.payment;
  if (other === undefined) return html`${draw(order)}`;
  return html`<span data-fee="without">${draw(order)}</span><span data-fee="with">${draw(other)}</span>`;
}
