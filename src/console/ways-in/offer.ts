// Whether somebody who came in by a link is offered a way in of their own: they are not forced, and not asked every day.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '../cookie.ts';

const NAME = 'kassa-later';
const SECONDS = 30 * 86_400;

export const offerLater = (reply: FastifyReply, publicUrl: string): void =>
  setCookie(reply, publicUrl, { name: NAME, value: 'yes', seconds: SECONDS });

export const isForLater = (request: FastifyRequest, publicUrl: string): boolean =>
  readCookie(request, publicUrl, NAME) !== undefined;
