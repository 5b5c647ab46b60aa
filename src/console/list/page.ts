// The page with the list of payments.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { ListingPage } from '../../store/listing/listing.ts';
import type { SavedView } from '../../store/saved-views.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { EXPORT_ICON } from '../page/icons.ts';
import { renderFilters, wordFor } from './filter-form.ts';
import { isNarrowed, writeAddress } from './query.ts';
import type { Address } from './query.ts';
import { renderRows } from './rows.ts';
import { renderViews } from './views.ts';

export type PaymentsPage = {
  readonly address: Address;
  /** Fields of the address that were not understood. */
  readonly faults: readonly string[];
  readonly page: ListingPage;
  readonly views: readonly SavedView[];
  /** The demo shop, where it sells for this merchant. */
  readonly demoUrl?: string;
};

function nothing(place: Place, { address, page, demoUrl }: PaymentsPage): Html {
  if (page.isCut) return html``;
  if (!isNarrowed(address) && address.after === undefined)
    return html`<div class="panel empty">
      <h2>No payments yet</h2>
      <p>The first one appears here as soon as your shop creates it.</p>
      ${demoUrl !== undefined && html`<p><a class="button primary" href="${demoUrl}">Buy something in the demo shop</a></p>`}
    </div>`;
  return html`<div class="panel empty">
    <h2>Nothing found</h2>
    <p>No payment is like that. Search for a whole reference, e-mail or amount, or the beginning of a last name.</p>
    <p><a class="button" href="${homeOf(place)}/payments">Show all payments</a></p>
  </div>`;
}

/** Where the page ends, and why. */
function foot(place: Place, { address, page }: PaymentsPage): Html {
  const list = `${homeOf(place)}/payments`;
  const next = page.cursor === undefined ? undefined : `${list}${writeAddress(address, { after: page.cursor })}`;
  const cut =
    page.isCut &&
    html`<p class="notice wait">
      10,000 payments were looked at, and there are more behind them that were not.
      ${next !== undefined && html`<a href="${next}">Go on looking</a>`}
    </p>`;
  return html`${cut}
    <nav class="toolbar pages" aria-label="Pages">
      ${address.after !== undefined && html`<a class="button" href="${list}${writeAddress(address)}">First page</a>`}
      ${!page.isCut && next !== undefined && html`<a class="button" href="${next}" rel="next">Next page</a>`}
    </nav>`;
}

/** All that the list would show, on however many pages. */
function exports(place: Place, address: Address): Html {
  const query = writeAddress(address);
  const link = (name: string, text: string): Html =>
    html`<li><a href="${homeOf(place)}/payments.${name}${query}" download>${text}</a></li>`;
  return html`<details class="drop">
    <summary class="button">${EXPORT_ICON} Export</summary>
    <ul>
      ${link('csv', 'CSV, for spreadsheets')} ${link('jsonl', 'JSON lines')}
    </ul>
  </details>`;
}

/** Where new payments are told of, on the page on which they would stand first. */
function live({ root, member }: Place, address: Address): Html {
  if (address.sort !== undefined || address.after !== undefined) return html``;
  const newest = `${root}/console/api/${member.merchant.id}/payments/newest${writeAddress(address)}`;
  return html`<div class="newer" role="status" data-newest="${newest}"></div>`;
}

export function renderPayments(place: Place, shown: PaymentsPage): string {
  const { address, faults, page, views } = shown;
  const main = html`<div class="toolbar">
      <h1>Payments</h1>
      ${page.payments.length > 0 && exports(place, address)}
    </div>
    ${renderViews(place, address, views)} ${renderFilters(place, address)}
    ${
      faults.length > 0 &&
      html`<p class="notice bad">Left out, since it could not be understood: ${faults.map(wordFor).join(', ')}.</p>`
    }
    ${
      page.hasMoreNames &&
      html`<p class="notice">More names begin like that than are looked for at once. Type more of the name.</p>`
    }
    ${live(place, address)}
    ${page.payments.length === 0 ? nothing(place, shown) : renderRows(place, address, page.payments)}
    ${foot(place, shown)}`;
  return renderFrame(place, { title: 'Payments', name: 'payments', main });
}
