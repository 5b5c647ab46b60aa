// Remembers the requested page in a cookie while the person signs in with a link.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '../cookie.ts';
import { ownPath } from '../proof.ts';

const NAME = 'kassa-next';
const SECONDS = 30 * 60;
const LONGEST = 1_024;

/** A path of the console; its first page is where one goes anyway. */
export function rememberNext(reply: FastifyReply, publicUrl: string, root: string, next: string): void {
  if (next === `${root}/console` || next.length > LONGEST) return;
  setCookie(reply, publicUrl, { name: NAME, value: Buffer.from(next).toString('base64url'), seconds: SECONDS });
}

/** Whatever the browser holds, it leads to the console and nowhere else. */
export const readNext = (request: FastifyRequest, publicUrl: string, root: string): string =>
  ownPath(root, Buffer.from(readCookie(request, publicUrl, NAME) ?? '', 'base64url').toString());

export function forgetNext(request: FastifyRequest, reply: FastifyReply, publicUrl: string): void {
  if (readCookie(request, publicUrl, NAME) !== undefined)
    setCookie(reply, publicUrl, { name: NAME, value: '', seconds: 0 });
}
