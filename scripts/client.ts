// `npm run client`: writes what the typed client knows of the API, out of openapi.json: a type for each schema, a
// signature for each operation, and the table by which they are sent. A test fails when the file is older than the
// description.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeOperation, type Description, type Operation } from './client/operation.ts';
import { typeOf, typesOf } from './client/types.ts';

const root = join(import.meta.dirname, '..');
const HEAD = '// Made by `npm run client` out of openapi.json; not to be changed by hand.';
const METHODS = ['get', 'post', 'put', 'delete'] as const;

/** Those that a shop asks for; health, figures and pages are for whoever runs the service. */
const isOfShops = (path: string): boolean => /^\/(?:report\/)?v1\//.test(path);

function operationsOf(description: Description): Operation[] {
  return Object.entries(description.paths)
    .filter(([path]) => isOfShops(path))
    .flatMap(([path, methods]) =>
      METHODS.flatMap((method) => {
        const described = methods[method];
        return described === undefined ? [] : [describeOperation(description, method, path, described)];
      }),
    );
}

const commentOf = (text: string, indent: string): string =>
  `${indent}/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n`;

function signatureOf(operation: Operation): string {
  const { name, summary, path, parameters, body, query, isKeyed, answer, pages } = operation;
  const words = [
    ...parameters.map((parameter) => `${parameter}: string`),
    ...(body ? [`body${body.isRequired ? '' : '?'}: ${body.type}`] : []),
    ...(query ? [`query${query.isRequired ? '' : '?'}: ${query.type}`] : []),
    `options?: ${isKeyed ? 'KeyedOptions' : 'CallOptions'}`,
  ];
  const given = pages ? `Pages<${answer}, ${pages.type}>` : `Promise<${answer}>`;
  const result = operation.isStream ? 'AsyncIterableIterator<Event>' : given;
  const comment = commentOf(`${summary}: ${operation.method} ${path}. ${operation.text}`, '  ');
  return `${comment}  ${name}(${words.join(', ')}): ${result};\n`;
}

function rowOf({ name, method, path, body, query, isKeyed, pages, isStream }: Operation): string {
  const takes = body ? 'body' : query ? 'query' : '';
  const more = pages ? `, ${JSON.stringify(pages.by)}` : '';
  if (isStream) return '';
  const row = `['${method}', '${path}', '${takes}', ${isKeyed ? 1 : 0}${more}]`;
  return `  ${name}: ${row.replaceAll('"', "'").replaceAll("','", "', '")},\n`;
}

/** The text of the generated file. */
export function makeClient(description: Description): string {
  const operations = operationsOf(description);
  const imports = "import type { CallOptions, KeyedOptions, Pages, Row } from '../call.ts';\n";
  const queries = operations.flatMap(({ query }) =>
    query === undefined ? [] : [`export type ${query.type} = ${typeOf(query.schema)};\n`],
  );
  return `${HEAD}\n${imports}\n${typesOf(description.components.schemas)}\n${queries.join('\n')}
/** Every operation of the API. */
export type Operations = {
${operations.map(signatureOf).join('')}};

export const operations = {
${operations.map(rowOf).join('')}} as const satisfies Readonly<Record<string, Row>>;\n`;
}

export const GENERATED = join(root, 'client/generated/api.ts');

export const readDescription = async (): Promise<Description> =>
  JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8')) as Description;

if (import.meta.main) await writeFile(GENERATED, makeClient(await readDescription()));
