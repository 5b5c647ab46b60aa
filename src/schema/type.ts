// JSON schemas that are types as well, written as typebox has them: Type.Object({ amount: Type.Integer() }). Typebox gives
// the types. Of its functions these are all that we use, and its own would load four hundred modules at every start, a
// third of the time that the whole program takes to load.
import type { Type } from 'typebox';

export type { Static, TObject, TProperties, TSchema } from 'typebox';

// As typebox marks what an object may leave out: in the type, and hidden in the schema itself.
const OPTIONAL = '~optional';

/** What typebox says of the function of that name: that it returns more than a plain schema is known to its types alone. */
const as = <Made>(schema: object): Made => schema as Made;

const array: typeof Type.Array = (items, options) => as({ type: 'array', items, ...options });
const boolean: typeof Type.Boolean = (options) => as({ type: 'boolean', ...options });
const integer: typeof Type.Integer = (options) => as({ type: 'integer', ...options });
const number: typeof Type.Number = (options) => as({ type: 'number', ...options });
const string: typeof Type.String = (options) => as({ type: 'string', ...options });
const union: typeof Type.Union = (anyOf, options) => as({ anyOf, ...options });

/** A schema whose type is given and not read from it. */
const unsafe: typeof Type.Unsafe = (schema) => as(schema);

const optional: typeof Type.Optional = (schema) => as(Object.defineProperty({ ...schema }, OPTIONAL, { value: true }));

const object: typeof Type.Object = (properties, options) => {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] as object)));
  return as({ type: 'object', ...(required.length > 0 && { required }), properties, ...options });
};

/** An object with any names, and values of one kind. */
const record = <Value extends Type.TSchema>(
  _name: Type.TString,
  value: Value,
  options?: Type.TObjectOptions,
): Type.TRecord<'^.*$', Value> => as({ type: 'object', ...options, additionalProperties: value });

export {
  array as Array,
  boolean as Boolean,
  integer as Integer,
  number as Number,
  object as Object,
  optional as Optional,
  record as Record,
  string as String,
  union as Union,
  unsafe as Unsafe,
};
