// The payments of a page of the list, as a table that becomes cards on a phone.
import { timeOf } from '../../domain/id.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import type { ListedPayment } from '../../store/lists/listing/row.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { showFigure } from '../page/money.ts';
import { renderTime } from '../page/time.ts';
import { badgesOf, renderBadge } from '../payment/state-badges.ts';
import { consoleTexts } from '../texts.ts';
import { lastFourOf, methodNameOf, nameOf } from './payment-text.ts';
import { writeAddress } from './query.ts';
import type { Address } from './query.ts';

const shortId = (id: string): string => `${id.slice(0, 8)}…${id.slice(-6)}`;

function consumerOf({ consumer }: ListedPayment): Html {
  const [name, email] = [nameOf(consumer), consumer.email];
  if (name === undefined) return html`${email ?? ''}`;
  return html`<span class="name">${name}</span> ${email !== undefined && html`<span class="email">${email}</span>`}`;
}

function methodOf({ method }: ListedPayment, language: Language): Html {
  const lastFour = lastFourOf(method);
  if (method === undefined) return html``;
  return html`${methodNameOf(method.paymentMethod, language)}
  ${lastFour !== undefined && html`<span class="last-four"><span aria-hidden="true">••</span> ${lastFour}</span>`}`;
}

function row(place: Place, payment: ListedPayment): Html {
  const { id, amount, currency, reference } = payment;
  const { language } = place.member;
  return html`<tr data-id="${id}">
    <td class="created">${renderTime(timeOf(id), language)}</td>
    <td class="reference">
      <a href="${homeOf(place)}/payments/${id}">${reference ?? html`<span class="code">${shortId(id)}</span>`}</a>
    </td>
    <td class="consumer">${consumerOf(payment)}</td>
    <td class="method">${methodOf(payment, language)}</td>
    <td class="amount">${showFigure(amount, currency, language)} <span class="currency">${currency}</span></td>
    <td class="state">${badgesOf(payment, language).map((badge) => html`${renderBadge(badge)} `)}</td>
  </tr>`;
}

type Sorted = { readonly name: 'created' | 'amount'; readonly first: string; readonly second: string };
const BY_TIME: Sorted = { name: 'created', first: 'newest', second: 'oldest' };
const BY_AMOUNT: Sorted = { name: 'amount', first: 'largest', second: 'smallest' };

/** A heading that sorts, and turns the order round when it is the one already. */
function heading(place: Place, address: Address, { name, first, second }: Sorted): Html {
  const sort = address.sort ?? 'newest';
  const is = sort === first ? 'descending' : sort === second ? 'ascending' : undefined;
  const href = `${homeOf(place)}/payments${writeAddress(address, { sort: sort === first ? second : first })}`;
  const mark = is === 'descending' ? '↓' : is === 'ascending' ? '↑' : '';
  return html`<th scope="col" class="${name}" ${is && html`aria-sort="${is}"`}>
    <a href="${href}">${consoleTexts(place.member.language).list[name]} <span aria-hidden="true">${mark}</span></a>
  </th>`;
}

export function renderRows(place: Place, address: Address, payments: readonly ListedPayment[]): Html {
  const { fields, ...texts } = consoleTexts(place.member.language).list;
  // What a text finds is in the order of time.
  const amount =
    address.q === undefined
      ? heading(place, address, BY_AMOUNT)
      : html`<th scope="col" class="amount">${texts.amount}</th>`;
  return html`<div class="panel flush">
    <table class="list payments">
      <thead>
        <tr>
          ${heading(place, address, BY_TIME)}
          <th scope="col">${texts.payment}</th>
          <th scope="col">${texts.consumer}</th>
          <th scope="col">${fields.method}</th>
          ${amount}
          <th scope="col">${fields.state}</th>
        </tr>
      </thead>
      <tbody>
        ${payments.map((payment) => row(place, payment))}
      </tbody>
    </table>
  </div>`;
}
