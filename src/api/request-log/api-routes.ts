// The routes of the merchant's API, for whoever lets people choose among them.
import type { FastifyInstance } from 'fastify';

export type ApiRoute = { readonly method: string; readonly url: string };

declare module 'fastify' {
  interface FastifyInstance {
    /** Complete once the service listens. */
    readonly apiRoutes: ApiRoute[];
  }
}

export function noteApiRoutes(api: FastifyInstance): void {
  api.addHook('onRoute', ({ method, url }) => {
    const methods = [method].flat().filter((each) => each !== 'HEAD' && each !== 'OPTIONS');
    for (const each of methods) api.apiRoutes.push({ method: each, url });
  });
}
