// Whoever asked for too much learns so after a moment: coming back at once would cost the service nearly as much as being
// served, and a few connections in a loop would slow everybody. The same for whoever tries one wrong key after the other.
// A held answer takes no processor time and little memory.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Budgets } from '../ops/budget.ts';
import { Room } from '../ops/room.ts';

// Not all for the same time: those who came together do not come back together.
const [LEAST_HELD_MS, MOST_HELD_MS] = [1_000, 2_000];
// Held answers, of which a connection has one at a time: beyond these they leave at once, for a proxy has only so many
// connections.
const MOST_HELD = { ofOne: 256, ofAll: 2_048 };
// Answered at once to an address: people and suites that mistype a key.
const WRONG_KEYS_A_SECOND = 20;

export function holdRefusals(app: FastifyInstance, most = MOST_HELD): void {
  const wrongKeys = new Budgets();
  const places = new Room();
  const isToHold = ({ ip }: FastifyRequest, { statusCode }: FastifyReply): boolean =>
    statusCode === 429 || (statusCode === 401 && wrongKeys.of(ip, WRONG_KEYS_A_SECOND).take() !== undefined);
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode < 400 || reply.raw.destroyed || !isToHold(request, reply)) return done();
    const who = request.merchant?.id ?? request.ip;
    // Whoever waited behind others on its connection has waited already.
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
    // Whoever has left holds nobody else's place.
    reply.raw.once('close', send);
  });
}
