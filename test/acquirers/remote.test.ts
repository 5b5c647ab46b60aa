// Goal: against an acquirer on another machine every operation is right, and honest when its outcome is not known.
// Method: a real service and a real bank, which is told to be slow, to fail and to die; the bank's book is the judge.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newActKey } from '../../src/console/payment/act.ts';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { createMerchant, updateMerchant } from '../../src/store/merchants/merchants.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import { startBank } from '../support/bank.ts';
import type { RunningBank } from '../support/bank.ts';
import { CARDS, aPay, Consumer } from '../support/checkout.ts';
import type { Reply } from '../support/client.ts';
import { cloneDatabase } from '../support/database.ts';
import { runCommand } from '../support/commands.ts';
import { signIn } from '../support/console.ts';
import { until } from '../support/kassa.ts';
import type { Ran } from '../support/kassa.ts';
import { isReplayed, keyed } from '../support/keyed-operations.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

describe('an acquirer on another machine', () => {
  let service: Service;
  let bank: RunningBank;
  let shop: Shop;
  before(async () => {
    [service, bank] = await Promise.all([startService({ env: { KASSA_ACQUIRER_TIMEOUT: '3s' } }), startBank()]);
    await putAcquirer(service.pool, { name: 'bank', url: bank.url, key: bank.key });
    shop = await service.openShop({ acquirer: 'bank' });
  });
  after(async () => {
    await service.stop();
    await bank.stop();
  });

  const approvedIn = async (kind: string) =>
    (await bank.book()).filter((line) => line.kind === kind && line.state === 'approved');

  // decision: lost-answers-of-an-acquirer
  test('reserve, charge, refund, cancel: each is in the bank’s book once', async () => {
    const paymentId = await shop.client.createReserved(1_000);
    const chargeId = await shop.client.charge(paymentId, 600);
    const refundId = await shop.client.refund(chargeId, 100);
    await shop.client.cancel(paymentId, 400);
    const { summary } = await shop.client.payment(paymentId);
    assert.deepEqual(summary, { reservedAmount: 1_000, chargedAmount: 600, refundedAmount: 100, cancelledAmount: 400 });
    const book = await bank.book();
    assert.deepEqual(
      [chargeId, refundId].map((id) => book.filter((line) => line.id === id).length),
      [1, 1],
    );
  });

  // decision: lost-answers-of-an-acquirer
  test('an answer that is lost is asked for: the merchant notices nothing', async () => {
    const paymentId = await shop.client.createReserved(1_000);
    await bank.setFaults({ loseAfter: 1 });
    const reply = await shop.client.post(`/v1/payments/${paymentId}/charges`, { amount: 600 });
    await bank.setFaults({});
    assert.equal(reply.status, 201, reply.text);
    assert.equal((await shop.client.payment(paymentId)).summary.chargedAmount, 600);
  });

  // decision: outcome-unknown-in-time
  test('a charge whose outcome stays unknown is 500 and honest; the same key gives the result later', async () => {
    const paymentId = await shop.client.createReserved(1_000);
    await bank.setFaults({ hangAfter: 1, hang: 1 });
    const key = { 'idempotency-key': 'charge-1' };
    const path = `/v1/payments/${paymentId}/charges`;
    const reply = await shop.client.post(path, { amount: 600 }, key);
    assert.equal(reply.status, 500);
    assert.match(reply.body.message, /being determined.*same Idempotency-Key/);
    const tooSoon = await shop.client.post(path, { amount: 600 }, key);
    assert.equal(tooSoon.status, 409);
    assert.match(tooSoon.body.message, /is not known yet; ask again in a moment\.$/);
    assert.equal((await shop.client.payment(paymentId)).summary.chargedAmount, 0);
    await bank.setFaults({});
    const later = await until('the outcome', async () => {
      const again = await shop.client.post(path, { amount: 600 }, key);
      return again.status === 409 ? undefined : again;
    });
    assert.equal(later.status, 201);
    assert.equal((await shop.client.payment(paymentId)).summary.chargedAmount, 600);
    assert.equal((await approvedIn('charge')).filter(({ id }) => id === later.body.chargeId).length, 1);
  });

  test('at the console a charge whose outcome stays unknown is pending, and turns; the same key does it once', async () => {
    const paymentId = await shop.client.createReserved(1_000);
    const operator = await signIn(service, shop.merchant.id, 'operator');
    const api = `/console/api/${shop.merchant.id}/payments/${paymentId}`;
    const page = `/console/${shop.merchant.id}/payments/${paymentId}`;
    const form = { key: newActKey(), mode: 'amount', amount: '6', whole: '1000', sure: '600' };
    const charge = async (): Promise<string | null> =>
      (await operator.submit(`${page}/charge`, form)).headers.get('location');
    const stateOf = async () => (await (await operator.ask(`${api}/state`)).json()) as { pending: number };
    await bank.setFaults({ hangAfter: 1, hang: 1 });
    const first = await charge();
    assert.match(first ?? '', /\?did=/);
    assert.equal(await charge(), page, 'nothing more is known yet');
    const shown = await (await operator.ask(first ?? '')).text();
    assert.match(shown, /data-watch=.*Charge pending 6\.00 SEK/s);
    assert.doesNotMatch(shown, /notice good/);
    assert.equal((await stateOf()).pending, 1);
    await bank.setFaults({});
    await until('the outcome', async () => ((await stateOf()).pending === 0 ? true : undefined));
    assert.equal(await charge(), first);
    assert.equal((await shop.client.payment(paymentId)).summary.chargedAmount, 600);
  });

  test('a bank that takes one request a second serves one client after the other, reservations as well', async (t) => {
    const paymentId = await shop.client.createReserved(1_000);
    const waiting = await shop.client.create(1_000);
    t.after(() => bank.setFaults({}));
    await bank.setFaults({ ratePerSecond: 1 });
    for (const amount of [1, 2, 3]) await shop.client.charge(paymentId, amount);
    await shop.client.must(201, 'POST', `/v1/sandbox/payments/${waiting}/reserve`, {});
    assert.match(bank.err(), /refused {2}POST \/operations {2}429, too many requests a second$/m);
    await bank.setFaults({});
    const amounts = (await approvedIn('charge')).filter(({ reservationId }) => reservationId !== waiting).slice(-3);
    assert.deepEqual(
      amounts.map(({ amount }) => amount),
      [1, 2, 3],
    );
    assert.equal((await shop.client.payment(paymentId)).summary.chargedAmount, 6);
  });

  test('a bank that takes one request a second gets what it has never heard of, too', async (t) => {
    const paymentId = await shop.client.createReserved(1_000);
    const charge = () => shop.client.post(`/v1/payments/${paymentId}/charges`, { amount: 600 }, keyed('crowded'));
    t.after(() => bank.setFaults({}));
    await bank.setFaults({ hang: 1 });
    assert.equal((await charge()).status, 500);
    await bank.setFaults({ ratePerSecond: 1 });
    const reply = await until('the outcome', async () => {
      const again = await charge();
      return again.status === 409 ? undefined : again;
    });
    assert.equal(reply.status, 201, reply.text);
    assert.equal((await approvedIn('charge')).filter(({ id }) => id === reply.body.chargeId).length, 1);
  });

  test('what the bank declines is 402, 400 or 405, and is kept under the key', async () => {
    const { client } = shop;
    const once = async (path: string, amount: number, status: number): Promise<void> => {
      const first = await client.post(path, { amount }, keyed('declined'));
      assert.equal(first.status, status, first.text);
      const second = await client.post(path, { amount }, keyed('declined'));
      assert.deepEqual([second.status, second.text, isReplayed(second)], [status, first.text, true]);
    };
    const declined = await client.create(1_000);
    const reply = await client.post(`/v1/sandbox/payments/${declined}/reserve`, { card: CARDS.declined });
    assert.deepEqual([reply.status, reply.body.code, reply.body.source], [402, '1022', 'bank']);
    await client.must(201, 'POST', `/v1/sandbox/payments/${declined}/reserve`, {});

    const charged = await client.createReserved(1_000, CARDS.chargeDeclined);
    await once(`/v1/payments/${charged}/charges`, 600, 402);
    const refunded = await client.createReserved(1_000, '4000000000005126');
    await once(`/v1/charges/${await client.charge(refunded, 600)}/refunds`, 100, 400);
    const cancelled = await client.createReserved(1_000, '4925000000000061');
    await once(`/v1/payments/${cancelled}/cancels`, 1_000, 405);
    const none = { chargedAmount: 0, refundedAmount: 0, cancelledAmount: 0 };
    for (const [paymentId, changes] of [
      [charged, {}],
      [refunded, { chargedAmount: 600 }],
      [cancelled, {}],
    ] as const)
      assert.deepEqual((await client.payment(paymentId)).summary, { reservedAmount: 1_000, ...none, ...changes });
  });

  test('a payment that is charged at once: reservation and charge are in the bank’s book', async () => {
    const paymentId = await shop.client.create(1_000, { charge: true });
    await shop.client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    const { summary, charges } = await shop.client.payment(paymentId);
    assert.deepEqual([summary.reservedAmount, summary.chargedAmount], [1_000, 1_000]);
    assert.equal((await approvedIn('charge')).filter(({ id }) => id === charges[0].chargeId).length, 1);
  });

  // decision: moving-to-another-acquirer
  test('a merchant who has moved to another acquirer charges old payments where they were reserved', async () => {
    const mover = await service.openShop({ acquirer: 'bank' });
    const paymentId = await mover.client.createReserved(1_000);
    await updateMerchant(service.pool, mover.merchant.id, { acquirer: 'simulator' });
    await until('the service to know', async () => {
      const lines = (await bank.book()).length;
      await mover.client.createReserved(1_000);
      return (await bank.book()).length === lines;
    });
    const chargeId = await mover.client.charge(paymentId, 600);
    assert.equal((await approvedIn('charge')).filter(({ id }) => id === chargeId).length, 1);
  });

  describe('while the bank does not answer', () => {
    const replies: Record<string, Reply> = {};
    let [charged, chargeId, cancelled, paying, challenged, atOnce] = ['', '', '', '', '', ''];
    let redirectUrl = '';
    const pay = (paymentId: string): Promise<Reply> =>
      new Consumer(service, shop, paymentId).pay(aPay(undefined, { amountConfirmedByConsumer: 1_000 }));
    const stateOf = async (paymentId: string): Promise<string> =>
      (await new Consumer(service, shop, paymentId).state()).body.state;

    before(async () => {
      const { client } = shop;
      charged = await client.createReserved(1_000);
      chargeId = await client.charge(charged, 600);
      [cancelled, paying, challenged] = [
        await client.createReserved(1_000),
        await client.create(1_000),
        await client.create(1_000),
      ];
      atOnce = await client.create(1_000, { charge: true });
      const challenge = aPay(CARDS.challenge, { amountConfirmedByConsumer: 1_000 });
      redirectUrl = (await new Consumer(service, shop, challenged).pay(challenge)).body.redirectUrl;
      const keyless = await client.createReserved(1_000);
      // It acts, but nobody hears of it; later it does not even take questions.
      const lines = (await bank.book()).length;
      await bank.setFaults({ hangAfter: 1 });
      const sent = {
        keyless: client.post(`/v1/payments/${keyless}/cancels`, { amount: 1_000 }),
        refund: client.post(`/v1/charges/${chargeId}/refunds`, { amount: 100 }, keyed('open')),
        cancel: client.post(`/v1/payments/${cancelled}/cancels`, { amount: 1_000 }, keyed('open')),
        pay: pay(paying),
        challenge: new Consumer(service, shop, challenged).answerChallenge(redirectUrl),
        atOnce: pay(atOnce),
      };
      await until('the bank to act', async () => (await bank.book()).length === lines + 6);
      await bank.setFaults({ hang: 1 });
      for (const [name, reply] of Object.entries(sent)) replies[name] = await reply;
    });

    // decision: outcome-unknown-in-time
    test('a refund is 201 and Pending', async () => {
      assert.equal(replies['refund']?.status, 201, replies['refund']?.text);
      const refund = await shop.client.must(200, 'GET', `/v1/refunds/${replies['refund']?.body.refundId}`);
      assert.equal(refund.state, 'Pending');
      const again = await shop.client.post(`/v1/charges/${chargeId}/refunds`, { amount: 100 }, keyed('open'));
      assert.deepEqual([again.status, again.text, isReplayed(again)], [201, replies['refund']?.text, true]);
      assert.equal((await shop.client.payment(charged)).summary.refundedAmount, 0);
    });

    // decision: outcome-unknown-in-time
    test('a cancel is 500 and says why; its key is 409', async () => {
      assert.equal(replies['cancel']?.status, 500);
      assert.match(replies['cancel']?.body.message, /^The outcome of the cancel is being determined/);
      const again = await shop.client.post(`/v1/payments/${cancelled}/cancels`, { amount: 1_000 }, keyed('open'));
      assert.equal(again.status, 409);
    });

    test('without a key there is none to send again: the text says to read the payment', () => {
      const message =
        'The outcome of the cancel is being determined: the acquirer has not told it yet. Read the payment to learn it.';
      assert.deepEqual([replies['keyless']?.status, replies['keyless']?.body.message], [500, message]);
    });

    // decision: outcome-unknown-in-time
    test('who pays is told to wait: the answer, the state and the page say pending', async () => {
      for (const name of ['pay', 'challenge', 'atOnce'])
        assert.deepEqual([replies[name]?.status, replies[name]?.body.reason], [409, 'payment_pending'], name);
      for (const paymentId of [paying, challenged, atOnce]) assert.equal(await stateOf(paymentId), 'pending');
      const key = shop.merchant.checkoutKey;
      const page = await service.client().get(`/hostedpaymentpage/?checkoutKey=${key}&pid=${paying}`);
      assert.match(page.text, /data-state="pending"/);
    });

    test('who comes back from the bank’s check a second time has not paid yet', async () => {
      const again = await new Consumer(service, shop, challenged).answerChallenge(redirectUrl);
      assert.deepEqual([again.status, again.body.reason], [409, 'payment_pending']);
    });

    test('when it answers again, everything is finished, once', async () => {
      await bank.setFaults({});
      await until('nothing to be pending', async () => {
        const rows = await service.pool.query(`select 1 from movements where state = 'pending'`);
        return rows.length === 0;
      });
      const { client } = shop;
      const refund = await client.must(200, 'GET', `/v1/refunds/${replies['refund']?.body.refundId}`);
      assert.equal(refund.state, 'Completed');
      const [refundAgain, cancelAgain] = [
        await client.post(`/v1/charges/${chargeId}/refunds`, { amount: 100 }, keyed('open')),
        await client.post(`/v1/payments/${cancelled}/cancels`, { amount: 1_000 }, keyed('open')),
      ];
      assert.deepEqual([refundAgain.status, refundAgain.text], [201, replies['refund']?.text]);
      assert.deepEqual([cancelAgain.status, isReplayed(cancelAgain)], [204, true]);
      assert.equal((await client.payment(charged)).summary.refundedAmount, 100);
      assert.equal((await client.payment(cancelled)).summary.cancelledAmount, 1_000);
      for (const paymentId of [paying, challenged, atOnce]) assert.equal(await stateOf(paymentId), 'paid');
      assert.deepEqual((await pay(paying)).body.reason, 'already_paid');
      assert.equal((await new Consumer(service, shop, challenged).answerChallenge(redirectUrl)).status, 201);
      assert.equal((await client.payment(atOnce)).summary.chargedAmount, 1_000);
    });
  });
});

describe('who cannot have an acquirer on another machine', () => {
  let databaseUrl: string;
  before(async () => {
    databaseUrl = await cloneDatabase();
  });

  const kassa = (...args: string[]): Promise<Ran> => runCommand(args, { env: { DATABASE_URL: databaseUrl } });

  test('the command line refuses it in a sentence', async () => {
    const access = ['--url', 'http://127.0.0.1:9', '--key', 'a-key-of-a-bank'];
    assert.equal((await kassa('acquirer', 'add', 'bank', ...access)).code, 0);
    const create = ['merchant', 'create', '--name', 'Shop', '--acquirer'];
    const cases = [
      [[...create, 'bank', '--live'], 'A live merchant cannot use a simulated bank.'],
      [[...create, 'simulator', '--live'], 'A live merchant cannot use a simulated bank.'],
      [[...create, 'bank', '--reserve-on-demand'], '--reserve-on-demand only works with the simulator.'],
      [[...create, 'other'], 'There is no acquirer other. kassa acquirer list shows all.'],
    ] as const;
    for (const [args, sentence] of cases) {
      const { code, err } = await kassa(...args);
      assert.notEqual(code, 0);
      assert.ok(err.includes(sentence), err);
    }
  });

  test('so does the database', async () => {
    const pool = openPool(databaseUrl, { size: 1 });
    const settings = { name: 'Shop', dialect: 'spec', strictItems: false, reserveOnDemand: false } as const;
    try {
      await putAcquirer(pool, { name: 'bank', url: 'http://127.0.0.1:9', key: 'a-key-of-a-bank' });
      await assert.rejects(createMerchant(pool, true, { ...settings, acquirer: 'bank' }), /merchants_live_unsimulated/);
      const onDemand = { ...settings, reserveOnDemand: true, acquirer: 'bank' };
      await assert.rejects(createMerchant(pool, false, onDemand), /merchants_on_demand_simulated/);
      await assert.rejects(createMerchant(pool, false, { ...settings, acquirer: 'other' }), /foreign key/);
    } finally {
      await pool.close();
    }
  });
});
