// The pages of the guides: the first page with links to all of them, and each guide with its contents and neighbours.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { codeBlock } from '../reference/code.ts';
import { framed } from './frame.ts';
import type { Links } from './frame.ts';
import { fillIn, linkPages } from './guide.ts';
import type { Guide, Own, Section } from './guide.ts';

export type Site = {
  readonly version: string;
  readonly sections: readonly Section[];
  readonly own: Own;
};

/** The section that also has the API reference, which is not a guide. */
const REFERENCE = 'Reference';

function menuOf({ sections }: Site, links: Links, current?: Guide): Html {
  const groups = sections.map(({ title, guides }) => {
    const rows = guides.map(
      (guide) =>
        html`<li>
          <a href="${links.page(guide.path)}" ${guide === current && html`aria-current="page"`}>${guide.name}</a>
        </li>`,
    );
    return html`<p>${title}</p>
      <ul>
        ${title === REFERENCE && html`<li><a href="${links.page('api')}">API</a></li>`}${rows}
      </ul>`;
  });
  return html`${groups}`;
}

/** The headings of a page, beside it. */
function contentsOf({ headings }: Guide): Html | false {
  const shown = headings.filter(({ level }) => level === 2);
  if (shown.length < 2) return false;
  return html`<nav class="beside" aria-label="On this page">
    <p>On this page</p>
    <ul>
      ${shown.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}
    </ul>
  </nav>`;
}

function neighboursOf({ sections }: Site, links: Links, guide: Guide): Html {
  const all = sections.flatMap(({ guides }) => guides);
  const at = all.indexOf(guide);
  const link = (other: Guide | undefined, word: string, rel: string): Html | false =>
    other !== undefined &&
    html`<a rel="${rel}" href="${links.page(other.path)}"><span>${word}</span>${other.title}</a>`;
  return html`<nav class="neighbours" aria-label="Before and after">
    ${link(all[at - 1], 'Before', 'prev')}${link(all[at + 1], 'Next', 'next')}
  </nav>`;
}

export function renderGuidePage(site: Site, links: Links, guide: Guide): string {
  const { title: section } = site.sections.find(({ guides }) => guides.includes(guide)) ?? { title: '' };
  const body = { html: linkPages(fillIn(guide.html, site.own), links.page) };
  return framed({
    title: `${guide.title} · Kassa`,
    version: site.version,
    links,
    part: 'guides',
    menu: menuOf(site, links, guide),
    main: html`<main id="main" class="reading">
        <p class="over">${section}</p>
        <h1>${guide.title}</h1>
        <div class="guide">${body}</div>
        ${neighboursOf(site, links, guide)}
      </main>
      ${contentsOf(guide)}`,
  });
}

// What most readers look for, in this order.
const FIRST = [
  { path: 'integrate/quick-start', text: 'From nothing to a charged payment.' },
  { path: 'integrate/checkout', text: 'Where the consumer pays: on its own page, or inside of yours.' },
  { path: 'integrate/events', text: 'What happens to payments, sent to your shop as it happens.' },
  { path: 'integrate/testing', text: 'A real Kassa in your tests, started in a moment.' },
  { path: 'operate/run', text: 'Settings, the database, health, figures and logs.' },
];

const START = 'Kassa is a payment checkout that a company runs itself: an API, a checkout page, a console.';

function ownBlock({ url, secretKey }: Own): Html | false {
  if (url === undefined) return false;
  const lines = [
    `export CHECKOUT_URL='${url}'`,
    ...(secretKey === undefined ? [] : [`export SECRET_KEY='${secretKey}'`]),
  ];
  return html`<div class="own">
    ${codeBlock(secretKey === undefined ? 'This Kassa' : 'This Kassa and its sandbox', lines.join('\n'))}
    ${
      secretKey !== undefined &&
      html`<p>
        The key of a test merchant, which only this machine is shown. It stands in the examples, so that they can be
        pasted.
      </p>`
    }
  </div>`;
}

/** The main guides, the reference, and the rest. */
function cardsOf({ sections }: Site, links: Links): Html {
  const all = sections.flatMap(({ guides }) => guides);
  const card = (href: string, name: string, text: string): Html =>
    html`<li>
      <a href="${href}"><strong>${name}</strong><span>${text}</span></a>
    </li>`;
  const guides = FIRST.flatMap(({ path, text }) =>
    all.filter((guide) => guide.path === path).map(({ title }) => card(links.page(path), title, text)),
  );
  return html`<ul class="cards">
    ${guides}${card(links.page('api'), 'API reference', 'Every operation and event, with code in four languages.')}
    ${links.demo !== undefined && card(links.demo, 'Demo shop', 'Buy something, and see each call and event.')}
    ${links.console !== undefined && card(links.console, 'Console', 'Where a merchant’s people look after payments.')}
  </ul>`;
}

/** The 404 page. The script puts the words of the URL into the search. */
export function renderMissing(site: Site, links: Links): string {
  return framed({
    title: 'Page not found · Kassa',
    version: site.version,
    links,
    part: undefined,
    menu: menuOf(site, links),
    main: html`<main id="main" class="home" data-missing>
      <h1>Page not found</h1>
      <p class="lead">
        The documentation has no page at this address. Search for what you need, go to the
        <a href="${links.page('')}">list of all guides</a>, or start with one of these:
      </p>
      ${cardsOf(site, links)}
    </main>`,
  });
}

export function renderHome(site: Site, links: Links): string {
  const sections = site.sections.map(
    ({ title, forWhom, guides }) =>
      html`<section>
        <h2>${title}</h2>
        <p class="for">For ${forWhom.charAt(0).toLowerCase()}${forWhom.slice(1)}</p>
        <ul class="list">
          ${title === REFERENCE && html`<li><a href="${links.page('api')}">API reference</a></li>`}
          ${guides.map((guide) => html`<li><a href="${links.page(guide.path)}">${guide.title}</a></li>`)}
        </ul>
      </section>`,
  );
  return framed({
    title: 'Kassa: documentation',
    version: site.version,
    links,
    part: 'guides',
    menu: menuOf(site, links),
    main: html`<main id="main" class="home" data-reference="${links.page('api')}">
      <h1>Documentation</h1>
      <p class="lead">${START}</p>
      ${ownBlock(site.own)} ${cardsOf(site, links)}
      <div class="sections">${sections}</div>
    </main>`,
  });
}
