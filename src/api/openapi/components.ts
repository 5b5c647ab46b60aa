// Names the schemas of a document: one that has a title becomes a component of that name, and wherever it stood there is
// a reference. Also turns what only our own validator knows into what every reader of OpenAPI does.
import { isDeepStrictEqual } from 'node:util';
import type { Schema } from './document.ts';

/** What our own formats mean to others. Those that are missing add nothing that can be told. */
const FORMATS: Readonly<Record<string, Schema>> = {
  'web-url': { format: 'uri', maxLength: 2048 },
  currency: { pattern: '^[A-Za-z]{3}$' },
  country: { pattern: '^[A-Za-z]{2,3}$' },
  'date-time': { format: 'date-time' },
  uri: { format: 'uri' },
  'webhook-secret': { pattern: '^whsec_[A-Za-z0-9+/]+={0,2}$' },
};

/** What normalize-body.ts goes by. */
type OwnKeywords = { readonly 'x-number-as-text'?: boolean; readonly 'x-text-as'?: string };

export class SchemaNames {
  readonly schemas: Record<string, Schema> = {};

  /** The schema as others read it, with references for all that has a name. */
  publish(schema: Schema): Schema {
    const { title, ...rest } = this.#publishInside(schema);
    if (title === undefined) return rest;
    const known = this.schemas[title];
    if (known !== undefined && !isDeepStrictEqual(known, rest)) throw new Error(`two schemas are called ${title}`);
    this.schemas[title] = rest;
    return { $ref: `#/components/schemas/${title}` };
  }

  #publishInside(schema: Schema): Schema {
    const { format, 'x-number-as-text': _number, 'x-text-as': _text, ...plain } = schema as Schema & OwnKeywords;
    const { properties, items, additionalProperties, anyOf } = plain;
    return {
      ...plain,
      ...(format !== undefined && FORMATS[format]),
      ...(properties && { properties: mapValues(properties, (property) => this.publish(property)) }),
      ...(items && { items: this.publish(items) }),
      ...(anyOf && { anyOf: anyOf.map((each) => this.publish(each)) }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: this.publish(additionalProperties) }),
    };
  }
}

export const mapValues = <Value, Other>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Other,
): Record<string, Other> => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
