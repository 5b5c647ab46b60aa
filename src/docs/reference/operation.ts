// One operation on the page: a row that expands to its parameters and responses.
import { STATUS_CODES } from 'node:http';
import { resolve } from '../../api/openapi/document.ts';
import type { Document, Media, Operation, Parameter, Response } from '../../api/openapi/document.ts';
import { exampleBlock } from './code.ts';
import { fieldList, parameterList } from './fields.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { inline } from './prose.ts';
import { requestBlock } from './request-block.ts';

export type Place = { readonly path: string; readonly method: string; readonly operation: Operation };

export const methodLabel = (method: string): Html =>
  html`<span class="method ${method}">${method.toUpperCase()}</span>`;

const PARAMETERS = [
  { place: 'path', heading: 'In the path' },
  { place: 'query', heading: 'In the query' },
  { place: 'header', heading: 'Headers' },
] as const;

export const parametersOf = (document: Document, { parameters = [] }: Operation): Parameter[] =>
  parameters.map((parameter) => resolve<Parameter>(document, parameter));

function requestSide(document: Document, operation: Operation): Html {
  const parameters = parametersOf(document, operation);
  const body = operation.requestBody;
  const media = body && Object.values(body.content)[0];
  const lists = PARAMETERS.map(({ place, heading }) => {
    const found = parameters.filter((parameter) => parameter.in === place);
    return (
      found.length > 0 &&
      html`<h3 class="part">${heading}</h3>
        ${parameterList(document, found)}`
    );
  });
  const text = media && resolve(document, media.schema).description;
  return html`${lists}${
    media &&
    html`<h3 class="part">Body${!body.required && html` <span class="limits">may be left out</span>`}</h3>
      ${text !== undefined && html`<p>${inline(text)}</p>`}${fieldList(document, media.schema)}`
  }`;
}

const examplesIn = (media: Media | undefined): readonly (readonly [string, unknown])[] => [
  ...Object.values(media?.examples ?? {}).map(({ summary, value }) => [summary, value] as const),
  ...Object.values(media?.['x-nexi-examples'] ?? {}).map(({ summary, value }) => {
    const caption = summary === 'Dialect nexi' ? summary : `Dialect nexi: ${summary}`;
    return [caption, value] as const;
  }),
];

const idOf = (id: string | undefined): Html | undefined => (id === undefined ? undefined : html` id="${id}"`);
const rowId = (status: string): string => `answer-${status}`;

function answerRow(document: Document, status: string, response: Response, id?: string): Html {
  const media = response.content && Object.values(response.content)[0];
  const head = html`<span class="status s${status.charAt(0)}">${status}</span>
    <span class="reason">${STATUS_CODES[Number(status)] ?? ''}</span> ${inline(response.description)}`;
  if (media === undefined) return html`<li class="answer" ${idOf(id)}><p>${head}</p></li>`;
  const headers = Object.keys(response.headers ?? {}).join(', ');
  const isJson = typeof Object.values(media.examples ?? {})[0]?.value !== 'string';
  return html`<li class="answer" ${idOf(id)}>
    <details>
      <summary>${head}</summary>
      <div class="columns">
        <div>
          ${isJson && fieldList(document, media.schema)}
          <p class="headers">Headers: <code>${headers}</code></p>
        </div>
        <div>${examplesIn(media).map(([caption, value]) => exampleBlock(caption, value))}</div>
      </div>
    </details>
  </li>`;
}

/** The request, and the response on success. */
function examplesSide(document: Document, place: Place, secretKey: string | undefined): Html {
  const { operation } = place;
  const bodies = Object.values(Object.values(operation.requestBody?.content ?? {})[0]?.examples ?? {});
  const [first, ...others] = bodies;
  const block = (number: number, summary = 'Request', body?: unknown): Html => {
    const asked = { ...place, ...(body !== undefined && { body }), ...(secretKey !== undefined && { secretKey }) };
    return requestBlock(summary, document, asked, `${operation.operationId}-${number}`);
  };
  const [status = '', response] = Object.entries(operation.responses)[0] ?? [];
  const success = response && resolve<Response>(document, response);
  const media = success?.content && Object.values(success.content)[0];
  const answer = Object.values(media?.examples ?? {})[0];
  return html`${block(0, first?.summary, first?.value)}
  ${answer && exampleBlock(`${status} ${STATUS_CODES[Number(status)] ?? ''}`, answer.value)}
  ${
    others.length > 0 &&
    html`<details class="more">
      <summary>More requests</summary>
      ${others.map(({ summary, value }, index) => block(index + 1, summary, value))}
    </details>`
  }`;
}

/** The operation's own responses, and links to the shared ones. */
function answersOf(document: Document, { responses }: Operation): Html {
  const entries = Object.entries(responses);
  const own = entries.flatMap(([status, response]) => ('$ref' in response ? [] : [[status, response] as const]));
  const shared = entries.filter(([, response]) => '$ref' in response);
  const links = shared.map(
    ([status]) => html` <a class="status s${status.charAt(0)}" href="#${rowId(status)}">${status}</a>`,
  );
  return html`<ul class="answers">
      ${own.map(([status, response]) => answerRow(document, status, response))}
    </ul>
    ${shared.length > 0 && html`<p class="shared">Shared answers:${links}</p>`}`;
}

/** The shared responses, once. */
export function sharedAnswers(document: Document, places: readonly Place[]): Html {
  const found = new Map<string, Response>();
  for (const { operation } of places)
    for (const [status, response] of Object.entries(operation.responses))
      if ('$ref' in response) found.set(status, resolve<Response>(document, response));
  const rows = Array.from(found).toSorted(([a], [b]) => Number(a) - Number(b));
  return html`<ul class="answers">
    ${rows.map(([status, response]) => answerRow(document, status, response, rowId(status)))}
  </ul>`;
}

export function operationBlock(document: Document, place: Place, secretKey: string | undefined): Html {
  const { path, method, operation } = place;
  return html`<details class="operation">
    <summary>
      ${methodLabel(method)}<code class="path">${path}</code><span class="title">${operation.summary}</span>
    </summary>
    <div class="open" id="${operation.operationId}">
      <div class="columns">
        <div>
          <p class="lead">${inline(operation.description)}</p>
          ${operation.security.length === 0 && html`<p class="limits">No key is needed.</p>`}
          ${requestSide(document, operation)}
        </div>
        <div class="examples">${examplesSide(document, place, secretKey)}</div>
      </div>
      <h3 class="part">Answers</h3>
      ${answersOf(document, operation)}
    </div>
  </details>`;
}
