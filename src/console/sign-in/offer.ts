// Whether to offer registering a credential after a sign-in with a link: optional, and not every day.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '../cookie.ts';

const NAME = 'kassa-later';
const SECONDS = 30 * 86_400;

export const offerLater = (reply: FastifyReply, publicUrl: string): void =>
  setCookie(reply, publicUrl, { name: NAME, value: 'yes', seconds: SECONDS });

export const isForLater = (request: FastifyRequest, publicUrl: string): boolean =>
  readCookie(request, publicUrl, NAME) !== undefined;
