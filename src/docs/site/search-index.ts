// The search index: a script that is loaded at the first search, with the text of every section, from which results show
// an excerpt.
import { resolve } from '../../api/openapi/document.ts';
import type { Document, Operation, Parameter, Response, Schema } from '../../api/openapi/document.ts';
import { anchorOf } from '../reference/prose.ts';
import type { Section } from './guide.ts';

/** The URL is relative to the site's first page; `names` are those of the operation's fields. */
type Entry = readonly [page: string, heading: string, address: string, text: string, names?: string];

/** A command is found by its name; its options count as text. */
function entryOf(page: string, heading: string, address: string, text: string): Entry {
  const options = heading.indexOf(' [');
  if (options === -1) return [page, heading, address, text];
  return [page, `${heading.slice(0, options)} …`, address, `${heading.slice(options + 1)} ${text}`];
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

/** The names of all fields, at any depth; `seen` stops recursion. */
function gatherNames(document: Document, given: Schema, names: Set<string>, seen: Set<Schema>): void {
  const schema = resolve<Schema>(document, given);
  if (seen.has(schema)) return;
  seen.add(schema);
  for (const [name, of] of Object.entries(schema.properties ?? {})) {
    names.add(name);
    gatherNames(document, of, names, seen);
  }
  for (const of of [schema.items, ...(schema.anyOf ?? [])]) if (of) gatherNames(document, of, names, seen);
}

/** Of the request, and of the response on success. */
function namesOf(document: Document, { parameters = [], requestBody, responses }: Operation): string {
  const names = new Set(parameters.map((each) => resolve<Parameter>(document, each).name));
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const bodies = [requestBody?.content, ...good.map(([, each]) => resolve<Response>(document, each).content)];
  for (const { schema } of bodies.flatMap((content) => Object.values(content ?? {})))
    gatherNames(document, schema, names, new Set());
  return [...names].join(' ');
}

function referenceEntries(document: Document, address: string): Entry[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, summary, description, requestBody } = operation;
      const fields = fieldsOf(document, Object.values(requestBody?.content ?? {})[0]?.schema);
      const text = `${method.toUpperCase()} ${path} ${description.replaceAll('`', '')} ${operationId} ${fields}`;
      const names = namesOf(document, operation);
      return ['API reference', summary, `${address}#${operationId}`, text.trim(), names] as const;
    }),
  );
  const guide = document.info.description.split(/^## /m).slice(1);
  const chapters = guide.map((chapter) => {
    const [heading = '', ...lines] = chapter.split('\n');
    const text = lines.join(' ').replaceAll('`', '').replaceAll(/\s+/g, ' ').trim();
    return ['API reference', heading, `${address}#${anchorOf(heading)}`, text] as const;
  });
  const events = Object.values(document.webhooks).map(
    ({ post: { operationId, summary, description } }) =>
      ['Events', summary, `${address}#${operationId}`, description] as const,
  );
  const tables = [
    ['API reference', 'Error codes', `${address}#error-codes`, 'The code of a refusal.'],
    ['API reference', 'Test cards', `${address}#test-cards`, 'What each card does.'],
  ] as const;
  return [...chapters, ...operations, ...events, ...tables];
}

export function searchIndex(
  sections: readonly Section[],
  document: Document,
  linkTo: (path: string) => string,
): string {
  const entries = [...guideEntries(sections, linkTo), ...referenceEntries(document, linkTo('api'))];
  return `globalThis.kassaIndex = ${JSON.stringify(entries)};\n`;
}
