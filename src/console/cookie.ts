// Cookies of the console: SameSite, HttpOnly and, with https, host-only and secure. One of them holds a session's secret.
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

const SESSION = 'kassa-session';
const SECRET = /^[\w-]{43}$/;

export function readSessionCookie(request: FastifyRequest, publicUrl: string): string | undefined {
  const secret = readCookie(request, publicUrl, SESSION);
  return secret !== undefined && SECRET.test(secret) ? secret : undefined;
}

/** It goes with the browser; when it ends is the session's own business. */
export const setSessionCookie = (reply: FastifyReply, publicUrl: string, secret: string): void =>
  setCookie(reply, publicUrl, { name: SESSION, value: secret });

export const clearSessionCookie = (reply: FastifyReply, publicUrl: string): void =>
  setCookie(reply, publicUrl, { name: SESSION, value: '', seconds: 0 });
