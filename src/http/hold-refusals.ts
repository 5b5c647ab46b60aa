// Whoever asked for too much learns so after a moment: coming back at once would cost the service nearly as much as being
// served, and a few connections in a loop would slow everybody. The same for whoever tries one wrong key after the other.
// A held answer takes no processor time and little memory.
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Budgets, spendOne } from './rate-limit.ts';

// Not all for the same time: those who came together do not come back together.
const [LEAST_HELD_MS, MOST_HELD_MS] = [1_000, 2_000];
// Connections with held answers, of which a proxy has only so many: beyond these an answer leaves at once. What was sent
// one after the other on a connection is answered in turn, and takes no more than its one place.
const MOST_HELD = { ofOne: 256, ofAll: 2_048 };
// Answered at once to an address: people and suites that mistype a key.
const WRONG_KEYS_A_SECOND = 20;

/** Connections that hold answers, each with how many and for whom: a proxy's may carry several clients' requests. */
class Places {
  readonly #most: typeof MOST_HELD;
  readonly #taken = new Map<Socket, { readonly who: string | number; answers: number }>();
  readonly #ofOne = new Map<string | number, number>();

  constructor(most: typeof MOST_HELD) {
    this.#most = most;
  }

  /** False where there is no place left. */
  take(who: string | number, socket: Socket): boolean {
    const place = this.#taken.get(socket);
    if (place) place.answers += 1;
    if (place) return true;
    const ofOne = this.#ofOne.get(who) ?? 0;
    if (ofOne >= this.#most.ofOne || this.#taken.size >= this.#most.ofAll) return false;
    this.#ofOne.set(who, ofOne + 1);
    this.#taken.set(socket, { who, answers: 1 });
    return true;
  }

  leave(socket: Socket): void {
    const place = this.#taken.get(socket);
    if (!place) return;
    place.answers -= 1;
    if (place.answers > 0) return;
    this.#taken.delete(socket);
    const left = (this.#ofOne.get(place.who) ?? 1) - 1;
    if (left > 0) this.#ofOne.set(place.who, left);
    else this.#ofOne.delete(place.who);
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
    const { socket } = request.raw;
    if (!places.take(who, socket)) return done();
    const send = (): void => {
      clearTimeout(timer);
      reply.raw.off('close', send);
      places.leave(socket);
      done();
    };
    const timer = setTimeout(send, LEAST_HELD_MS + Math.random() * (MOST_HELD_MS - LEAST_HELD_MS));
    // Whoever has left holds nobody else's place.
    reply.raw.once('close', send);
  });
}
