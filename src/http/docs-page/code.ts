// Code on the page: JSON with its parts marked for the style sheet, and requests as lines for a shell.
import { resolve } from '../openapi/document.ts';
import type { Document, Operation, Parameter } from '../openapi/document.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;

function mark(text: string): Html[] {
  const pieces: Html[] = [];
  let end = 0;
  for (const { 0: token, 1: quoted, 2: colon, index } of text.matchAll(TOKEN)) {
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
  return codeBlock(caption, html`${mark(jsonOf(value))}`);
}

// What fits into a narrow column.
const WIDTH = 44;

/** JSON for people: what is short stands on one line. */
function jsonOf(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const [open, close] = isArray ? '[]' : '{}';
  const parts = (pad: string): string[] =>
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([name, field]) => (isArray ? jsonOf(field, pad) : `${JSON.stringify(name)}: ${jsonOf(field, pad)}`));
  const line = parts('').join(', ');
  const gap = isArray || line === '' ? '' : ' ';
  if (!line.includes('\n') && indent.length + line.length <= WIDTH) return `${open}${gap}${line}${gap}${close}`;
  const inner = `${indent}  `;
  return `${open}\n${inner}${parts(inner).join(`,\n${inner}`)}\n${indent}${close}`;
}

/** {paymentId} → $PAYMENT_ID, as a shell spells it. */
const asVariable = (name: string): string => `$${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

function queryOf(document: Document, { parameters = [] }: Operation): string {
  const first = parameters
    .map((parameter) => resolve<Parameter>(document, parameter))
    .find((parameter) => parameter.in === 'query');
  return first ? `?${first.name}=${encodeURIComponent(String(first.example))}` : '';
}

/** What is to be shown as it comes. */
const isStream = ({ responses }: Operation): boolean =>
  Object.values(responses).some((response) => 'content' in response && response.content?.['text/event-stream']);

/** The request as a curl command; the body in single quotes, as shells on Unix take it. */
export function curlOf(document: Document, path: string, method: string, operation: Operation, body?: unknown): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => asVariable(name));
  const [server] = document.servers;
  const url = `"${server?.url ?? ''}${address}${queryOf(document, operation)}"`;
  // What curl does by itself: GET, and POST where there is a body.
  const isUsual = method === 'get' || (method === 'post' && body !== undefined);
  const verb = isUsual ? '' : `-X ${method.toUpperCase()} `;
  const lines = [`curl ${isStream(operation) ? '-N ' : ''}${verb}${url}`];
  if (operation.security.length > 0) lines.push('-H "Authorization: $SECRET_KEY"');
  if (body !== undefined) {
    lines.push('-H "Content-Type: application/json"');
    lines.push(`-d '${jsonOf(body, '  ').replaceAll("'", String.raw`'\''`)}'`);
  }
  return lines.join(' \\\n  ');
}

/** The same on the page, with the JSON in it marked. */
export function curlBlock(caption: string, command: string): Html {
  const start = command.indexOf("-d '");
  if (start === -1) return codeBlock(caption, command);
  return codeBlock(caption, html`${command.slice(0, start)}${mark(command.slice(start))}`);
}
