// Collects named schemas: one with a title becomes a component, replaced by references. Also translates the keywords of
// our own validator into standard OpenAPI.
import { isDeepStrictEqual } from 'node:util';
import type { Schema } from './document.ts';

/** Our own formats in standard terms. Formats that are missing have no equivalent. */
const FORMATS: Readonly<Record<string, Schema>> = {
  'web-url': { format: 'uri', maxLength: 2048 },
  currency: { pattern: '^[A-Za-z]{3}$' },
  country: { pattern: '^[A-Za-z]{2,3}$' },
  'date-time': { format: 'date-time' },
  uri: { format: 'uri' },
  'webhook-secret': { pattern: '^whsec_[A-Za-z0-9+/]+={0,2}$' },
};

/** Instructions to normalize-body.ts. */
type OwnKeywords = { readonly 'x-number-as-text'?: boolean; readonly 'x-text-as'?: string };

export class SchemaNames {
  readonly schemas: Record<string, Schema> = {};

  /** The schema for other tools, with references to everything that has a name. */
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
