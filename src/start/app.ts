// The routes of the main port: the documentation, the merchant's API, and more.
import type { FastifyInstance } from 'fastify';
import { routeApi } from '../api/api.ts';
import type { ApiOptions } from '../api/api.ts';
import { routeDocs } from '../docs/routes.ts';
import type { DocsOptions } from '../docs/site/served.ts';
import { limitPages } from '../server/page-limit.ts';
import { buildServer } from '../server/server.ts';
import type { ServerOptions } from '../server/server.ts';

export type AppOptions = Omit<ServerOptions, 'routes'> &
  ApiOptions & {
    /** What else the documentation links to and shows. */
    readonly docs?: DocsOptions;
    /** Further routes: the checkout, the console, the demo shop. */
    readonly others?: (app: FastifyInstance) => Promise<void>;
  };

export const buildApp = (options: AppOptions): Promise<FastifyInstance> =>
  buildServer({
    ...options,
    routes: [
      (app) => routeDocs(app, options.publicUrl, limitPages(), options.docs),
      async (app) => app.register(async (api) => routeApi(api, options)),
      async (app) => options.others?.(app),
    ],
  });
