// Goal: charges of a subscription, one by one and in bulks, do exactly what the reference says, whatever was done before.
// Method: random sequences of charges, bulks, verifications, new cards and refunds over HTTP, against two services on one
// database; two charges at once must be explained by some order of them. Every charge is read back as the payment that it
// is, when it is made or refunded and in the end, and after all of them the books are verified. A failure prints its seed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { anOrder } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { depth } from '../support/depth.ts';
import { until } from '../support/kassa.ts';
import { isReplayed, keyed } from '../support/keyed-operations.ts';
import { createWith, reserveWith, subscribe, SUBSCRIPTION_PATHS } from '../support/subscriptions.ts';
import type { SubscriptionKind } from '../support/subscriptions.ts';
import { spawnService, startService } from '../support/service.ts';
import { startTwoServices } from '../support/two-services.ts';
import type { TwoServices } from '../support/two-services.ts';
import { charge, chargeAll, replaceCard, verify } from './subscription-reference.ts';
import type { Card, Charged, Model } from './subscription-reference.ts';

const RUNS = depth({ daily: 20, release: 80 });
const LONGEST = 8;

const CARDS: Readonly<Record<Card, string>> = {
  approves: '4925000000000004',
  'declines softly': '4000000000000341',
  'has expired': '4000000000004954',
};

type Command =
  | { readonly name: 'charge'; readonly amount: number; readonly isKeyed: boolean }
  | { readonly name: 'two at once'; readonly amounts: readonly [number, number] }
  | { readonly name: 'bulk'; readonly amounts: readonly number[] }
  | { readonly name: 'verification' }
  | { readonly name: 'card'; readonly card: Card; readonly amount: number }
  | { readonly name: 'refund'; readonly which: number; readonly share: number };

const amounts = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 200, max: 100_000 }) },
  // Just beside what is declined for its amount, a soft decline and a hard one.
  { weight: 2, arbitrary: fc.constantFrom(1, 100, 151, 154) },
);
const cards = fc.constantFrom<Card>('approves', 'approves', 'declines softly', 'has expired');

const commands: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ name: fc.constant('charge' as const), amount: amounts, isKeyed: fc.boolean() }),
  fc.record({ name: fc.constant('two at once' as const), amounts: fc.tuple(amounts, amounts) }),
  fc.record({ name: fc.constant('bulk' as const), amounts: fc.array(amounts, { minLength: 1, maxLength: 10 }) }),
  fc.record({ name: fc.constant('verification' as const) }),
  fc.record({ name: fc.constant('card' as const), card: cards, amount: fc.constantFrom(0, 5_000) }),
  fc.record({
    name: fc.constant('refund' as const),
    which: fc.nat(20),
    // Now and then more than there is.
    share: fc.integer({ min: 1, max: 150 }).map((percent) => percent / 100),
  }),
);

type Made = { readonly paymentId: string; readonly chargeId: string; readonly amount: number; refunded: number };

class SubscriptionUnderTest {
  readonly #clients: readonly [Client, Client];
  readonly #kind: SubscriptionKind;
  readonly #id: string;
  #model: Model;
  readonly #made: Made[] = [];
  /** By the last command. */
  #changed = new Set<Made>();
  readonly met = new Set<string>();

  constructor(clients: readonly [Client, Client], kind: SubscriptionKind, id: string, card: Card) {
    this.#clients = clients;
    this.#kind = kind;
    this.#id = id;
    this.#model = replaceCard(card);
  }

  get #path(): string {
    return SUBSCRIPTION_PATHS[this.#kind].path;
  }

  #charge(n: 0 | 1, amount: number, headers: Record<string, string> = {}): Promise<Reply> {
    return this.#clients[n].post(`${this.#path}/${this.#id}/charges`, { order: anOrder(amount) }, headers);
  }

  #note(reply: Reply, amount: number): void {
    this.met.add(`${reply.status} ${reply.body?.code ?? ''}`);
    if (reply.status === 200)
      this.#add({ paymentId: reply.body.paymentId, chargeId: reply.body.chargeId, amount, refunded: 0 });
  }

  async run(command: Command): Promise<void> {
    this.met.add(command.name);
    switch (command.name) {
      case 'charge':
        await this.#chargeOne(command.amount, command.isKeyed);
        break;
      case 'two at once':
        await this.#chargeTwo(command.amounts);
        break;
      case 'bulk':
        await this.#chargeBulk(command.amounts);
        break;
      case 'verification': {
        const entries = [{ [SUBSCRIPTION_PATHS[this.#kind].idName]: this.#id }];
        const [entry] = await this.#askAndRead('verifications', {}, entries);
        assert.equal(entry.status, verify(this.#model));
        break;
      }
      case 'card': {
        const asked = SUBSCRIPTION_PATHS[this.#kind].update(this.#id);
        await reserveWith(
          this.#clients[0],
          await createWith(this.#clients[1], asked, command.amount),
          CARDS[command.card],
        );
        this.#model = replaceCard(command.card);
        break;
      }
      case 'refund':
        await this.#refund(command.which, command.share);
        break;
    }
    await this.#compare(this.#changed);
    this.#changed = new Set();
  }

  #add(made: Made): void {
    this.#made.push(made);
    this.#changed.add(made);
  }

  async #chargeOne(amount: number, isKeyed: boolean): Promise<void> {
    const headers = isKeyed ? keyed(crypto.randomUUID()) : {};
    const reply = await this.#charge(0, amount, headers);
    const expected = charge(this.#model, amount);
    assert.deepEqual([reply.status, reply.body?.code], [expected.status, expected.code], reply.text);
    this.#model = expected.next;
    this.#note(reply, amount);
    if (!isKeyed) return;
    const again = await this.#charge(1, amount, headers);
    assert.deepEqual([again.status, again.text, isReplayed(again)], [reply.status, reply.text, true]);
    assert.equal((await this.#charge(1, amount + 1, headers)).status, 422);
  }

  /** One order of the two must explain both answers. */
  async #chargeTwo([first, second]: readonly [number, number]): Promise<void> {
    const replies = await Promise.all([this.#charge(0, first), this.#charge(1, second)]);
    const told = replies.map(({ status, body }) => [status, body?.code]);
    const show = (all: readonly Charged[]): unknown => all.map(({ status, code }) => [status, code]);
    const forwards = chargeAll(this.#model, [first, second]);
    const backwards = chargeAll(this.#model, [second, first]);
    const orders = [forwards, { ...backwards, all: backwards.all.toReversed() }];
    const found = orders.find(({ all }) => JSON.stringify(show(all)) === JSON.stringify(told));
    assert.ok(found, `no order explains ${JSON.stringify(told)} of ${first} and ${second}`);
    this.#model = found.next;
    replies.forEach((reply, n) => this.#note(reply, n === 0 ? first : second));
  }

  /** Asks at one service, twice, and reads at the other. */
  async #askAndRead(
    place: 'charges' | 'verifications',
    name: object,
    entries: readonly object[],
  ): Promise<Reply['body'][]> {
    const body = { ...name, [SUBSCRIPTION_PATHS[this.#kind].listName]: entries };
    const { bulkId } = await this.#clients[0].must(202, 'POST', `${this.#path}/${place}`, body);
    if (Object.keys(name).length > 0) {
      const again = await this.#clients[1].must(202, 'POST', `${this.#path}/${place}`, body);
      assert.equal(again.bulkId, bulkId);
    }
    const { page } = await until('the bulk to be done', async () => {
      const bulk = await this.#clients[1].must(200, 'GET', `${this.#path}/${place}/${bulkId}`);
      return bulk.status === 'Done' && bulk;
    });
    return page;
  }

  async #chargeBulk(all: readonly number[]): Promise<void> {
    const { idName } = SUBSCRIPTION_PATHS[this.#kind];
    const entries = all.map((amount) => ({ [idName]: this.#id, order: anOrder(amount) }));
    const page = await this.#askAndRead('charges', { externalBulkChargeId: crypto.randomUUID() }, entries);
    const expected = chargeAll(this.#model, all);
    assert.deepEqual(
      page.map(({ status, code }) => [status, code]),
      expected.all.map(({ outcome, entryCode }) => [outcome === 'charged' ? 'Succeeded' : 'Failed', entryCode]),
    );
    for (const [n, { status, paymentId, chargeId }] of page.entries()) {
      this.met.add(`entry ${expected.all[n]?.outcome}`);
      if (status === 'Succeeded') this.#add({ paymentId, chargeId, amount: all[n] as number, refunded: 0 });
    }
    this.#model = expected.next;
  }

  async #refund(which: number, share: number): Promise<void> {
    const made = this.#made[which % Math.max(1, this.#made.length)];
    if (made === undefined) return;
    const left = made.amount - made.refunded;
    const amount = Math.ceil(made.amount * share);
    const { status } = await this.#clients[1].post(`/v1/charges/${made.chargeId}/refunds`, { amount });
    assert.equal(status, amount <= left ? 201 : 400);
    if (status === 201) made.refunded += amount;
    this.#changed.add(made);
    this.met.add(`refund ${status}`);
  }

  /** Every charge is a payment, and holds what it was told to hold. */
  async #compare(some: Iterable<Made>): Promise<void> {
    for (const { paymentId, chargeId, amount, refunded } of some) {
      const { summary, charges } = await this.#clients[0].payment(paymentId);
      assert.deepEqual(
        [summary.reservedAmount, summary.chargedAmount, summary.refundedAmount],
        [amount, amount, refunded],
      );
      assert.deepEqual([charges.length, charges[0].chargeId], [1, chargeId]);
    }
  }

  /** Nothing has changed that was told before, and nothing was charged that is not known here. */
  async expectAll({ first }: TwoServices): Promise<void> {
    await this.#compare(this.#made);
    const [row] = await first.pool.query<{ count: number }>(
      `select count(*)::int as count from renewals
       join payments on payments.part = renewals.part and payments.id = renewals.payment_id
       where subscription_id = $1 and charged > 0`,
      [this.#id],
    );
    assert.equal(row?.count, this.#made.length);
  }
}

/** A life that meets all of them, whatever chance brings. */
const WHOLE_LIFE: readonly Command[] = [
  { name: 'charge', amount: 5_000, isKeyed: true },
  { name: 'refund', which: 0, share: 1.2 },
  { name: 'refund', which: 0, share: 0.5 },
  { name: 'charge', amount: 151, isKeyed: false },
  { name: 'bulk', amounts: [300, 151, 154, 300] },
  { name: 'charge', amount: 300, isKeyed: false },
  { name: 'verification' },
  { name: 'card', card: 'approves', amount: 0 },
];
/** What has to be met; a run that does not has lost its aim. */
const OUTCOMES = [
  '200 ',
  '402 1020',
  '402 1029',
  'entry charged',
  'entry declined',
  'entry refused',
  'verification',
  'card',
  'refund 201',
  'refund 400',
];

describe('model of subscriptions', () => {
  let services: TwoServices;
  before(async () => {
    services = await startTwoServices({}, depth({ daily: startService, release: spawnService }));
  });
  after(() => services.stop());

  test('random charges, alone, at once and in bulks, have the outcome that the reference gives', async () => {
    const [first, second] = await services.openShop();
    const clients = [first, second] as [Client, Client];
    const met = new Set<string>();
    const kinds = fc.constantFrom<SubscriptionKind>('scheduled', 'unscheduled');
    const all = fc.array(commands, { minLength: 3, maxLength: LONGEST });
    const property = fc.asyncProperty(kinds, cards, all, async (kind, card, asked) => {
      const id = await subscribe(clients[0], kind, CARDS[card]);
      const subscription = new SubscriptionUnderTest(clients, kind, id, card);
      for (const command of asked) await subscription.run(command);
      await subscription.expectAll(services);
      for (const each of subscription.met) met.add(each);
    });
    await fc.assert(property, { numRuns: RUNS, examples: [['scheduled', 'approves', [...WHOLE_LIFE]]] });
    for (const outcome of OUTCOMES) assert.ok(met.has(outcome), `nothing ever came to ${outcome}`);
    assert.deepEqual((await verifyBooks(services.first.pool)).differences, []);
  });
});
