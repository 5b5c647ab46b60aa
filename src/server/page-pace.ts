// Paces the pages for people: the console, the checkout, the demo shop. Costs are counted as in the API: a page is a few
// requests, plus one for each millisecond it takes and for each 4 KiB read or sent. For each kind of page a merchant has
// the same budget as its keys have for requests. Where a program would get 429, a page waits in line for a moment; it is
// refused only if the line is too long. Off if no rate is set.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Merchant } from '../domain/merchant.ts';
import { Budgets } from '../ops/budget.ts';
import type { Budget } from '../ops/budget.ts';
import { FairQueue } from '../ops/fair-queue.ts';
import { isPrivate, networkOf } from './network.ts';
import { budgetOf, expectCost, spendMore } from './rate-limit.ts';
import type { Rates } from './rate-limit.ts';
import { TooManyRequests } from './too-many-requests.ts';

// A browser sends a dozen requests for a page, and many people can share an address.
const ASKED_A_SECOND = 100;
// An unnamed proxy, or a test suite on one machine: it speaks for many.
const OF_PRIVATE_A_SECOND = 300;
// The session is looked up, and the page is compressed.
const COST_OF_PAGE = 4;
// The length of a line, and of all lines together. The longest wait is shorter than people stare at an empty page and than
// proxies wait.
const MOST = { waiting: 256, ofAll: 8_192, waitMs: 10_000 };
// How many pages of unknown cost may start at once.
const FIRST_AT_ONCE = 4;

const TEXT = 'Too many pages were asked for at once; the Retry-After header says when to come back.';
const BESIDE = { besideSetAside: true };

/** For one kind of page. */
export class PagePace {
  readonly #rates: Rates;
  readonly #budgets = new Budgets();
  readonly #queue: FairQueue<Budget>;

  constructor(rates: Rates, given: Partial<typeof MOST> = {}) {
    const most = { ...MOST, ...given };
    this.#rates = rates;
    this.#queue = new FairQueue({
      msUntil: (budget) => budget.msUntil(0, BESIDE),
      waiting: { ofTenant: { count: most.waiting }, ofAll: { count: most.ofAll }, forMs: most.waitMs },
    });
  }

  /** For a scope of routes: paces each address, and ends the turn of each page. */
  watch(app: FastifyInstance): void {
    app.addHook('onSend', (request, _reply, _payload, done) => {
      request.endTurn?.();
      done();
    });
    // Requests that still wait at shutdown are served first.
    app.addHook('preClose', async () => this.#queue.letAllOn());
    // If test merchants are not limited, every client is on this machine.
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

  /**
   * Waits for a merchant's turn to have a page made. `who` is the client: at a live merchant each has a share of their
   * own.
   */
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

  /** Calls `begin` when its turn comes. */
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

/** The network of the consumer; undefined for an address that speaks for many. */
export const consumerOf = ({ ip }: FastifyRequest): string | undefined => (isPrivate(ip) ? undefined : networkOf(ip));
