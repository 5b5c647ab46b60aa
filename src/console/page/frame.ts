// What stands around every page of a merchant: the way to the others, whose console it is, and who is looking.
import { grants } from '../../domain/role.ts';
import type { Right } from '../../domain/role.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Member } from '../visitor.ts';
import { ICON, renderDocument } from './document.ts';
import { CHOICE_ICON, iconOf, MENU_ICON, SEARCH_ICON } from './icons.ts';

export type Place = { readonly root: string; readonly member: Member };

type Entry = { readonly name: string; readonly title: string; readonly right: Right };

/** The pages of a merchant, in the order in which they are listed; each is at /console/MERCHANT/name. */
const ENTRIES: readonly Entry[] = [
  { name: 'overview', title: 'Overview', right: 'read' },
  { name: 'payments', title: 'Payments', right: 'read' },
  { name: 'webhooks', title: 'Webhooks', right: 'develop' },
  { name: 'keys', title: 'Keys', right: 'develop' },
  { name: 'team', title: 'Team', right: 'administer' },
  { name: 'audit', title: 'Audit', right: 'administer' },
  { name: 'settings', title: 'Settings', right: 'read' },
];

export const homeOf = ({ root, member }: Place): string => `${root}/console/${member.merchant.id}`;

function navigation(place: Place, current: string): Html {
  const { role } = place.member;
  const links = ENTRIES.filter(({ right }) => grants(role, right)).map(
    ({ name, title }) =>
      html`<li>
        <a href="${homeOf(place)}/${name}" ${name === current && html`aria-current="page"`}>${iconOf(name)} ${title}</a>
      </li>`,
  );
  return html`<nav aria-label="Console">
    <ul>
      ${links}
    </ul>
  </nav>`;
}

function merchantChoice({ root, member }: Place): Html {
  const { memberships } = member.person;
  const label = (name: string, live: boolean): Html =>
    html`<span class="merchant-name">${name}</span
      ><span class="mode ${live ? 'live' : 'test'}">${live ? 'Live' : 'Test'}</span>`;
  const current = label(member.merchant.name, member.merchant.live);
  if (memberships.length === 1) return html`<p class="merchant">${current}</p>`;
  const others = memberships
    .filter(({ merchantId }) => merchantId !== member.merchant.id)
    .map(
      ({ merchantId, merchantName, live }) =>
        html`<li><a href="${root}/console/${merchantId}">${label(merchantName, live)}</a></li>`,
    );
  return html`<details class="merchant">
    <summary><span class="visually-hidden">Merchant:</span> ${current} ${CHOICE_ICON}</summary>
    <ul>
      ${others}
    </ul>
  </details>`;
}

/** To who came in by a link and has no other way. */
const offerWayIn = (root: string): Html =>
  html`<div class="notice offer">
    <p>
      Your link worked this once. To come back without one,
      <a href="${root}/console/account">add a passkey or set a password</a>.
    </p>
    <form method="post" action="${root}/console/account/later"><button class="quiet">Not now</button></form>
  </div>`;

/** Opened by the script, under Ctrl-K; without one the field of the list of payments finds as much. */
const palette = (place: Place): Html =>
  html`<dialog id="palette" aria-label="Search" data-payments="${homeOf(place)}/payments">
    <input
      type="search"
      role="combobox"
      aria-label="Go to a page, or find a payment"
      aria-controls="palette-list"
      aria-expanded="true"
      aria-autocomplete="list"
      placeholder="Page, payment id, reference, e-mail, amount…"
      autocomplete="off"
      spellcheck="false"
    />
    <ul id="palette-list" role="listbox" aria-label="What was found"></ul>
  </dialog>`;

export type Page = { readonly title: string; readonly name: string; readonly main: Html };

export function renderFrame(place: Place, { title, name, main }: Page): string {
  const { root, member } = place;
  const body = html`<a class="skip" href="#main">Skip to content</a>
    <header class="top">
      <div class="top-bar">
        <a class="brand" href="${homeOf(place)}"><img src="${ICON}" alt="" width="26" height="26" /> Kassa</a>
        ${merchantChoice(place)}
        <button class="quiet square menu-button" type="button" aria-expanded="false" aria-controls="menu">
          ${MENU_ICON}<span class="visually-hidden">Menu</span>
        </button>
      </div>
      <div class="menu" id="menu">
        <button class="search-button" type="button">${SEARCH_ICON} Search <kbd>Ctrl K</kbd></button>
        ${navigation(place, name)}
        <form class="account" method="post" action="${root}/console/sign-out">
          <a class="who" href="${root}/console/account" title="Your account">${member.person.email}</a>
          <button class="quiet">Sign out</button>
        </form>
      </div>
    </header>
    <main id="main" tabindex="-1">${member.isOffered && offerWayIn(root)} ${main}</main>
    ${palette(place)}`;
  return renderDocument({ title: `${title} · ${member.merchant.name}`, root, page: name, body });
}
