// The fields of a schema as a list: name, type, limits, meaning. Nested objects can be expanded.
import { resolve } from '../../api/openapi/document.ts';
import type { Document, Parameter, Schema } from '../../api/openapi/document.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { inline } from './prose.ts';

const figure = new Intl.NumberFormat('en');

function range(low: number | undefined, high: number | undefined, what: string): string | undefined {
  if (high === undefined) return low === undefined || low === 0 ? undefined : `at least ${figure.format(low)}${what}`;
  if (low === undefined) return `at most ${figure.format(high)}${what}`;
  return `${figure.format(low)} to ${figure.format(high)}${what}`;
}

function typeOf(document: Document, schema: Schema): string {
  const { type = 'any', items, format, anyOf } = resolve<Schema>(document, schema);
  if (anyOf) return 'object';
  if (items) return `array of ${typeOf(document, items)}s`;
  return format === undefined ? type : `${type}, ${format}`;
}

/** Only the error codes have more values; they have a table of their own on the page. */
const MOST_VALUES = 10;
const CODES = 'One of the [error codes](#error-codes).';
/** The variants of a union, which only events are. */
const EVENTS = 'As it is sent: see [every event](#every-event).';

function limitsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, enum: values = [] } = schema;
  const limits = [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' elements'),
    values.length === 1 ? `always ${values[0]}` : undefined,
    values.length > 1 && values.length <= MOST_VALUES ? `one of ${values.join(', ')}` : undefined,
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ];
  return limits.filter((limit) => limit !== undefined);
}

function insideOf(document: Document, schema: Schema): Schema | undefined {
  const whole = resolve<Schema>(document, schema);
  if (whole.items) return insideOf(document, whole.items);
  return Object.keys(whole.properties ?? {}).length > 0 ? whole : undefined;
}

const isEvent = (document: Document, schema: Schema): boolean => {
  const { items, anyOf } = resolve<Schema>(document, schema);
  return items ? isEvent(document, items) : anyOf !== undefined;
};

function textOf(document: Document, { schema, what }: Field): string {
  const { enum: values = [], description = '' } = resolve<Schema>(document, schema);
  if (values.length > MOST_VALUES) return CODES;
  return isEvent(document, schema) ? EVENTS : (what ?? description);
}

type Field = { readonly name: string; readonly schema: Schema; readonly required: boolean; readonly what?: string };

function fieldRow(document: Document, field: Field): Html {
  const { name, schema, required } = field;
  const whole = resolve<Schema>(document, schema);
  const inside = insideOf(document, schema);
  const kind = [typeOf(document, schema), ...limitsOf(whole)].join(', ');
  const text = textOf(document, field);
  return html`<li>
    <p class="field">
      <code>${name}</code> <span class="type">${kind}</span>${required && html` <span class="required">required</span>`}
    </p>
    ${text !== '' && html`<p class="what">${inline(text)}</p>`}
    ${
      inside &&
      html`<details class="inside">
        <summary>Fields of ${name}</summary>
        ${fieldList(document, inside)}
      </details>`
    }
  </li>`;
}

export function fieldList(document: Document, schema: Schema): Html {
  if (isEvent(document, schema)) return html`<p>${inline(EVENTS)}</p>`;
  const { properties = {}, required = [] } = insideOf(document, schema) ?? {};
  const rows = Object.entries(properties).map(([name, property]) =>
    fieldRow(document, { name, schema: property, required: required.includes(name) }),
  );
  return html`<ul class="fields">
    ${rows}
  </ul>`;
}

export function parameterList(document: Document, parameters: readonly Parameter[]): Html {
  const rows = parameters.map(({ name, schema, required = false, description }) =>
    fieldRow(document, { name, schema, required, what: description }),
  );
  return html`<ul class="fields">
    ${rows}
  </ul>`;
}
