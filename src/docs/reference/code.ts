// Code on the page: blocks of it, and JSON with syntax highlighting.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { jsonOf } from './literal.ts';

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;

/** JSON with syntax highlighting. */
export const markJson = (text: string): Html[] => markBy(TOKEN, text);

function markBy(pattern: RegExp, text: string): Html[] {
  const pieces: Html[] = [];
  let end = 0;
  for (const { 0: token, 1: quoted, 2: colon, index } of text.matchAll(pattern)) {
    const kind = quoted === undefined ? 'number' : colon === undefined ? 'string' : 'key';
    pieces.push(html`${text.slice(end, index)}<span class="${kind}">${quoted ?? token}</span>${colon}`);
    end = index + token.length;
  }
  return [...pieces, html`${text.slice(end)}`];
}

/** A block of code with its caption; a script may add a button that copies it. */
export const codeBlock = (caption: string, code: Html | string): Html =>
  html`<figure class="code">
    <figcaption>${caption}</figcaption>
    <pre tabindex="0"><code>${code}</code></pre>
  </figure>`;

export function exampleBlock(caption: string, value: unknown): Html {
  if (typeof value === 'string') return codeBlock(caption, value);
  return codeBlock(caption, html`${markJson(jsonOf(value))}`);
}

// Strings in either quotes, numbers and words, in any language; a string or word before a colon or an arrow is a name.
const WORD = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')(\s*(?::|=>))?|\b\d+(?:\.\d+)?\b/g;

export const markCode = (text: string): Html[] => markBy(WORD, text);
