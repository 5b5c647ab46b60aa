// Whether Kassa is only reachable from this machine, judging by its settings. If so it may call hooks at private addresses,
// since it is a developer's machine where nobody else has a key.
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

/** With a proxy on this machine, even a service on loopback may be public. */
export const isReachedFromHereAlone = ({ host, publicUrl, trustedProxies }: Place): boolean =>
  isLoopback(host) &&
  trustedProxies.length === 0 &&
  (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname));

/** Whether test merchants' hooks may be private addresses: by default only if the service is local. */
export const reachesPrivate = (config: Reaching): boolean =>
  config.privateHooks === 'on' || (config.privateHooks === 'auto' && isReachedFromHereAlone(config));

/** The same for a worker. It does not listen, so the address of its database shows whether the service is local. */
export function workerReachesPrivate(config: Reaching): boolean {
  if (config.privateHooks !== 'auto' || config.databaseUrl === undefined) return reachesPrivate(config);
  const isHere = (server: string): boolean => {
    const { hostname, searchParams } = new URL(server);
    // The host parameter overrides the host. Without either, or with a folder, it is a local socket.
    const host = searchParams.get('host') || hostname;
    return host === '' || host.startsWith('/') || isLoopback(host);
  };
  return reachesPrivate(config) && serversOf(config.databaseUrl).every(isHere);
}
