// The cookie that holds a session's secret.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from './cookie.ts';

const NAME = 'kassa-session';
const SECRET = /^[\w-]{43}$/;

export function readSessionCookie(request: FastifyRequest, publicUrl: string): string | undefined {
  const secret = readCookie(request, publicUrl, NAME);
  return secret !== undefined && SECRET.test(secret) ? secret : undefined;
}

/** It goes with the browser; when it ends is the session's own business. */
export const setSessionCookie = (reply: FastifyReply, publicUrl: string, secret: string): void =>
  setCookie(reply, publicUrl, { name: NAME, value: secret });

export const clearSessionCookie = (reply: FastifyReply, publicUrl: string): void =>
  setCookie(reply, publicUrl, { name: NAME, value: '', seconds: 0 });
