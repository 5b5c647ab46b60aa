// Delays 429 and 401 responses. A client that retries at once would cost nearly as much as serving it, and a few
// connections in a loop would slow everybody. The same holds for trying one wrong key after another. A held response
// takes no processor time and little memory.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Budgets } from '../ops/budget.ts';
import { Room } from '../ops/room.ts';

// Random, so that clients refused together do not come back together.
const [LEAST_HELD_MS, MOST_HELD_MS] = [1_000, 2_000];
// The most responses held at once, one per connection. Further ones are sent immediately, since a proxy has a limited
// number of connections.
const MOST_HELD = { ofOne: 256, ofAll: 2_048 };
// Sent immediately to an address, for people and test suites that mistype a key.
const WRONG_KEYS_A_SECOND = 20;

export function holdRefusals(app: FastifyInstance, most = MOST_HELD): void {
  const wrongKeys = new Budgets();
  const places = new Room();
  const isToHold = ({ ip }: FastifyRequest, { statusCode }: FastifyReply): boolean =>
    statusCode === 429 || (statusCode === 401 && wrongKeys.of(ip, WRONG_KEYS_A_SECOND).take() !== undefined);
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode < 400 || reply.raw.destroyed || !isToHold(request, reply)) return done();
    const who = request.merchant?.id ?? request.ip;
    // It has already waited behind others on its connection.
    const heldMs = LEAST_HELD_MS + Math.random() * (MOST_HELD_MS - LEAST_HELD_MS) - reply.elapsedTime;
    const leave =
      heldMs > 0
        ? places.take([
            [who, most.ofOne],
            [places, most.ofAll],
          ])
        : undefined;
    if (leave === undefined) return done();
    const send = (): void => {
      clearTimeout(timer);
      reply.raw.off('close', send);
      leave();
      done();
    };
    const timer = setTimeout(send, heldMs);
    // A client that disconnects frees its place.
    reply.raw.once('close', send);
  });
}
