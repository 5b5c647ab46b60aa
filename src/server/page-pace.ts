// Paces what serves people: the console, the checkout, the demo shop. It counts as the API does: a page is a few requests,
// each millisecond that it takes one more, and so is each 4 KiB that was read for it or shown. A merchant has for each kind
// of page as much as its keys have for requests, whoever opens them. Whoever is over it waits in line for a moment, where a
// program would be refused; only a line that is too long is refused. Off where no rate is set.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Merchant } from '../domain/merchant.ts';
import { Budgets } from '../ops/budget.ts';
import type { Budget } from '../ops/budget.ts';
import { FairQueue } from '../ops/fair-queue.ts';
import { isPrivate, networkOf } from './network.ts';
import { budgetOf, expectCost, spendMore } from './rate-limit.ts';
import type { Rates } from './rate-limit.ts';
import { TooManyRequests } from './too-many-requests.ts';

// A browser asks for a dozen things with a page, and many sit behind one address.
const ASKED_A_SECOND = 100;
// A proxy that nobody named, or a suite of tests on one machine: it speaks for many.
const OF_PRIVATE_A_SECOND = 300;
// Who asks is looked up, and what is drawn is compressed.
const COST_OF_PAGE = 4;
// A line holds so many; and nobody waits longer than people look at an empty page, and proxies wait.
const MOST = { waiting: 256, waitMs: 10_000 };
// So many of whom nothing is known yet begin at once.
const FIRST_AT_ONCE = 4;

const TEXT = 'Too many pages were asked for at once; the Retry-After header says when to come back.';
const BESIDE = { besideSetAside: true };

/** Of one kind of page. */
export class PagePace {
  readonly #rates: Rates;
  readonly #budgets = new Budgets();
  readonly #queue: FairQueue<Budget>;

  constructor(rates: Rates, most = MOST) {
    this.#rates = rates;
    this.#queue = new FairQueue({
      msUntil: (budget) => budget.msUntil(0, BESIDE),
      waiting: { ofTenant: { count: most.waiting }, forMs: most.waitMs },
    });
  }

  /** For a scope of routes: paces each address, and ends the turn of each page. */
  watch(app: FastifyInstance): void {
    app.addHook('onSend', (request, _reply, _payload, done) => {
      request.endTurn?.();
      done();
    });
    // Who waits when it stops is served before.
    app.addHook('preClose', async () => this.#queue.letAllOn());
    // Where test merchants are not limited, nobody but this machine asks.
    if (this.#rates.test === undefined) return;
    app.addHook('onRequest', async ({ ip }, reply) => {
      const rate = isPrivate(ip) ? OF_PRIVATE_A_SECOND : ASKED_A_SECOND;
      const budget = this.#budgets.of(networkOf(ip), rate);
      await this.#wait(budget, reply, (leave) => {
        budget.spend(1);
        leave();
      });
    });
  }

  /** Waits for a merchant's turn to have a page made. `who` asks: at a live merchant each has a share of their own. */
  async begin(request: FastifyRequest, reply: FastifyReply, merchant: Merchant, who?: string): Promise<void> {
    if (request.budget !== null) return;
    const budget = budgetOf(this.#budgets, this.#rates, merchant, who);
    if (budget === null) return;
    await this.#wait(budget, reply, (onEnd) => {
      request.budget = budget;
      spendMore(request, COST_OF_PAGE);
      expectCost(request, reply, budget, this, { first: budget.rate / FIRST_AT_ONCE, onEnd });
    });
  }

  /** Calls `begin` when it is its turn. */
  #wait(tenant: Budget, reply: FastifyReply, begin: (leave: () => void) => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const refuse = (): void => reject(new TooManyRequests(TEXT, tenant.secondsUntil(0, BESIDE)));
    const forget = this.#queue.add({
      tenant,
      begin: (end) => {
        begin(end);
        resolve();
      },
      refuse,
    });
    reply.raw.once('close', () => forget() && refuse());
    return promise;
  }
}

/** Whose consumer asks; of an address that speaks for many, nothing is known. */
export const consumerOf = ({ ip }: FastifyRequest): string | undefined => (isPrivate(ip) ? undefined : networkOf(ip));
