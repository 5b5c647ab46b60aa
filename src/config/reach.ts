// Who reaches Kassa, as far as its settings tell, and so whom it may reach: hooks to private addresses are for the machine
// of a developer, where nobody else holds a key.
import { isIPv4 } from 'node:net';
import { serversOf } from './database-url.ts';

type Place = {
  readonly host: string;
  readonly publicUrl: string | undefined;
  readonly trustedProxies: readonly string[];
};

type Reaching = Place & {
  readonly privateHooks: 'auto' | 'on' | 'off';
  readonly databaseUrl: string | undefined;
};

const isLoopback = (host: string): boolean =>
  isIPv4(host) ? host.startsWith('127.') : /^(?:::1|\[::1\]|(?:.+\.)?localhost)$/i.test(host);

/** Behind a proxy on this machine everybody may come to a service that listens on loopback. */
export const isReachedFromHereAlone = ({ host, publicUrl, trustedProxies }: Place): boolean =>
  isLoopback(host) &&
  trustedProxies.length === 0 &&
  (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname));

/** Whether test merchants' hooks may reach private addresses: by itself only a service that this machine alone reaches. */
export const reachesPrivate = (config: Reaching): boolean =>
  config.privateHooks === 'on' || (config.privateHooks === 'auto' && isReachedFromHereAlone(config));

/** The same for a worker: it does not listen, so where its database is tells whether the service is on this machine. */
export function workerReachesPrivate(config: Reaching): boolean {
  if (config.privateHooks !== 'auto' || config.databaseUrl === undefined) return reachesPrivate(config);
  const isHere = (server: string): boolean => {
    const { hostname, searchParams } = new URL(server);
    // A parameter counts more than the host. Without either, or with a folder, it is a socket of this machine.
    const host = searchParams.get('host') || hostname;
    return host === '' || host.startsWith('/') || isLoopback(host);
  };
  return reachesPrivate(config) && serversOf(config.databaseUrl).every(isHere);
}
