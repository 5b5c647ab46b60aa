// Tidies a parsed body by its schema before it is checked, so that what real clients send is taken: a null is the same
// as absent, [] where an object is optional is the same as absent, a whole number where a reference is a text is that
// text. One function is compiled for each schema.

type Schema = {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly 'x-number-as-text'?: boolean;
};
type Tidy = (value: unknown) => unknown;

const isEmptyArray = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function tidyObject(properties: Readonly<Record<string, Schema>>): Tidy {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    isObject: schema.type === 'object',
    tidy: compileTidy(schema),
  }));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const object = value as Record<string, unknown>;
    for (const { name, isObject, tidy } of fields) {
      const field = object[name];
      if (field === undefined) continue;
      if (field === null || (isObject && isEmptyArray(field))) delete object[name];
      else if (tidy) object[name] = tidy(field);
    }
    return object;
  };
}

export function compileTidy(schema: Schema): Tidy | undefined {
  if (schema['x-number-as-text']) return (value) => (Number.isSafeInteger(value) ? String(value) : value);
  if (schema.properties) return tidyObject(schema.properties);
  const tidyItem = schema.items && compileTidy(schema.items);
  if (tidyItem) return (value) => (Array.isArray(value) ? value.map((item) => tidyItem(item)) : value);
  return undefined;
}
