// What is wrong with the body of an event by its own schema, which describes every field there may be.
import { Value } from 'typebox/value';
import { EnvelopeSchema } from '../../src/events/body.ts';
import { definitionOf } from '../../src/events/definitions.ts';
import type { Json } from './payment-histories.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema as it stands, and nothing beyond it. */
function closed(schema: Json): Json {
  if (Array.isArray(schema) || !isRecord(schema)) return schema;
  const { properties, items }: Json = schema;
  return {
    ...schema,
    ...(items && { items: closed(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, closed(each)])),
      additionalProperties: false,
    }),
  };
}

export const faultsOf = (body: Json): object[] => [
  ...Value.Errors(closed(EnvelopeSchema(definitionOf(body.event))), body),
];
