// One event on the page: a row that expands to its fields and an example.
import type { Document, Operation } from '../../api/openapi/document.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { exampleBlock } from './code.ts';
import { fieldList, parameterList } from './fields.ts';
import { inline } from './prose.ts';
import { parametersOf } from './operation.ts';

const HEADING = 'Every event';
export const EVERY_EVENT = { heading: HEADING, anchor: 'every-event' };

const eventsOf = ({ webhooks }: Document): readonly Operation[] => Object.values(webhooks).map(({ post }) => post);

function eventBlock(document: Document, { operationId, summary: name, description, requestBody }: Operation): Html {
  const media = Object.values(requestBody?.content ?? {})[0];
  const [example] = Object.values(media?.examples ?? {});
  return html`<details class="operation event">
    <summary><code class="path">${name}</code><span class="title">${inline(description)}</span></summary>
    <div class="open" id="${operationId}">
      <div class="columns">
        <div>
          <h3 class="part">Body</h3>
          ${media && fieldList(document, media.schema)}
        </div>
        <div class="examples">${example && exampleBlock(name, example.value)}</div>
      </div>
    </div>
  </details>`;
}

/** All events, after their common fields. */
export function everyEvent(document: Document): Html {
  const events = eventsOf(document);
  const [first] = events;
  return html`<section id="${EVERY_EVENT.anchor}">
    <h2>${HEADING}</h2>
    <p>Sent as a POST with a JSON body. To a webhook with these headers, which prove that it comes from here:</p>
    ${first && parameterList(document, parametersOf(document, first))}
    <p>To a hook that came with a payment, with the <code>Authorization</code> that was given for it instead.</p>
    ${events.map((event) => eventBlock(document, event))}
  </section>`;
}

export const eventLinks = (document: Document): readonly { readonly href: string; readonly name: string }[] =>
  eventsOf(document).map(({ operationId, summary }) => ({ href: operationId, name: summary }));
