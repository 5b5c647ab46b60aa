// From the schemas of openapi.json to types of TypeScript. A keyword that it does not know is an error: a type that says
// less than the description would be taken for the truth.

export type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
};

// What makes a type.
const TYPING = ['$ref', 'type', 'enum', 'anyOf', 'items', 'properties', 'required', 'additionalProperties'];
// What narrows a value and has no type of its own.
const NARROWING = ['format', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'];
const TELLING = ['description', 'example', 'examples', 'default', 'title', 'deprecated'];
const COUNTING = ['uniqueItems', 'minProperties', 'maxProperties'];
const KNOWN = new Set([...TYPING, ...NARROWING, ...TELLING, ...COUNTING]);

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
};

export const nameOfRef = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

const commentOf = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n`;

const keyOf = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : `'${name}'`);

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const names = Object.entries(properties);
  if (names.length === 0) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }
  const inner = `${indent}  `;
  const lines = names.map(([name, schema]) => {
    const isRequired = required.includes(name);
    const type = typeOf(schema, inner);
    // What is undefined is not sent, so that it may be given.
    const field = `readonly ${keyOf(name)}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};\n`;
    return `${commentOf(schema.description, inner)}${inner}${field}`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

export function typeOf(schema: Schema, indent = ''): string {
  const unknown = Object.keys(schema).filter((keyword) => !KNOWN.has(keyword));
  if (unknown.length > 0) throw new Error(`No type is known for ${unknown.join()} of ${JSON.stringify(schema)}.`);
  if (schema.$ref !== undefined) return nameOfRef(schema.$ref);
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, indent)).join(`\n${indent}  | `);
  if (schema.enum)
    return schema.enum.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ');
  if (schema.type === 'object') return objectOf(schema, indent);
  if (schema.type === 'array') {
    const item = typeOf(schema.items ?? {}, indent);
    return /^[\w$]+$/.test(item) ? `readonly ${item}[]` : `ReadonlyArray<${item}>`;
  }
  const plain = PLAIN[schema.type ?? ''];
  if (plain === undefined) throw new Error(`No type is known for ${JSON.stringify(schema)}.`);
  return plain;
}

/** A type for each schema, under its name. */
export const typesOf = (schemas: Readonly<Record<string, Schema>>): string =>
  Object.entries(schemas)
    .map(([name, schema]) => `${commentOf(schema.description, '')}export type ${name} = ${typeOf(schema)};\n`)
    .join('\n');
