// The index of the search: a script that the page loads when somebody searches. Of each part of a page it has the words,
// each once, and how its text begins.
import { resolve } from '../openapi/document.ts';
import type { Document, Schema } from '../openapi/document.ts';
import type { Section } from './guide.ts';

/** Page, heading, address below the site's first page, how it begins, its other words. */
type Entry = readonly [page: string, heading: string, address: string, start: string, words: string];

const MOST_OF_START = 140;
const WORD = /[\p{L}\d_][\p{L}\d_.{}/-]*[\p{L}\d_}]/gu;

const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD) ?? [];

function startOf(text: string): string {
  if (text.length <= MOST_OF_START) return text;
  return `${text.slice(0, text.lastIndexOf(' ', MOST_OF_START))} …`;
}

/** What its page, its heading and its start have already is not said again. */
function entryOf(page: string, heading: string, address: string, text: string): Entry {
  const start = startOf(text);
  const known = new Set(wordsOf(`${page} ${heading} ${start}`));
  const words = [...new Set(wordsOf(text))].filter((word) => !known.has(word));
  return [page, heading, address, start, words.join(' ')];
}

const guideEntries = (sections: readonly Section[], linkTo: (path: string) => string): Entry[] =>
  sections
    .flatMap(({ guides }) => guides)
    .flatMap(({ path, title, parts }) =>
      parts.map(({ id, heading, text }) => {
        const address = id === '' ? linkTo(path) : `${linkTo(path)}#${id}`;
        return entryOf(title, id === '' ? title : heading, address, text);
      }),
    );

function fieldsOf(document: Document, schema: Schema | undefined): string {
  if (schema === undefined) return '';
  const { properties = {} } = resolve<Schema>(document, schema);
  return Object.keys(properties).join(' ');
}

function referenceEntries(document: Document, address: string): Entry[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, description, requestBody }]) => {
      const fields = fieldsOf(document, Object.values(requestBody?.content ?? {})[0]?.schema);
      const text = `${method.toUpperCase()} ${path} ${description.replaceAll('`', '')} ${operationId} ${fields}`;
      return entryOf('API reference', summary, `${address}#${operationId}`, text.trim());
    }),
  );
  const events = Object.values(document.webhooks).map(({ post: { operationId, summary, description } }) =>
    entryOf('Events', summary, `${address}#${operationId}`, description),
  );
  const tables = [
    entryOf('API reference', 'Error codes', `${address}#error-codes`, 'The code of a refusal.'),
    entryOf('API reference', 'Test cards', `${address}#test-cards`, 'What each card does.'),
  ];
  return [...operations, ...events, ...tables];
}

export function searchIndex(
  sections: readonly Section[],
  document: Document,
  linkTo: (path: string) => string,
): string {
  const entries = [...guideEntries(sections, linkTo), ...referenceEntries(document, linkTo('api'))];
  return `globalThis.kassaIndex = ${JSON.stringify(entries)};\n`;
}
