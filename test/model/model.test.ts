// Goal: the service does exactly what the reference says, whatever is asked in whatever order, alone or at once. Method:
// random sequences of all commands over HTTP, against two services on one database, with amounts at the edges of what
// is left, with keys and replays; commands that are sent at once must be explained by some order of them. After every
// step the payment is read and compared, after all of them the books are verified. A failure prints its seed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { depth } from '../support/depth.ts';
import { spawnService, startService } from '../support/service.ts';
import { startTwoServices } from '../support/two-services.ts';
import type { TwoServices } from '../support/two-services.ts';
import { PaymentUnderTest } from './payment.ts';
import { leftOf } from './reference.ts';
import type { Card, Command, Model } from './reference.ts';

// Before a release more of them look for what is rare.
const RUNS = depth({ daily: 50, release: 200 });
const LONGEST = 14;
const MOST_AT_ONCE = 4;

/** An amount as a place: at, just below or above what is left, of the reservation or of a charge, or anything. */
type Place = {
  readonly at: 'left' | 'charge' | 'order' | 'limit' | 'anywhere';
  readonly by: -1 | 0 | 1;
  readonly share: number;
};
type Intent = {
  readonly name: Command['name'];
  readonly place: Place;
  readonly charge: number;
  readonly card: Card;
  readonly withItems: boolean;
  readonly isKeyed: boolean;
  /** What is sent together with it. */
  readonly others: readonly Omit<Intent, 'others'>[];
};

function amountOf({ at, by, share }: Place, model: Model, charge: number): number {
  const { amount = 0, refunded = 0 } = model.charges[charge] ?? {};
  const places = { left: leftOf(model), charge: amount - refunded, order: model.order, limit: 1_000_000_000_000 };
  return at === 'anywhere' ? 1 + Math.floor(share * model.order) : places[at] + by;
}

function commandOf({ name, place, charge, card }: Omit<Intent, 'others'>, model: Model): Command {
  const amount = amountOf(place, model, charge);
  switch (name) {
    case 'reserve':
      return { name, card };
    case 'charge':
    case 'cancel':
    case 'refund payment':
    case 'cart':
      return { name, amount };
    case 'refund':
      return { name, charge, amount };
    case 'reference':
    case 'my reference':
      return { name, text: `text ${place.share}` };
    case 'terminate':
      return { name };
  }
}

const place: fc.Arbitrary<Place> = fc.record({
  at: fc.oneof(
    { weight: 6, arbitrary: fc.constant('anywhere' as const) },
    { weight: 5, arbitrary: fc.constantFrom('left' as const, 'charge' as const, 'order' as const) },
    { weight: 1, arbitrary: fc.constant('limit' as const) },
  ),
  by: fc.constantFrom(-1 as const, 0 as const, 1 as const),
  share: fc.double({ min: 0, max: 0.6, noNaN: true }),
});

const weighted = <Value>(...choices: [weight: number, value: Value][]) =>
  fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));

const single = {
  name: weighted<Command['name']>(
    [4, 'reserve'],
    [8, 'charge'],
    [6, 'refund'],
    [4, 'refund payment'],
    [4, 'cancel'],
    [2, 'cart'],
    [1, 'reference'],
    [1, 'my reference'],
    [1, 'terminate'],
  ),
  place,
  charge: fc.nat(3),
  card: weighted<Card>(
    [8, 'approves'],
    [1, 'declines reservation'],
    [1, 'declines charge'],
    [1, 'declines refund'],
    [1, 'declines cancel'],
  ),
  withItems: fc.boolean(),
  isKeyed: fc.boolean(),
};

const intents: fc.Arbitrary<Intent[]> = fc.array(
  fc.record({
    ...single,
    others: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(fc.record(single), { minLength: 1, maxLength: MOST_AT_ONCE - 1 }) },
    ),
  }),
  { minLength: 4, maxLength: LONGEST },
);

const orders = fc.oneof(fc.constantFrom(1, 2, 1_000_000_000_000), fc.integer({ min: 3, max: 100_000 }));

const starts = fc.constantFrom('created' as const, 'reserved' as const, 'charged' as const);

const intentOf = (name: Command['name'], at: Place, charge = 0): Intent => {
  const plain = { card: 'approves', withItems: false, isKeyed: true, others: [] } as const;
  return { name, place: at, charge, ...plain };
};
const SOME: Place = { at: 'anywhere', by: 0, share: 0.3 };
const TOO_MUCH: Place = { at: 'left', by: 1, share: 0 };
/** Lives that meet all of the outcomes, whatever chance brings. */
const WHOLE_LIFE: readonly Intent[] = [
  intentOf('cancel', SOME),
  intentOf('cart', SOME),
  intentOf('reserve', SOME),
  intentOf('reserve', SOME),
  intentOf('cart', SOME),
  intentOf('charge', TOO_MUCH),
  intentOf('charge', { at: 'limit', by: 1, share: 0 }),
  intentOf('charge', SOME),
  intentOf('refund', { at: 'charge', by: 1, share: 0 }),
  intentOf('refund', SOME, 3),
  intentOf('refund', SOME),
  intentOf('refund payment', SOME),
  intentOf('cancel', TOO_MUCH),
  intentOf('cancel', SOME),
  intentOf('charge', SOME),
  intentOf('refund payment', SOME),
  intentOf('terminate', SOME),
  intentOf('reference', SOME),
  intentOf('my reference', SOME),
];
const ENDED_LIFE: readonly Intent[] = [intentOf('terminate', SOME), intentOf('reserve', SOME)];

/** What a run always meets; a run that does not has lost its aim. */
const OUTCOMES: Readonly<Record<Command['name'], readonly number[]>> = {
  reserve: [201, 405],
  charge: [201, 400, 402],
  refund: [201, 400, 404],
  'refund payment': [201, 400],
  cancel: [204, 400, 405],
  cart: [204, 405],
  reference: [204],
  'my reference': [204],
  terminate: [204, 405],
};

describe('model', () => {
  let services: TwoServices;
  before(async () => {
    services = await startTwoServices({}, depth({ daily: startService, release: spawnService }));
  });
  after(() => services.stop());

  // decision: limits-on-totals
  test('random commands, alone and at once, have the outcome that the reference gives', async () => {
    const clients = await services.openShop();
    const tried = new Set<string>();
    const property = fc.asyncProperty(orders, starts, fc.boolean(), intents, async (order, start, atOnce, all) => {
      const payment = await PaymentUnderTest.create(clients, order, atOnce);
      const plain = { withItems: false, isKeyed: false };
      if (start !== 'created') await payment.run({ name: 'reserve', card: 'approves' }, plain);
      if (start === 'charged') await payment.run({ name: 'charge', amount: Math.ceil(order / 2) }, plain);
      for (const intent of all) {
        const { model } = payment;
        const commands = [intent, ...intent.others].map((each) => commandOf(each, model));
        const replies =
          commands.length === 1
            ? [await payment.run(commands[0] as Command, intent)]
            : await payment.runAtOnce(commands);
        replies.forEach(({ status }, n) => tried.add(`${commands[n]?.name} ${status}`));
      }
    });
    const examples: [number, 'created', boolean, Intent[]][] = [
      [1_000, 'created', false, [...WHOLE_LIFE]],
      [1_000, 'created', false, [...ENDED_LIFE]],
    ];
    await fc.assert(property, { numRuns: RUNS, examples });
    for (const [name, statuses] of Object.entries(OUTCOMES))
      for (const status of statuses)
        assert.ok(tried.has(`${name} ${status}`), `no ${name} was ever answered ${status}`);
    const { differences } = await verifyBooks(services.first.pool);
    assert.deepEqual(differences, []);
  });
});
