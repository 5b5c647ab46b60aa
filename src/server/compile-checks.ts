// The checks of what is sent to a route, compiled by Ajv from the route's schemas when the first such request comes. To
// load Ajv and to compile them all would take a third of a start; most of them are never asked for in a process.
import { createRequire } from 'node:module';
import type { Ajv, Options, ValidateFunction } from 'ajv';
import type { FastifyServerOptions } from 'fastify';
import { formats } from './formats.ts';

// Nothing is coerced or dropped silently; every error is collected, with the value that was found. Our own keywords of
// schemas begin with x-, as OpenAPI wants them. The schemas themselves are constants of ours: a test checks them.
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

/** Opens an Ajv with our formats and keywords. */
export function openAjv(more: Options = {}): Ajv {
  const { Ajv: Opened } = createRequire(import.meta.url)('ajv') as { Ajv: typeof Ajv };
  return new Opened({ ...OPTIONS, ...more });
}

/** How Fastify gets the checks of an app's routes. */
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
  // Answers are texts already; the schemas of answers are documentation.
  buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
};

/** As Fastify wants them, whose types know Ajv's own compilers only. */
export const SCHEMA_CONTROLLER = { compilersFactory: COMPILERS } as unknown as NonNullable<
  FastifyServerOptions['schemaController']
>;
