// The frame of a merchant's pages: navigation, merchant and account.
import { grants } from '../../domain/role.ts';
import type { Right } from '../../domain/role.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { ConsoleTexts } from '../texts.ts';
import { consoleTexts, fill, fillHtml } from '../texts.ts';
import type { Member } from '../visitor.ts';
import { renderClockBanner } from './clock-banner.ts';
import { ICON, renderDocument } from './document.ts';
import { renderTime } from './time.ts';
import { CHOICE_ICON, iconOf, MENU_ICON, SEARCH_ICON } from './icons.ts';

type FrameTexts = ConsoleTexts['frame'];

export type Place = { readonly root: string; readonly member: Member };

type Entry = { readonly name: keyof FrameTexts['pages']; readonly right: Right };

/** The pages of a merchant, in the order in which they are listed; each is at /console/MERCHANT/name. */
const ENTRIES: readonly Entry[] = [
  { name: 'overview', right: 'read' },
  { name: 'payments', right: 'read' },
  { name: 'webhooks', right: 'develop' },
  { name: 'keys', right: 'develop' },
  { name: 'requests', right: 'develop' },
  { name: 'team', right: 'administer' },
  { name: 'audit', right: 'administer' },
  { name: 'sandbox', right: 'read' },
  { name: 'settings', right: 'read' },
];

export const homeOf = ({ root, member }: Place): string => `${root}/console/${member.merchant.id}`;

function navigation(place: Place, texts: FrameTexts, current: string): Html {
  const { role, merchant } = place.member;
  const entries = ENTRIES.filter(({ name, right }) => grants(role, right) && !(name === 'sandbox' && merchant.live));
  const links = entries.map(
    ({ name }) =>
      html`<li>
        <a href="${homeOf(place)}/${name}" ${name === current && html`aria-current="page"`}
          >${iconOf(name)} ${texts.pages[name]}</a
        >
      </li>`,
  );
  return html`<nav aria-label="${texts.console}">
    <ul>
      ${links}
    </ul>
  </nav>`;
}

function merchantChoice({ root, member }: Place, texts: FrameTexts): Html {
  const { memberships } = member.person;
  const label = (name: string, live: boolean): Html =>
    html`<span class="merchant-name">${name}</span>
      <span class="mode ${live ? 'live' : 'test'}">${live ? texts.live : texts.test}</span>`;
  const current = label(member.merchant.name, member.merchant.live);
  if (memberships.length === 1) return html`<p class="merchant">${current}</p>`;
  const others = memberships
    .filter(({ merchantId }) => merchantId !== member.merchant.id)
    .map(
      ({ merchantId, merchantName, live }) =>
        html`<li>
          <a href="${root}/console/${merchantId}" data-name="${fill(texts.changeTo, { merchant: merchantName })}"
            >${label(merchantName, live)}</a
          >
        </li>`,
    );
  return html`<details class="merchant">
    <summary><span class="visually-hidden">${texts.merchant}</span> ${current} ${CHOICE_ICON}</summary>
    <ul>
      ${others}
    </ul>
  </details>`;
}

/** For people who signed in with a link and have no credential. */
const offerWayIn = (root: string, texts: FrameTexts): Html =>
  html`<div class="notice offer">
    <p>${fillHtml(texts.offer, { link: html`<a href="${root}/console/account">${texts.offerLink}</a>` })}</p>
    <form method="post" action="${root}/console/account/later"><button class="quiet">${texts.notNow}</button></form>
  </div>`;

/** For people as whom someone else could have signed in. */
function tellRecovery(root: string, { recovery, language }: Member, texts: FrameTexts): Html | undefined {
  if (recovery === undefined) return undefined;
  const { by, atMs } = recovery;
  return html`<div class="notice wait offer" role="status">
    <p>
      ${fillHtml(texts.recovery, { by: html`<strong>${by}</strong>`, time: renderTime(atMs, language) })}
      ${fillHtml(texts.recoveryAct, { link: html`<a href="${root}/console/account">${texts.account}</a>` })}
    </p>
    <form method="post" action="${root}/console/account/recovery-seen">
      <button class="quiet">${texts.close}</button>
    </form>
  </div>`;
}

/** Opened by the script, under Ctrl-K; without one the field of the list of payments finds as much. */
const palette = (place: Place, texts: FrameTexts): Html =>
  html`<dialog
    id="palette"
    aria-label="${texts.search}"
    data-payments="${homeOf(place)}/payments"
    data-newest="${place.root}/console/api/${place.member.merchant.id}/payments/newest"
    data-with="${texts.paymentsWith}"
    data-one="${texts.paymentWith}"
  >
    <input
      type="search"
      role="combobox"
      aria-label="${texts.searchFor}"
      aria-controls="palette-list"
      aria-expanded="true"
      aria-autocomplete="list"
      placeholder="${texts.searchHint}"
      autocomplete="off"
      spellcheck="false"
    />
    <ul id="palette-list" role="listbox" aria-label="${texts.found}"></ul>
  </dialog>`;

export type Page = { readonly title: string; readonly name: string; readonly main: Html };

export function renderFrame(place: Place, { title, name, main }: Page): string {
  const { root, member } = place;
  const texts = consoleTexts(member.language).frame;
  const body = html`<a class="skip" href="#main">${texts.skip}</a>
    <header class="top">
      <div class="top-bar">
        <a class="brand" href="${homeOf(place)}"><img src="${ICON}" alt="" width="26" height="26" /> Kassa</a>
        ${merchantChoice(place, texts)}
        <button class="quiet square menu-button" type="button" aria-expanded="false" aria-controls="menu">
          ${MENU_ICON}<span class="visually-hidden">${texts.menu}</span>
        </button>
      </div>
      <div class="menu" id="menu">
        <button class="search-button" type="button">${SEARCH_ICON} ${texts.search} <kbd>Ctrl K</kbd></button>
        ${navigation(place, texts, name)}
        <form class="account" method="post" action="${root}/console/sign-out">
          <a
            class="who"
            href="${root}/console/account"
            title="${texts.account}"
            data-name="${fill(texts.accountOf, { email: member.person.email })}"
            >${member.person.email}</a
          >
          <button class="quiet">${texts.signOut}</button>
        </form>
      </div>
    </header>
    <main id="main" tabindex="-1">
      ${tellRecovery(root, member, texts)} ${renderClockBanner(member, `${homeOf(place)}/sandbox`)}
      ${member.isOffered && offerWayIn(root, texts)} ${main}
    </main>
    ${palette(place, texts)}`;
  return renderDocument({
    language: member.language,
    title: `${title} · ${member.merchant.name}`,
    root,
    page: name,
    body,
  });
}

/** Where the page of a payment is. */
export const paymentPath = (place: Place, paymentId: string): string => `${homeOf(place)}/payments/${paymentId}`;
