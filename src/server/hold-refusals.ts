// Whoever asked for too much learns so after a moment: coming back at once would cost the service nearly as much as being
// served, and a few connections in a loop would slow everybody. The same for whoever tries one wrong key after the other.
// A held answer takes no processor time and little memory.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Budgets, spendOne } from './rate-limit.ts';

// Not all for the same time: those who came together do not come back together.
const [LEAST_HELD_MS, MOST_HELD_MS] = [1_000, 2_000];
// Held answers, of which a connection has one at a time: beyond these they leave at once, for a proxy has only so many
// connections.
const MOST_HELD = { ofOne: 256, ofAll: 2_048 };
// Answered at once to an address: people and suites that mistype a key.
const WRONG_KEYS_A_SECOND = 20;

/** How many answers are held, of whom. */
class Places {
  readonly #most: typeof MOST_HELD;
  readonly #ofOne = new Map<string | number, number>();
  #ofAll = 0;

  constructor(most: typeof MOST_HELD) {
    this.#most = most;
  }

  /** False where there is no place left. */
  take(who: string | number): boolean {
    const ofOne = this.#ofOne.get(who) ?? 0;
    if (ofOne >= this.#most.ofOne || this.#ofAll >= this.#most.ofAll) return false;
    this.#ofOne.set(who, ofOne + 1);
    this.#ofAll += 1;
    return true;
  }

  leave(who: string | number): void {
    this.#ofAll -= 1;
    const left = (this.#ofOne.get(who) ?? 1) - 1;
    if (left > 0) this.#ofOne.set(who, left);
    else this.#ofOne.delete(who);
  }
}

export function holdRefusals(app: FastifyInstance, most = MOST_HELD): void {
  const wrongKeys = new Budgets();
  const places = new Places(most);
  const isToHold = ({ ip }: FastifyRequest, { statusCode }: FastifyReply): boolean =>
    statusCode === 429 || (statusCode === 401 && spendOne(wrongKeys.of(ip, WRONG_KEYS_A_SECOND)) !== undefined);
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode < 400 || !isToHold(request, reply)) return done();
    const who = request.merchant?.id ?? request.ip;
    // Whoever waited behind others on its connection has waited already.
    const heldMs = LEAST_HELD_MS + Math.random() * (MOST_HELD_MS - LEAST_HELD_MS) - reply.elapsedTime;
    if (heldMs <= 0 || !places.take(who)) return done();
    const send = (): void => {
      clearTimeout(timer);
      reply.raw.off('close', send);
      places.leave(who);
      done();
    };
    const timer = setTimeout(send, heldMs);
    // Whoever has left holds nobody else's place.
    reply.raw.once('close', send);
  });
}
