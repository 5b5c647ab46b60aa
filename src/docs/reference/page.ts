// The API reference as one page, rendered on the server from the OpenAPI document: no framework, no external resources,
// readable without scripts.
import { testCards } from '../../acquirers/test-cards.ts';
import type { Document } from '../../api/openapi/document.ts';
import { ERROR_CODES } from '../../api/openapi/error-codes.ts';
import { CODES_ARE_LISTED } from '../../api/openapi/info.ts';
import { framed } from '../site/frame.ts';
import type { Links } from '../site/frame.ts';
import { codeBlock } from './code.ts';
import { eventLinks, EVERY_EVENT, everyEvent } from './event.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { methodLabel, operationBlock, sharedAnswers } from './operation.ts';
import type { Place } from './operation.ts';
import { anchorOf, headingsOf, inline, prose } from './prose.ts';
import { requestBlock } from './request-block.ts';

const placesOf = (document: Document): Place[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  );

const STEPS = [
  {
    operationId: 'createPayment',
    text: 'Create a payment, and put the `paymentId` of the answer into the variable `PAYMENT_ID`.',
    remember: "export PAYMENT_ID='…'",
  },
  { operationId: 'reserveInSandbox', text: 'Play the consumer who pays. A test card decides how it ends.' },
  { operationId: 'chargePayment', text: 'Ship the goods, and charge what you ship.' },
  { operationId: 'getPayment', text: 'Look at it: 100000 reserved, 50000 charged.' },
] as const satisfies readonly { operationId: string; text: string; remember?: string }[];

const whereTheKeyIs = (file: string): string =>
  `Take the secret key of a test merchant. That of the sandbox is in \`${file}\`, and the start shows it on a ` +
  'terminal. With a `DATABASE_URL` there is no sandbox by itself: `npx kassa merchant create --name "My shop"` makes a ' +
  'merchant and shows its keys.';

const KEY_IS_HERE =
  'This is the secret key of the sandbox, which only this machine is shown. It stands in every example already.';

function quickStart(document: Document, places: readonly Place[], own: KeyPlace): Html {
  const { secretKey, keysFile = '.kassa/sandbox.json' } = own;
  const steps = STEPS.map(({ operationId, text, ...more }) => {
    const place = places.find(({ operation }) => operation.operationId === operationId);
    if (place === undefined) throw new Error(`${operationId} is gone`);
    const { operation } = place;
    const body = Object.values(Object.values(operation.requestBody?.content ?? {})[0]?.examples ?? {})[0];
    const asked = { ...place, ...(body && { body: body.value }), ...(secretKey !== undefined && { secretKey }) };
    const block = requestBlock(operation.summary, document, asked, `start-${operationId}`);
    return html`<li>
      <p>${inline(text)} <a href="#${operationId}">More</a></p>
      ${block}${'remember' in more && codeBlock('Your payment', more.remember)}
    </li>`;
  });
  const key = codeBlock('Your key', `export SECRET_KEY='${secretKey ?? 'test-secret-key-…'}'`);
  return html`<section id="quick-start">
    <h2>Quick start</h2>
    <ol class="steps">
      <li>
        <p>${inline(secretKey === undefined ? whereTheKeyIs(keysFile) : KEY_IS_HERE)}</p>
        ${key}
      </li>
      ${steps}
    </ol>
  </section>`;
}

const navLink = (href: string, content: Html | string): Html => html`<li><a href="#${href}">${content}</a></li>`;

function navigation(document: Document, places: readonly Place[]): Html {
  const guide = headingsOf(document.info.description).map((heading) => navLink(anchorOf(heading), heading));
  const groups = document.tags.map(({ name }) => {
    const links = placesOfTag(places, name).map(({ method, operation }) =>
      navLink(operation.operationId, html`${methodLabel(method)} ${operation.summary}`),
    );
    return html`<p><a href="#${anchorOf(name)}">${name}</a></p>
      <ul>
        ${links}
      </ul>`;
  });
  return html`<p>Guide</p>
    <ul>
      ${navLink('quick-start', 'Quick start')}${guide}
    </ul>
    ${groups}
    <p><a href="#${EVERY_EVENT.anchor}">${EVERY_EVENT.heading}</a></p>
    <ul>
      ${eventLinks(document).map(({ href, name }) => navLink(href, name))}
    </ul>
    <p>Tables</p>
    <ul>
      ${navLink('answers', 'Shared answers')}${navLink('error-codes', 'Error codes')}${navLink('test-cards', 'Test cards')}
    </ul>`;
}

const placesOfTag = (places: readonly Place[], tag: string): Place[] =>
  places.filter(({ operation }) => operation.tags.includes(tag));

function table(headings: readonly string[], rows: readonly (readonly string[])[]): Html {
  const body = rows.map(
    ([first, ...rest]) =>
      html`<tr>
        <td><code>${first}</code></td>
        ${rest.map((cell) => html`<td>${cell}</td>`)}
      </tr>`,
  );
  return html`<div class="table" tabindex="0">
    <table>
      <thead>
        <tr>
          ${headings.map((heading) => html`<th>${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}

const UNUSED_CODES = ERROR_CODES.filter(({ meaning }) => meaning === undefined)
  .map(({ code, name }) => `\`${code}\` ${name}`)
  .join(', ');

const tables = (document: Document, places: readonly Place[]): Html =>
  html`<section id="answers">
      <h2>Shared answers</h2>
      <p>What any operation can answer, whatever it does.</p>
      ${sharedAnswers(document, places)}
    </section>
    <section id="error-codes">
      <h2>Error codes</h2>
      <p>
        ${inline('The `code` of an answer with `message`, `code` and `source`. It is a text, and the list is closed.')}
      </p>
      ${table(
        ['Code', 'Name', 'Meaning'],
        ERROR_CODES.flatMap(({ code, name, meaning }) => (meaning === undefined ? [] : [[code, name, meaning]])),
      )}
      <p class="unused">${inline(`Known to clients, but never answered: ${UNUSED_CODES}.`)}</p>
    </section>
    <section id="test-cards">
      <h2>Test cards</h2>
      <p>For test merchants, on the checkout page and in the sandbox. Any future expiry, any three digits.</p>
      ${table(
        ['Number', 'What happens'],
        testCards.map(({ number, what }) => [number, what]),
      )}
    </section>`;

/** The sandbox's key, or the file that contains it, for a reader who may see it. */
type KeyPlace = { readonly secretKey?: string; readonly keysFile?: string };

export function renderPage(document: Document, links: Links, own: KeyPlace = {}): string {
  const { info, servers, tags } = document;
  const places = placesOf(document);
  const [lead = '', next = '', ...rest] = info.description
    .replace(CODES_ARE_LISTED, 'The `code` is one of the [error codes](#error-codes).')
    .split('\n\n');
  const sections = tags.map(
    ({ name, description }) =>
      html`<section id="${anchorOf(name)}">
        <h2>${name}</h2>
        <p>${description}</p>
        ${placesOfTag(places, name).map((place) => operationBlock(document, place, own.secretKey))}
      </section>`,
  );
  return framed({
    title: `${info.title} API reference`,
    version: info.version,
    links,
    part: 'api',
    menu: navigation(document, places),
    main: html`<main id="main">
      <h1>${info.title} API reference</h1>
      <p class="lead">${lead}</p>
      <p>${inline(next)}</p>
      <p class="base">Base address <code>${servers[0]?.url}</code></p>
      ${quickStart(document, places, own)}
      <section class="guide">${prose(rest.join('\n\n'))}</section>
      ${sections} ${everyEvent(document)} ${tables(document, places)}
    </main>`,
  });
}
