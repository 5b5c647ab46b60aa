// Cookies of the console: SameSite, HttpOnly and, with https, host-only and secure.
import type { FastifyReply, FastifyRequest } from 'fastify';

const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:');
const nameFor = (publicUrl: string, name: string): string => (isSecure(publicUrl) ? `__Host-${name}` : name);

export function readCookie({ headers }: FastifyRequest, publicUrl: string, name: string): string | undefined {
  const start = `${nameFor(publicUrl, name)}=`;
  const pair = headers.cookie?.split(/;\s*/).find((each) => each.startsWith(start));
  return pair?.slice(start.length);
}

export type CookieToSet = {
  readonly name: string;
  readonly value: string;
  /** How long the browser keeps it; undefined: until it is closed. */
  readonly seconds?: number;
};

export function setCookie(reply: FastifyReply, publicUrl: string, { name, value, seconds }: CookieToSet): void {
  const secure = isSecure(publicUrl) ? '; Secure' : '';
  const lasting = seconds === undefined ? '' : `; Max-Age=${seconds}`;
  reply.header('set-cookie', `${nameFor(publicUrl, name)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${lasting}`);
}
