// Normalizes a parsed body by its schema before validation, so that common sloppiness of clients is accepted: null means
// absent, and so do [] for an optional object and "" for a URL; a whole number where a reference is expected becomes a
// string; a string where an object with one main field is expected becomes that field. An array or record that is too
// long is refused here: each element of a megabyte of `{}` breaks several rules, and collecting them all would take
// seconds and gigabytes. One function is compiled for each schema.
import { badField } from '../server/problem.ts';

type Schema = {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly format?: string;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly 'x-number-as-text'?: boolean;
  /** A string in place of this object is its field of that name. */
  readonly 'x-text-as'?: string;
};
/** Normalizes the value of the field at that path. */
type Normalizer = (value: unknown, path: string) => unknown;

export const isEmptyArray = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function tidyObject(properties: Readonly<Record<string, Schema>>): Normalizer {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    isObject: schema.type === 'object',
    isWebUrl: schema.format === 'web-url',
    normalize: compileNormalizer(schema),
  }));
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const object = value as Record<string, unknown>;
    for (const { name, isObject, isWebUrl, normalize } of fields) {
      const field = object[name];
      if (field === undefined) continue;
      const isAbsent = field === null || (isObject && isEmptyArray(field)) || (isWebUrl && field === '');
      if (isAbsent) delete object[name];
      else if (normalize) object[name] = normalize(field, path === '' ? name : `${path}.${name}`);
    }
    return object;
  };
}

function tidyArray(tidyItem: Normalizer | undefined, most: number): Normalizer {
  return (value, path) => {
    if (!Array.isArray(value)) return value;
    if (value.length > most) throw badField(path, `must have at most ${most} elements, found ${value.length}`);
    return tidyItem ? value.map((item, index) => tidyItem(item, `${path}[${index}]`)) : value;
  };
}

function limitNames(most: number): Normalizer {
  return (value, path) => {
    const names = typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
    if (names > most) throw badField(path, `must have at most ${most} names, found ${names}`);
    return value;
  };
}

export function compileNormalizer(schema: Schema): Normalizer | undefined {
  if (schema['x-number-as-text']) return (value) => (Number.isSafeInteger(value) ? String(value) : value);
  const { 'x-text-as': name } = schema;
  const tidy = schema.properties && tidyObject(schema.properties);
  if (tidy && name) return (value, path) => tidy(typeof value === 'string' ? { [name]: value } : value, path);
  if (tidy) return tidy;
  if (schema.maxProperties !== undefined) return limitNames(schema.maxProperties);
  return schema.items && tidyArray(compileNormalizer(schema.items), schema.maxItems ?? Infinity);
}
