// The list of payments.
import { showAmount } from '../../domain/currency.ts';
import { timeOf } from '../../domain/id.ts';
import type { Payment } from '../../domain/payment.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { homeOf, renderFrame } from './frame.ts';
import type { Place } from './frame.ts';
import { renderTime } from './time.ts';

function row(place: Place, { id, order }: Payment): Html {
  return html`<tr>
    <td>${renderTime(timeOf(id))}</td>
    <td><a href="${homeOf(place)}/payments/${id}">${order.reference ?? id}</a></td>
    <td class="amount">${showAmount(order.amount, order.currency)}</td>
  </tr>`;
}

export function renderPayments(place: Place, payments: readonly Payment[]): string {
  const table = html`<div class="panel flush scroll">
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Created</th>
          <th scope="col">Payment</th>
          <th scope="col" class="amount">Amount</th>
        </tr>
      </thead>
      <tbody>
        ${payments.map((payment) => row(place, payment))}
      </tbody>
    </table>
  </div>`;
  const none = html`<p class="empty">No payments yet. The first one appears here as soon as it is created.</p>`;
  const main = html`<h1>Payments</h1>
    ${payments.length === 0 ? none : table}`;
  return renderFrame(place, { title: 'Payments', name: 'payments', main });
}
