// Who may make the demo shop do something: its own pages, and not too often. The shop holds a key and asks visitors for
// none, so another site must not be able to press its buttons.
import type { FastifyReply, FastifyRequest } from 'fastify';

const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 10_000;

/** Why a request does not come from a page of the shop; undefined when it does. */
export function reasonForeign(request: FastifyRequest, publicUrl: string): string | undefined {
  const { origin: home } = new URL(publicUrl);
  const { origin, 'sec-fetch-site': site } = request.headers;
  // Compared with the configured address and not with the request's own host, which a foreign name can point to us.
  if (origin === home && (site === undefined || site === 'same-origin')) return undefined;
  return `This works from the shop's own pages only, and they are at ${home}.`;
}

export const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.code(status).send({ message });

/** Counts an address within a minute; gives the seconds to wait once it is too much, and otherwise nothing. */
export function limitPerMinute(most: number): (address: string) => number | undefined {
  let startedAt = 0;
  const counts = new Map<string, number>();
  return (address) => {
    const now = performance.now();
    if (startedAt === 0 || now - startedAt >= WINDOW_MS) {
      startedAt = now;
      counts.clear();
    }
    const count = (counts.get(address) ?? 0) + 1;
    if (counts.size < MOST_ADDRESSES || counts.has(address)) counts.set(address, count);
    return count > most ? Math.ceil((startedAt + WINDOW_MS - now) / 1_000) : undefined;
  };
}
