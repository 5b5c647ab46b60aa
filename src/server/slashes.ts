// Some clients join the base URL and a path with two slashes. For merchants with the dialect nexi, /v1//payments is
// /v1/payments; for others it is a 404. The dialect is only known after routing, so the path is corrected before it, and
// refused after it.
import type { IncomingMessage } from 'node:http';

const rewritten = new WeakSet<IncomingMessage>();

/** The URL that is routed. */
export function collapseSlashes(raw: IncomingMessage): string {
  const url = raw.url ?? '/';
  if (!url.includes('//')) return url;
  const [path = ''] = url.split('?', 1);
  const collapsed = path.replaceAll(/\/{2,}/g, '/');
  if (collapsed === path || !/^\/v1\//i.test(collapsed)) return url;
  rewritten.add(raw);
  return collapsed + url.slice(path.length);
}

export const hadTooManySlashes = (raw: IncomingMessage): boolean => rewritten.has(raw);
