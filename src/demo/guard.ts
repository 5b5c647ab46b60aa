// Who may make the demo shop do something: its own pages, and not too often. The shop holds a key and asks visitors for
// none, so another site must not be able to press its buttons.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Window } from '../ops/window.ts';

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
  const window = new Window(60_000);
  return (address) => {
    const counted = window.count(address, most);
    return typeof counted === 'number' ? counted : undefined;
  };
}
