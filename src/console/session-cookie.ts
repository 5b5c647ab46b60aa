// The cookie that holds a session's secret: for our pages alone, out of reach of scripts, and where the address is https
// for this very host alone.
import type { FastifyReply, FastifyRequest } from 'fastify';

const PLAIN_NAME = 'kassa-session';
const SECURE_NAME = `__Host-${PLAIN_NAME}`;
const SECRET = /^[\w-]{43}$/;

const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:');
const nameFor = (publicUrl: string): string => (isSecure(publicUrl) ? SECURE_NAME : PLAIN_NAME);

export function readSessionCookie({ headers }: FastifyRequest, publicUrl: string): string | undefined {
  const start = `${nameFor(publicUrl)}=`;
  const pair = headers.cookie?.split(/;\s*/).find((each) => each.startsWith(start));
  const secret = pair?.slice(start.length);
  return secret !== undefined && SECRET.test(secret) ? secret : undefined;
}

function setCookie(reply: FastifyReply, publicUrl: string, value: string, more: string): void {
  const secure = isSecure(publicUrl) ? '; Secure' : '';
  reply.header('set-cookie', `${nameFor(publicUrl)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${more}`);
}

/** It goes with the browser; when it ends is the session's own business. */
export const setSessionCookie = (reply: FastifyReply, publicUrl: string, secret: string): void =>
  setCookie(reply, publicUrl, secret, '');

export const clearSessionCookie = (reply: FastifyReply, publicUrl: string): void =>
  setCookie(reply, publicUrl, '', '; Max-Age=0');
