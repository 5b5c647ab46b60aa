// Answers that are sent and not read yet are held in memory. A merchant may have some of them; who has more is told to
// read first, instead of being given more to hold.
import type { FastifyInstance } from 'fastify';
import { TooManyRequests } from './too-many-requests.ts';

// Dozens of pages, or eight of the largest payments.
const MOST_UNREAD_BYTES = 16_777_216;
// Smaller ones are as good as read: the system takes them at once.
const SMALL_BYTES = 65_536;

export function limitUnreadAnswers(api: FastifyInstance): void {
  const unread = new Map<number, number>();
  api.addHook('onRequest', (request, reply, done) => {
    const bytes = unread.size === 0 ? 0 : (unread.get(request.merchant?.id ?? 0) ?? 0);
    if (bytes < MOST_UNREAD_BYTES) return done();
    reply.header('retry-after', 1);
    done(new TooManyRequests('More than 16 MiB of answers to you wait to be read; read them first.'));
  });
  api.addHook('onSend', (request, reply, payload, done) => {
    const { merchant } = request;
    if (merchant === null || typeof payload !== 'string' || payload.length < SMALL_BYTES) return done();
    // Nobody is there any more, and nothing would tell that it is read.
    if (reply.raw.destroyed) return done();
    const { length } = payload;
    unread.set(merchant.id, (unread.get(merchant.id) ?? 0) + length);
    reply.raw.once('close', () => {
      const left = (unread.get(merchant.id) ?? 0) - length;
      if (left > 0) unread.set(merchant.id, left);
      else unread.delete(merchant.id);
    });
    done();
  });
}
