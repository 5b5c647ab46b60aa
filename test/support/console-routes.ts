// Every route of the console, as its router has them: whatever is added there is here by itself. And how an address of one
// is made: each part of it is filled with an id of somebody.
import Fastify from 'fastify';
import { routeConsole } from '../../src/console/routes.ts';
import { PagePace } from '../../src/server/page-pace.ts';

export type ConsoleRoute = {
  readonly method: string;
  readonly url: string;
  readonly bodyLimit: number | undefined;
  /** Something is looked at before a body is read. */
  readonly isGuarded: boolean;
};

const OIDC = { issuer: 'https://id.example', clientId: 'kassa', clientSecret: 'secret', roles: [] };

/** What the console is given, without a database. */
export const contextWithoutDatabase = (pace: PagePace): Parameters<typeof routeConsole>[1] =>
  ({
    payments: { store: {} },
    publicUrl: () => 'http://localhost',
    shopUrl: () => 'http://localhost',
    signIn: { oidc: OIDC, onlyOidc: false, idleMinutes: 15 },
    privateHooks: false,
    pace,
  }) as unknown as Parameters<typeof routeConsole>[1];

/** Without a database: nothing of it is called. */
export function consoleRoutes(): ConsoleRoute[] {
  const routes: ConsoleRoute[] = [];
  const app = Fastify();
  const see = (): void =>
    void app.addHook('onRoute', ({ method, url, bodyLimit, onRequest }) => {
      for (const each of [method].flat())
        if (each !== 'HEAD') routes.push({ method: each, url, bodyLimit, isGuarded: onRequest !== undefined });
    });
  // After the hook of the console itself, which says how large a body may be.
  const addHook = app.addHook.bind(app);
  let hooks = 0;
  app.addHook = ((...given: Parameters<typeof addHook>) => {
    const result = addHook(...given);
    if (given[0] === 'onRoute' && (hooks += 1) === 1) see();
    return result;
  }) as typeof addHook;
  routeConsole(app, contextWithoutDatabase(new PagePace({ live: undefined, test: undefined })));
  return routes;
}

export type Ids = Readonly<Record<string, string>>;

// In place of a part that nobody has given an id for yet.
const NOBODYS = '01a1e3f13f6f7395baf8b9db31f9458a';

/** What its address is, with these ids. */
export const pathOf = ({ url }: ConsoleRoute, ids: Ids): string =>
  url.replaceAll(/:(\w+)/g, (_part, name: string) => ids[name] ?? NOBODYS);

export const isApi = ({ url }: ConsoleRoute): boolean => url.startsWith('/console/api/');
export const isOfMerchant = ({ url }: ConsoleRoute): boolean => url.includes(':merchantId');
export const nameOf = ({ method, url }: ConsoleRoute): string => `${method} ${url}`;
