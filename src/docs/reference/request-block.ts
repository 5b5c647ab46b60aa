// A request on the page in several languages, of which the reader selects one without a script.
import type { Document } from '../../api/openapi/document.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { codeBlock, markCode, markJson } from './code.ts';
import { LANGUAGES } from './request.ts';
import type { Asked } from './request.ts';

/** A command with highlighting of the JSON in it. */
function markCurl(command: string): Html[] {
  const start = command.indexOf("-d '");
  if (start === -1) return [html`${command}`];
  return [html`${command.slice(0, start)}`, ...markJson(command.slice(start))];
}

/** `name` must be unique on the page. */
export function requestBlock(caption: string, document: Document, asked: Asked, name: string): Html {
  const labels = LANGUAGES.map(
    ({ id, name: language }, index) =>
      html`<label
        ><input type="radio" name="${name}" value="${id}" ${index === 0 && html`checked`} /><span
          >${language}</span
        ></label
      >`,
  );
  const blocks = LANGUAGES.map(({ id, name: language, write }) => {
    const code = write(document, asked);
    const marked = id === 'curl' ? markCurl(code) : markCode(code);
    return html`<div class="in" data-language="${id}">${codeBlock(`${caption}, ${language}`, html`${marked}`)}</div>`;
  });
  return html`<div class="request">
    <p class="caption">${caption}</p>
    <fieldset>
      <legend>Language</legend>
      ${labels}
    </fieldset>
    ${blocks}
  </div>`;
}
