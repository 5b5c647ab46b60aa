// The description of the API in OpenAPI 3.1 begins here, with the routes themselves: a body or query is documented by the
// very schema that checks it. openapi/complete.ts makes the document of them, when it is asked for.
import swagger from '@fastify/swagger';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { INFO, TAGS } from './openapi/info.ts';

/** What a route tells of itself beyond its schema. */
export type Traits = { readonly needsKey: boolean; readonly keyed: boolean; readonly bodyOptional: boolean };

export const TRAITS = 'x-traits';

const traitsOf = ({ url, config }: RouteOptions): Traits => ({
  needsKey: /^\/(?:report\/)?v1\//.test(url),
  keyed: config?.keyed ?? false,
  bodyOptional: config?.bodyOptional ?? false,
});

/** Watches the routes that are added from now on. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: INFO, tags: [...TAGS] },
    transform: ({ schema, url, route }) => ({ schema: { ...schema, [TRAITS]: traitsOf(route) }, url }),
  });
}
