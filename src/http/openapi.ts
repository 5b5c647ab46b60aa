// The description of the API in OpenAPI 3.1, made once of the routes themselves: a body or query is documented by the
// very schema that checks it. Nothing of this is touched by other requests.
import swagger from '@fastify/swagger';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { complete, TRAITS } from './openapi/complete.ts';
import type { Traits, Unserved } from './openapi/complete.ts';
import type { Document } from './openapi/document.ts';
import { INFO, TAGS } from './openapi/info.ts';

const traitsOf = ({ url, config }: RouteOptions): Traits => ({
  needsKey: url.startsWith('/v1/'),
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

/** The description of a service that is reached under an address. */
export function documentOf(app: FastifyInstance, publicUrl: string): Document {
  const { openapi, info, tags, paths, webhooks, components } = complete(app.swagger() as unknown as Unserved);
  return { openapi, info, servers: [{ url: publicUrl }], tags, paths, webhooks, components };
}
