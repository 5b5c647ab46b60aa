// Some clients join an address and a path so that two slashes stand between them. In dialect nexi, whose clients they are,
// /v1//payments is /v1/payments; for everybody else nothing is there. Which dialect it is shows only after the routing, so
// the path is put right before that, and refused after it.
import type { IncomingMessage } from 'node:http';

const rewritten = new WeakSet<IncomingMessage>();

/** The address that is routed. */
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
