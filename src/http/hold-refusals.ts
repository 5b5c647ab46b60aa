// Whoever asked for too much learns so after a moment: coming back at once would cost the service nearly as much as being
// served, and a few connections in a loop would slow everybody. The same for whoever tries one wrong key after the other.
// A held answer takes no processor time and little memory.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Budgets, spendOne } from './rate-limit.ts';

// Not all for the same time: those who came together do not come back together.
const [LEAST_HELD_MS, MOST_HELD_MS] = [1_000, 2_000];
// A held answer holds a connection, and a proxy has only so many: beyond these it leaves at once.
const MOST_HELD = { ofOne: 128, ofAll: 1_024 };
// Answered at once to an address: people and suites that mistype a key.
const WRONG_KEYS_A_SECOND = 20;

export function holdRefusals(app: FastifyInstance, most = MOST_HELD): void {
  const wrongKeys = new Budgets();
  const held = new Map<string | number, number>();
  let heldInAll = 0;
  const isToHold = ({ ip }: FastifyRequest, { statusCode }: FastifyReply): boolean =>
    statusCode === 429 || (statusCode === 401 && spendOne(wrongKeys.of(ip, WRONG_KEYS_A_SECOND)) !== undefined);
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode < 400 || !isToHold(request, reply)) return done();
    const who = request.merchant?.id ?? request.ip;
    const ofOne = held.get(who) ?? 0;
    if (ofOne >= most.ofOne || heldInAll >= most.ofAll) return done();
    held.set(who, ofOne + 1);
    heldInAll += 1;
    const send = (): void => {
      clearTimeout(timer);
      reply.raw.off('close', send);
      heldInAll -= 1;
      const left = (held.get(who) ?? 1) - 1;
      if (left > 0) held.set(who, left);
      else held.delete(who);
      done();
    };
    const timer = setTimeout(send, LEAST_HELD_MS + Math.random() * (MOST_HELD_MS - LEAST_HELD_MS));
    // Whoever has left holds nobody else's place.
    reply.raw.once('close', send);
  });
}
