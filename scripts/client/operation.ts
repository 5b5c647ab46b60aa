// What the client has to know of one operation, read out of its description: where its parts go, whether a key makes it
// safe to repeat, what it answers, and how its pages follow each other.
import { nameOfRef, typeOf, type Schema } from './types.ts';

type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
};
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type Described = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

export type Description = {
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<string, Described>>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
};

/** How the next page is asked for: by a cursor, by how many were seen, or by its number. */
type PageRule = readonly ['cursor', string, string] | readonly ['more', string] | readonly ['number', string, string];

export type Operation = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly text: string;
  readonly parameters: readonly string[];
  readonly body: { readonly type: string; readonly isRequired: boolean } | undefined;
  readonly query: { readonly type: string; readonly isRequired: boolean; readonly schema: Schema } | undefined;
  readonly isKeyed: boolean;
  readonly isStream: boolean;
  readonly answer: string;
  readonly pages: { readonly type: string; readonly by: PageRule } | undefined;
};

const CURSORS = ['cursor', 'after', 'before'];

function pagesOf(description: Description, answer: Schema | undefined, asked: readonly string[]): Operation['pages'] {
  if (answer?.$ref === undefined) return undefined;
  const { properties = {} } = description.components.schemas[nameOfRef(answer.$ref)] as Schema;
  const [items, schema] = Object.entries(properties).findLast(([, { type }]) => type === 'array') ?? [];
  const type = schema?.items && typeOf(schema.items);
  if (items === undefined || type === undefined) return undefined;
  const cursor = CURSORS.find((name) => asked.includes(name));
  if ('cursor' in properties && cursor !== undefined) return { type, by: ['cursor', items, cursor] };
  if ('more' in properties) return { type, by: ['more', items] };
  const total = Object.keys(properties).find((name) => name.startsWith('numberOf'));
  if (total !== undefined && asked.includes('pageNumber')) return { type, by: ['number', items, total] };
  return undefined;
}

/** The filters of a list as one schema. */
function queryOf(name: string, parameters: readonly Parameter[]): Operation['query'] {
  const filters = parameters.filter((parameter) => parameter.in === 'query');
  if (filters.length === 0) return undefined;
  const required = filters.filter((filter) => filter.required).map((filter) => filter.name);
  const properties = filters.map((filter) => [
    filter.name,
    { ...filter.schema, ...(filter.description && { description: filter.description }) },
  ]);
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Query`;
  const schema = { type: 'object', required, properties: Object.fromEntries(properties) as Record<string, Schema> };
  return { type, isRequired: required.length > 0, schema };
}

export function describeOperation(
  description: Description,
  method: string,
  path: string,
  { operationId: name, summary, description: text, parameters = [], requestBody, responses }: Described,
): Operation {
  const all = parameters.map((parameter) =>
    '$ref' in parameter ? (description.components.parameters[nameOfRef(parameter.$ref)] as Parameter) : parameter,
  );
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const isStream = success?.content?.['text/event-stream'] !== undefined;
  const answer = success?.content?.['application/json']?.schema;
  const query = queryOf(name, all);
  const body = requestBody?.content['application/json'];
  if (query && body) throw new Error(`${name} takes both a body and a query: the client knows no way to give both.`);
  return {
    name,
    method: method.toUpperCase(),
    path,
    summary,
    text,
    parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter as string),
    body: body && { type: typeOf(body.schema), isRequired: requestBody?.required === true },
    query,
    isKeyed: all.some((parameter) => parameter.name === 'Idempotency-Key'),
    isStream,
    answer: success === undefined ? 'never' : answer === undefined ? 'void' : typeOf(answer),
    pages: pagesOf(
      description,
      answer,
      all.map((parameter) => parameter.name),
    ),
  };
}
