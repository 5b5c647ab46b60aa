// CSRF protection: checks that a changing request comes from a console page, by the browser's own headers, which other
// sites cannot forge.
import type { FastifyRequest } from 'fastify';

const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** By the configured address, or by the host that the browser asked: the cookie goes to none but that. */
function isOurs(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (origin === new URL(publicUrl).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

export function isForeign({ method, headers }: FastifyRequest, publicUrl: string): boolean {
  if (isSafe(method)) return false;
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return true;
  return origin === undefined || !isOurs(origin, host, publicUrl);
}
