// Goal: whatever breaks while consumers pay, what they are told and what the payment says agree, nobody pays twice, and
// a second press is answered by what came of the first. Method: a wire between the service and its Postgres that cuts
// the commit of a pay, or of the bank's answer, before or after it was made, or goes down with it; a database that lets
// nobody in; kill -9 of the service in the middle of many pays.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { aPay, CARDS, Consumer } from '../support/checkout.ts';
import type { Reply } from '../support/client.ts';
import { cloneDatabase } from '../support/database.ts';
import { depth } from '../support/depth.ts';
import { readEventNames, RESERVED } from '../support/events.ts';
import { until } from '../support/kassa.ts';
import { whileDatabaseIsAway } from '../support/outage.ts';
import { spawnService, startService } from '../support/service.ts';
import type { Service, SpawnedService, Shop } from '../support/service.ts';
import { countOutcomes } from '../support/two-services.ts';
import { Wire } from '../support/wire.ts';
import type { Cut } from '../support/wire.ts';

const AMOUNT = 100_000;
// A cut within is one before to all that is seen of it, and a late one is one after: cut-connection tries those daily.
const CUTS: readonly Cut[] = depth({ daily: ['before', 'after'], release: ['before', 'within', 'after', 'late'] });
const CROWD = 24;
const PAYS = depth({ daily: 90, release: 300 });
const PAYS_AT_ONCE = 24;
const KILLS_AFTER = depth({ daily: [40], release: [80, 190] });
const DECLINED = ['payment.created', 'payment.reservation.failed'];
const CHARGED = [...RESERVED, 'payment.charge.created'];

// A hundred consumers behind one address are nobody who tries out cards.
const ENV = { KASSA_ADDRESS_ATTEMPTS: 'off' };

type Kind = 'card' | 'charged at once' | 'challenge';
const kindOf = (n: number): Kind => (['card', 'charged at once', 'challenge'] as const)[n % 3] as Kind;

/** A payment and the consumer who is to pay it. */
type Buyer = {
  readonly paymentId: string;
  readonly kind: Kind;
  /** Where their bank waits for them, once they were sent there. */
  redirectUrl?: string;
  hasPressed: boolean;
  isToldPaid: boolean;
};

const approveOnPage = (service: Service, redirectUrl: string, outcome = 'approve'): Promise<Response> =>
  fetch(service.url + new URL(redirectUrl).pathname, {
    method: 'POST',
    body: new URLSearchParams({ outcome }),
    redirect: 'manual',
  });

/** A cut that did not come about would make a test that cannot fail. */
async function happened(cut: Promise<void>): Promise<void> {
  const late = new AbortController();
  const missed = sleep(60_000, 'missed', { signal: late.signal }).catch(() => 'happened');
  assert.equal(await Promise.race([cut.then(() => 'happened'), missed]), 'happened', 'the answer came without a cut');
  late.abort();
}

async function beginBuying(shop: Shop, count: number): Promise<Buyer[]> {
  const begin = async (kind: Kind): Promise<Buyer> => {
    const paymentId = await shop.client.create(AMOUNT, kind === 'charged at once' ? { charge: true } : {});
    return { paymentId, kind, hasPressed: false, isToldPaid: false };
  };
  return Promise.all(Array.from({ length: count }, (_, n) => begin(kindOf(n))));
}

/** The payment is paid once, as its consumer wanted it, and every step was told once. */
async function expectPaidOnce(service: Service, shop: Shop, { paymentId, kind }: Buyer): Promise<void> {
  const { summary, charges } = await service.client(shop.secretKey).payment(paymentId);
  const isCharged = kind === 'charged at once';
  assert.deepEqual([summary.reservedAmount, summary.chargedAmount], [AMOUNT, isCharged ? AMOUNT : 0]);
  assert.equal(charges.length, isCharged ? 1 : 0);
  assert.deepEqual(await readEventNames(service.pool, paymentId), isCharged ? CHARGED : RESERVED);
}

/** Presses Pay, and at the bank goes on where the consumer stood; gives the last answer. */
async function press(service: Service, shop: Shop, buyer: Buyer): Promise<Reply> {
  const consumer = new Consumer(service, shop, buyer.paymentId);
  buyer.hasPressed = true;
  if (buyer.redirectUrl === undefined) {
    const reply = await consumer.pay(aPay(buyer.kind === 'challenge' ? CARDS.challenge : CARDS.approved));
    if (reply.status !== 202) return reply;
    buyer.redirectUrl = reply.body.redirectUrl as string;
  }
  return consumer.answerChallenge(buyer.redirectUrl);
}

/**
 * What the consumer finds who asks and then presses again, whatever they were told: the truth; and in the end they have
 * paid once. Gives the state they found.
 */
async function comeBack(service: Service, shop: Shop, buyer: Buyer): Promise<string> {
  const consumer = new Consumer(service, shop, buyer.paymentId);
  const { state } = (await consumer.state()).body;
  const { reservedAmount } = (await service.client(shop.secretKey).payment(buyer.paymentId)).summary;
  assert.equal(state, reservedAmount === AMOUNT ? 'paid' : 'open', buyer.paymentId);
  if (buyer.isToldPaid) assert.equal(state, 'paid', `${buyer.paymentId} was acknowledged`);
  if (state === 'open') assert.equal((await press(service, shop, buyer)).status, 201);
  // Also the bank's answer may come twice: it is told the same.
  if (buyer.redirectUrl !== undefined) assert.equal((await consumer.answerChallenge(buyer.redirectUrl)).status, 201);
  const again = await consumer.pay();
  assert.deepEqual([again.status, again.body.reason], [409, 'already_paid']);
  buyer.isToldPaid = true;
  await expectPaidOnce(service, shop, buyer);
  return state;
}

describe('paying over a wire that breaks', () => {
  let wire: Wire;
  let service: Service;
  let shop: Shop;
  before(async () => {
    const databaseUrl = await cloneDatabase();
    wire = await Wire.open(databaseUrl);
    service = await startService({ databaseUrl, env: { ...ENV, DATABASE_URL: wire.url } });
    shop = await service.openShop();
  });
  after(async () => {
    await service.stop();
    await wire.close();
  });

  const isBack = async (): Promise<boolean> => (await service.client().get('/readyz')).status === 200;

  type Sent = { readonly paymentId: string; readonly consumer: Consumer; readonly redirectUrl: string };
  type Case = {
    readonly name: string;
    /** The bank's check is open before. */
    readonly isChecked?: boolean;
    readonly charge?: boolean;
    readonly send: (sent: Sent) => Promise<{ readonly status: number }>;
    readonly status: number;
    readonly state: 'paid' | 'open';
    readonly events: readonly string[];
  };

  const cases: readonly Case[] = [
    { name: 'pay', send: ({ consumer }) => consumer.pay(), status: 201, state: 'paid', events: RESERVED },
    {
      name: 'pay that is charged at once',
      charge: true,
      send: ({ consumer }) => consumer.pay(),
      status: 201,
      state: 'paid',
      events: CHARGED,
    },
    {
      name: 'pay that is declined',
      send: ({ consumer }) => consumer.pay(aPay(CARDS.declined)),
      status: 402,
      state: 'open',
      events: DECLINED,
    },
    {
      name: 'challenge that is approved',
      isChecked: true,
      charge: true,
      send: ({ consumer, redirectUrl }) => consumer.answerChallenge(redirectUrl),
      status: 201,
      state: 'paid',
      events: CHARGED,
    },
    {
      name: "challenge that is approved on the bank's page",
      isChecked: true,
      send: ({ redirectUrl }) => approveOnPage(service, redirectUrl),
      status: 303,
      state: 'paid',
      events: RESERVED,
    },
    {
      name: 'challenge that is rejected',
      isChecked: true,
      send: ({ consumer, redirectUrl }) => consumer.answerChallenge(redirectUrl, 'N'),
      status: 402,
      state: 'open',
      events: DECLINED,
    },
    {
      name: 'challenge that is left',
      isChecked: true,
      send: ({ redirectUrl }) => approveOnPage(service, redirectUrl, 'leave'),
      status: 303,
      state: 'open',
      events: ['payment.created'],
    },
  ];

  const openChallenge = async (consumer: Consumer): Promise<string> => {
    const { status, body } = await consumer.pay(aPay(CARDS.challenge));
    assert.equal(status, 202);
    return body.redirectUrl as string;
  };

  for (const cut of CUTS)
    for (const { name, isChecked = false, charge = false, send, status, state, events } of cases)
      test(`a ${name}, its commit cut ${cut}, is answered right and made once`, async () => {
        const paymentId = await shop.client.create(AMOUNT, charge ? { charge } : {});
        const consumer = new Consumer(service, shop, paymentId);
        const redirectUrl = isChecked ? await openChallenge(consumer) : '';
        const done = wire.cutNext('commit', cut);
        const reply = await send({ paymentId, consumer, redirectUrl });
        await happened(done);
        assert.equal(reply.status, status);
        assert.equal((await consumer.state()).body.state, state);
        assert.deepEqual(await readEventNames(service.pool, paymentId), events);
        const again = await consumer.pay();
        assert.deepEqual(
          [again.status, again.body.reason],
          state === 'paid' ? [409, 'already_paid'] : [201, undefined],
        );
        assert.equal((await shop.client.payment(paymentId)).summary.reservedAmount, AMOUNT);
      });

  for (const cut of CUTS)
    test(`a challenge whose opening is cut ${cut} leads to a check that can be passed, once`, async () => {
      const paymentId = await shop.client.create(AMOUNT);
      const consumer = new Consumer(service, shop, paymentId);
      const done = wire.cutNext('commit', cut);
      const redirectUrl = await openChallenge(consumer);
      await happened(done);
      assert.deepEqual(await readEventNames(service.pool, paymentId), ['payment.created']);
      assert.equal((await consumer.answerChallenge(redirectUrl)).status, 201);
      assert.deepEqual(await readEventNames(service.pool, paymentId), RESERVED);
    });

  /** What a page is of: the payment's, or the bank's. */
  const stateAt = async (path: string): Promise<string | undefined> =>
    /data-state="([\w-]+)"/.exec(await (await fetch(service.url + path)).text())?.[1];

  for (const [cut, outcome, isPaid] of [
    ['before', 'approve', false],
    ['after', 'approve', true],
    ['before', 'reject', false],
    ['after', 'reject', false],
    ['before', 'leave', false],
    ['after', 'leave', false],
  ] as const)
    test(`a check is cut ${cut} the ${outcome} of the bank is written: every page tells the truth, and one try pays`, async () => {
      const paymentId = await shop.client.create(AMOUNT, { charge: true });
      const consumer = new Consumer(service, shop, paymentId);
      const redirectUrl = await openChallenge(consumer);
      const [bank, shown] = [new URL(redirectUrl).pathname, `pid=${paymentId}`];
      const checkout = `/hostedpaymentpage/?checkoutKey=${shop.merchant.checkoutKey}&${shown}`;
      const done = wire.cutNext('commit', cut).then(() => wire.down());
      const lost = await approveOnPage(service, redirectUrl, outcome);
      await happened(done);
      assert.equal(lost.status, 503);
      assert.match(await lost.text(), /You will not be charged twice\./);
      wire.mend();
      await until('the database to be back', isBack);

      // The bank's page, loaded again; and the checkout in another tab.
      assert.equal(await stateAt(bank), cut === 'before' ? 'challenge' : 'challenge-finished');
      assert.equal(await stateAt(checkout), isPaid ? 'paid' : 'open');
      // Who was left at the bank's question sends their answer once more; what was answered stays as it is.
      await Promise.all(Array.from({ length: 3 }, () => approveOnPage(service, redirectUrl)));
      const isPaidNow = cut === 'before' || isPaid;
      assert.equal(await stateAt(checkout), isPaidNow ? 'paid' : 'open');
      const again = await consumer.pay();
      assert.deepEqual([again.status, again.body.reason], isPaidNow ? [409, 'already_paid'] : [201, undefined]);
      const { summary, charges } = await shop.client.payment(paymentId);
      assert.deepEqual([summary.reservedAmount, summary.chargedAmount, charges.length], [AMOUNT, AMOUNT, 1]);
      assert.equal(await stateAt(bank), 'challenge-finished');
      assert.equal(await stateAt(checkout), 'paid');
    });

  test('presses at once whose commit is cut again and again pay once, and one is told so', async () => {
    const paymentId = await shop.client.create(AMOUNT, { charge: true });
    const consumer = new Consumer(service, shop, paymentId);
    const done = Promise.all([wire.cutNext('commit', 'after'), wire.cutNext('commit', 'after')]);
    const replies = await Promise.all(Array.from({ length: 8 }, () => consumer.pay()));
    await happened(done.then(() => {}));
    assert.deepEqual(countOutcomes(replies), { '201': 1, '409 1004': 7 });
    assert.deepEqual(await readEventNames(service.pool, paymentId), CHARGED);
  });

  /** What each was told and what they found when they came back. */
  const comeBackAll = (buyers: readonly Buyer[], replies: readonly Reply[]): Promise<string[]> =>
    Promise.all(
      buyers.map(async (buyer, n) => {
        const { status } = replies[n] as Reply;
        assert.ok(status === 201 || status === 503, String(status));
        buyer.isToldPaid = status === 201;
        return `${status} ${await comeBack(service, shop, buyer)}`;
      }),
    );

  for (const [cut, state] of [
    ['before', 'open'],
    ['after', 'paid'],
  ] as const)
    test(`a commit of a crowd that is cut ${cut} and cannot be looked up is 503; who comes back finds the truth`, async () => {
      const buyers = await beginBuying(shop, CROWD);
      for (const buyer of buyers)
        if (buyer.kind === 'challenge')
          buyer.redirectUrl = await openChallenge(new Consumer(service, shop, buyer.paymentId));
      const done = wire.cutNext('commit', cut).then(() => wire.down());
      const replies = await Promise.all(buyers.map((buyer) => press(service, shop, buyer)));
      await happened(done);
      const late = await new Consumer(service, shop, buyers[0]?.paymentId as string).pay();
      wire.mend();
      await until('the database to be back', isBack);

      for (const { status, headers } of replies) assert.ok(status === 201 || headers.get('retry-after') === '1');
      assert.equal(late.status, 503);
      const found = await comeBackAll(buyers, replies);
      assert.ok(found.includes(`503 ${state}`), found.join());
    });

  test('while Postgres lets nobody in, everybody is told 503, nothing is done, and later they pay once', async () => {
    const buyers = await beginBuying(shop, CROWD);
    for (const buyer of buyers)
      if (buyer.kind === 'challenge')
        buyer.redirectUrl = await openChallenge(new Consumer(service, shop, buyer.paymentId));
    const consumers = buyers.map(({ paymentId }) => new Consumer(service, shop, paymentId));
    const replies = await whileDatabaseIsAway(service, () =>
      Promise.all([
        ...buyers.map((buyer) => press(service, shop, buyer)),
        ...consumers.map((consumer) => consumer.state()),
      ]),
    );
    for (const { status, headers } of replies) assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
    await until('the database to be back', isBack);
    const found = await Promise.all(buyers.map((buyer) => comeBack(service, shop, buyer)));
    assert.deepEqual(new Set(found), new Set(['open']));
  });

  test('Postgres goes away under pays that are on their way: whatever each was told, one reservation in the end', async () => {
    const buyers = await beginBuying(shop, CROWD);
    const replies = Promise.all(buyers.map((buyer) => press(service, shop, buyer)));
    const told = await whileDatabaseIsAway(service, () => replies);
    await until('the database to be back', isBack);
    await comeBackAll(buyers, told);
  });

  test('the books balance after all of it, and the service is the one that was started', async () => {
    assert.equal((await service.client().get('/healthz')).status, 200);
    const { counts, differences } = await verifyBooks(service.pool);
    assert.deepEqual([differences, counts.pending], [[], 0]);
  });
});

describe('a service that is killed while consumers pay', () => {
  let service: SpawnedService;
  let shop: Shop;
  before(async () => {
    service = await spawnService({ env: ENV });
    shop = await service.openShop();
  });
  after(() => service.stop());

  test('kill -9 in the middle of many pays: what was acknowledged is there, and whoever comes back pays once', async () => {
    const buyers = await beginBuying(shop, PAYS);
    let paid = 0;
    let unanswered = 0;
    /** Consumers one after the other, until one gets no answer any more. */
    const serve = async (): Promise<void> => {
      for (;;) {
        const buyer = buyers.find(({ hasPressed }) => !hasPressed);
        if (buyer === undefined) return;
        const reply = await press(service, shop, buyer).catch(() => undefined);
        if (reply === undefined) {
          unanswered += 1;
          return;
        }
        assert.equal(reply.status, 201, reply.text);
        buyer.isToldPaid = true;
        paid += 1;
      }
    };
    const serveAll = (): Promise<unknown> => Promise.all(Array.from({ length: PAYS_AT_ONCE }, serve));

    for (const acknowledged of KILLS_AFTER) {
      const serving = serveAll();
      await until(`${acknowledged} pays`, () => paid >= acknowledged);
      await service.kill();
      await serving;
      service = await spawnService({ databaseUrl: service.databaseUrl, env: ENV });
      const pressed = buyers.filter(({ hasPressed }) => hasPressed);
      await Promise.all(pressed.map((buyer) => comeBack(service, shop, buyer)));
      paid = buyers.filter(({ isToldPaid }) => isToldPaid).length;
    }
    await serveAll();

    assert.ok(unanswered > 0, 'no kill hit a pay');
    assert.ok(buyers.every(({ isToldPaid }) => isToldPaid));
    await Promise.all(buyers.map((buyer) => expectPaidOnce(service, shop, buyer)));
    const { counts, differences } = await verifyBooks(service.pool);
    assert.deepEqual([differences, counts.pending], [[], 0]);
    assert.equal(counts.movements, PAYS + buyers.filter(({ kind }) => kind === 'charged at once').length);
  });
});
