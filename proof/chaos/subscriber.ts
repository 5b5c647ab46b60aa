// A merchant with subscriptions: begins some, charges them one by one and in bulks, has their cards verified, replaces
// cards and gives charges back. Each charge is a life of its own in the journal, so that it is judged like every payment.
// By card, amount and interval the client knows of each charge what must become of it.
import { BulkClient } from './asking-bulk.ts';
import type { Entry } from './asking-bulk.ts';
import { hooksAt } from './event-endpoints.ts';
import type { Life, Operation, Outcome } from './journal.ts';
import { createBody, orderOf } from './life.ts';
import { CARDS, reserve } from './reserving.ts';
import { GivenUp } from './retrying-client.ts';
import type { RetryingClient } from './retrying-client.ts';

export type Subscription = {
  readonly life: Life;
  readonly kind: keyof typeof KINDS;
  readonly id: string;
  readonly isTooEarly: boolean;
  card: string;
  /** Its card was refused for good. */
  needsCard: boolean;
};

const KINDS = {
  scheduled: { path: '/v1/subscriptions', idName: 'subscriptionId', listName: 'subscriptions' },
  unscheduled: {
    path: '/v1/unscheduledsubscriptions',
    idName: 'unscheduledSubscriptionId',
    listName: 'unscheduledSubscriptions',
  },
} as const;

const AMOUNTS = [1_000, 100_000] as const;
// Declined softly, whatever the card.
const DECLINED_AMOUNT = 151;
// Longer than clocks are apart.
const LONG_INTERVAL_DAYS = 60;
// All may be of one subscription, which a bulk takes so often.
const MOST_ENTRIES = 10;
// Refusals by rules, which make no payment.
const RULES = /^10(?:29|30|31)$/;

export class Subscriber {
  readonly #client: RetryingClient;
  readonly #held: Subscription[] = [];
  readonly #charged: Life[] = [];

  /** Plain: cards are registered and charged, nothing is declined, and payments have no hooks of their own. */
  readonly #isPlain: boolean;

  constructor(client: RetryingClient, isPlain = false) {
    this.#client = client;
    this.#isPlain = isPlain;
  }

  async lead(): Promise<void> {
    const { random } = this.#client;
    const kind = random.choose(['scheduled', 'unscheduled'] as const);
    for (let count = random.between(1, 3); count > 0; count -= 1) await this.begin(kind);
    for (let rounds = random.between(2, 4); rounds > 0; rounds -= 1) {
      switch (random.choose(['charge', 'charge', 'bulk', 'bulk', 'bulk', 'verification', 'card', 'refund'] as const)) {
        case 'charge':
          await this.#charge(random.choose(this.#held));
          break;
        case 'bulk':
          await this.chargeAll(
            Array.from({ length: random.between(1, MOST_ENTRIES) }, () => random.choose(this.#held)),
          );
          break;
        case 'verification':
          await this.#verify();
          break;
        case 'card':
          await this.#replaceCard(random.choose(this.#held));
          break;
        case 'refund':
          await this.#refund();
          break;
      }
    }
  }

  /** A payment that asks for a subscription, paid by its consumer. Some buy nothing yet. */
  async begin(kind: Subscription['kind'], card = this.#drawCard()): Promise<Subscription> {
    const { random } = this.#client;
    const isTooEarly = kind === 'scheduled' && !this.#isPlain && random.chance(0.15);
    const asked =
      kind === 'scheduled'
        ? { subscription: { interval: isTooEarly ? LONG_INTERVAL_DAYS : 0 } }
        : { unscheduledSubscription: { create: true } };
    const life = await this.#pay(asked, card);
    const { payment } = await this.#client.read(life, `/v1/payments/${life.paymentId}`);
    const id = (payment.subscription?.id ?? payment.unscheduledSubscription?.unscheduledSubscriptionId) as string;
    if (id === undefined) {
      this.#client.journal.find('lost', 'it is reserved, and its subscription is not there', life.n);
      throw new GivenUp('no subscription');
    }
    const held = { life, kind, id, isTooEarly, card: life.card, needsCard: false };
    this.#held.push(held);
    return held;
  }

  #hooks(): object {
    return { notifications: this.#isPlain ? undefined : hooksAt(this.#client.hookUrl) };
  }

  #drawCard(): string {
    const { random } = this.#client;
    return random.chance(0.7) ? CARDS.good : random.choose([CARDS.renewalDeclined, CARDS.renewalExpired]);
  }

  async #pay(asked: object, card: string): Promise<Life> {
    const { random, journal, hookUrl } = this.#client;
    const amount = this.#isPlain || random.chance(0.4) ? 0 : random.between(...AMOUNTS);
    const life = journal.beginLife({ amount, chargesAtOnce: false, card });
    const body = { ...createBody(life, hookUrl), ...this.#hooks(), ...asked };
    const created = await this.#execute(life, {
      kind: 'create',
      path: '/v1/payments',
      body,
      amount,
      expected: 'granted',
    });
    life.paymentId = [...created.ids][0] ?? '';
    await reserve(this.#client, life);
    return life;
  }

  #execute(life: Life, asked: Pick<Operation, 'kind' | 'path' | 'body' | 'amount' | 'expected'>): Promise<Operation> {
    const key = `${life.n}-${life.operations.length}-${asked.kind}`;
    return this.#client.execute(life, { ...asked, key, outcome: 'open', ids: new Set() });
  }

  /** The next charge of a subscription, and what must become of it. */
  #nextCharge(held: Subscription): Life {
    const { random, journal } = this.#client;
    const amount = !this.#isPlain && random.chance(0.15) ? DECLINED_AMOUNT : random.between(...AMOUNTS);
    const isRefused = held.isTooEarly || held.needsCard;
    const isDeclined = held.card === CARDS.renewalDeclined || held.card === CARDS.renewalExpired;
    const granted = isDeclined || amount === DECLINED_AMOUNT ? 'declined' : 'granted';
    const expected = isRefused ? 'refused' : granted;
    if (!isRefused && held.card === CARDS.renewalExpired) held.needsCard = true;
    return journal.beginLife({ amount, chargesAtOnce: true, card: held.card, renewal: { expected, outcome: 'open' } });
  }

  /** What the client knows of it from now on. */
  #noteOutcome(life: Life, outcome: Outcome, { paymentId, chargeId }: Pick<Entry, 'paymentId' | 'chargeId'>): void {
    const { renewal, reserving } = life;
    if (renewal) renewal.outcome = outcome;
    if (outcome === 'refused') return;
    if (paymentId !== undefined) life.paymentId = paymentId;
    reserving.sent = 1;
    reserving.declined = outcome === 'declined' ? 1 : 0;
    reserving.knows = outcome === 'granted' ? 'reserved' : 'not reserved';
    if (outcome !== 'granted') return;
    if (chargeId !== undefined) life.chargedAtOnce = chargeId;
    this.#charged.push(life);
  }

  async #charge(held: Subscription): Promise<void> {
    const life = this.#nextCharge(held);
    const { path, idName } = KINDS[held.kind];
    const body = { order: orderOf(life), ...this.#hooks() };
    const { expected } = life.renewal ?? { expected: 'granted' };
    const place = `${path}/${held.id}/charges`;
    const told = await this.#execute(life, { kind: 'renewal', path: place, body, amount: life.amount, expected });
    const [chargeId] = told.ids;
    this.#noteOutcome(life, told.outcome, chargeId === undefined ? {} : { chargeId });
    if (told.outcome !== 'granted') return;
    const status = await this.#client.read(life, `${place}/status`, this.#client.withKey(told.key));
    if (status.chargeId !== chargeId || status.paymentId !== life.paymentId || status.completed !== true)
      this.#client.journal.find('wrong answer', `${idName} ${held.id}, by key: ${JSON.stringify(status)}`, life.n);
  }

  /** One bulk of charges, of as many entries as subscriptions are given; one may be there several times. */
  async chargeAll(all: readonly Subscription[]): Promise<void> {
    const finish = await this.askForCharges(all);
    await finish();
  }

  /** Gives what waits for the end of the bulk, and notes what came of each entry. */
  async askForCharges(all: readonly Subscription[]): Promise<() => Promise<void>> {
    const [{ kind, life: owner }] = all as [Subscription];
    const { path, idName, listName } = KINDS[kind];
    const { journal } = this.#client;
    const lives = all.map((held) => this.#nextCharge(held));
    const entryOf = (life: Life, n: number): object => ({ [idName]: all[n]?.id, order: orderOf(life) });
    const entries = lives.map(entryOf);
    const name = `bulk-${journal.bulks.length + 1}`;
    const bodyOf = (list: readonly object[]): object => ({
      externalBulkChargeId: name,
      ...this.#hooks(),
      [listName]: list,
    });
    const [last] = lives.slice(-1) as [Life];
    const others = [...entries.slice(0, -1), entryOf({ ...last, amount: last.amount + 1 }, lives.length - 1)];
    const place = { purpose: 'charge', path: `${path}/charges`, owner, name, count: all.length } as const;
    const bulk = new BulkClient(this.#client, { ...place, body: bodyOf(entries), otherBody: bodyOf(others) });
    await bulk.ask();
    return async () => {
      for (const [n, entry] of (await bulk.awaitDone()).entries()) this.#noteEntry(lives[n] as Life, entry);
    };
  }

  #noteEntry(life: Life, entry: Entry): void {
    const isRule = entry.source === 'internal' && RULES.test(entry.code ?? '');
    const failed = isRule ? 'refused' : 'declined';
    const outcome = entry.status === 'Succeeded' ? 'granted' : failed;
    this.#noteOutcome(life, outcome, entry);
    if (outcome === life.renewal?.expected) return;
    const text = `an entry is ${JSON.stringify(entry)}, and must be ${life.renewal?.expected}`;
    this.#client.journal.find('wrong answer', text, life.n);
  }

  /** Moves no money; what the bank is asked is in its book as a reservation of nothing. */
  async #verify(): Promise<void> {
    const { journal } = this.#client;
    const [{ kind, life: owner }] = this.#held as [Subscription];
    const { path, idName, listName } = KINDS[kind];
    const name = `bulk-${journal.bulks.length + 1}`;
    const bodyOf = (held: readonly Subscription[]): object => ({
      externalBulkVerificationId: name,
      [listName]: held.map(({ id }) => ({ [idName]: id })),
    });
    const all = [...this.#held];
    const bulk = new BulkClient(this.#client, {
      purpose: 'verification',
      owner,
      name,
      path: `${path}/verifications`,
      body: bodyOf(all),
      otherBody: bodyOf([...all, all[0] as Subscription]),
      count: all.length,
    });
    await bulk.ask();
    for (const [n, { status, code }] of (await bulk.awaitDone()).entries()) {
      const { card, life } = all[n] as Subscription;
      const isGood = card !== CARDS.renewalDeclined && card !== CARDS.renewalExpired;
      if ((status === 'Succeeded') !== isGood)
        journal.find('wrong answer', `a verification is ${status} ${code ?? ''}`, life.n);
    }
  }

  async #replaceCard(held: Subscription): Promise<void> {
    const asked =
      held.kind === 'scheduled'
        ? { subscription: { subscriptionId: held.id } }
        : { unscheduledSubscription: { unscheduledSubscriptionId: held.id } };
    held.card = (await this.#pay(asked, this.#drawCard())).card;
    held.needsCard = false;
  }

  async #refund(): Promise<void> {
    const life = this.#charged.pop();
    if (life === undefined) return;
    const amount = this.#client.random.between(1, life.amount);
    const path = `/v1/charges/${life.chargedAtOnce}/refunds`;
    await this.#execute(life, { kind: 'refund', path, body: { amount }, amount, expected: 'granted' });
  }
}
