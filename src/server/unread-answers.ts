// Bounds the memory of responses that are sent and not read yet, per merchant. A merchant over the limit gets 429 until
// its clients have read some.
import type { FastifyInstance } from 'fastify';
import { Room } from '../ops/room.ts';
import { TooManyRequests } from './too-many-requests.ts';

// Dozens of pages, or eight of the largest payments.
const MOST_UNREAD_BYTES = 16_777_216;
// Smaller ones count as read: the kernel's buffer takes them at once.
const SMALL_BYTES = 65_536;

export function limitUnreadAnswers(api: FastifyInstance): void {
  const unread = new Room();
  api.addHook('onRequest', (request, _reply, done) => {
    if (unread.isFree(request.merchant?.id, MOST_UNREAD_BYTES)) return done();
    done(new TooManyRequests('More than 16 MiB of answers to you wait to be read; read them first.'));
  });
  api.addHook('onSend', (request, reply, payload, done) => {
    const { merchant } = request;
    if (merchant === null || typeof payload !== 'string' || payload.length < SMALL_BYTES) return done();
    // The client is gone, and no event would report the response as read.
    if (reply.raw.destroyed) return done();
    const read = unread.take([[merchant.id, Number.POSITIVE_INFINITY]], payload.length);
    if (read) reply.raw.once('close', read);
    done();
  });
}
