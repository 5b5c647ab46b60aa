// Validators for request schemas, compiled by Ajv when the first request of a route arrives. Loading Ajv and compiling
// all of them would take a third of the start, and most are never needed in a process.
import { createRequire } from 'node:module';
import type { Ajv, Options, ValidateFunction } from 'ajv';
import type { FastifyServerOptions } from 'fastify';
import { formats } from './formats.ts';

// Nothing is coerced or dropped silently; all errors are collected, with the value found. Our own keywords begin with
// x-, as OpenAPI requires. The schemas are constants, which a test checks.
const OPTIONS: Options = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  allErrors: true,
  verbose: true,
  addUsedSchema: false,
  meta: false,
  validateSchema: false,
  keywords: ['x-number-as-text', 'x-text-as'],
  formats,
};

type Check = ((data: unknown) => boolean) & { errors?: ValidateFunction['errors'] };

/** An Ajv with our formats and keywords. */
export function openAjv(more: Options = {}): Ajv {
  const { Ajv: Opened } = createRequire(import.meta.url)('ajv') as { Ajv: typeof Ajv };
  return new Opened({ ...OPTIONS, ...more });
}

/** How Fastify obtains the validators of an app's routes. */
function buildChecks(): (route: { readonly schema: unknown }) => Check {
  let ajv: Ajv | undefined;
  return ({ schema }) => {
    let compiled: ValidateFunction | undefined;
    const check: Check = (data) => {
      compiled ??= (ajv ??= openAjv()).compile(schema as object);
      const isValid = compiled(data);
      check.errors = compiled.errors;
      return isValid;
    };
    return check;
  };
}

export const COMPILERS = {
  buildValidator: buildChecks,
  // Responses are strings already; their schemas are documentation.
  buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
};

/** Cast for Fastify, whose types only know Ajv's own compilers. */
export const SCHEMA_CONTROLLER = { compilersFactory: COMPILERS } as unknown as NonNullable<
  FastifyServerOptions['schemaController']
>;
