// Goal: the test kit gives a test a Kassa of its own, does what it says with it, and leaves nothing behind, also of one
// that is killed. Method: the kit as a suite uses it, on an embedded Postgres of this file; for a kill, another process.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { KassaError } from '../../client/client.ts';
import type { PaymentRequest } from '../../client/client.ts';
import { root } from '../../proof/program.ts';
import { cards, startKassa } from '../../testing/testing.ts';
import type { Kassa, Shop } from '../../testing/testing.ts';
import { ask } from '../database/workshop.ts';
import { aCreate } from '../support/client.ts';
import { until } from '../support/kassa.ts';

const create = async (shop: Shop): Promise<string> => (await shop.createPayment(aCreate() as PaymentRequest)).paymentId;

describe('the test kit', () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'kassa-kit-')), 'data');
  let kassa: Kassa;
  before(async () => {
    kassa = await startKassa({ dataDir });
  });
  after(async () => {
    await kassa.stop();
    rmSync(join(dataDir, '..'), { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
  });

  test('pays as the consumer, and waits for what is told of it', async () => {
    const shop = await kassa.merchant();
    const paymentId = await create(shop);
    const waiting = shop.waitFor('payment.charge.created.v2', { paymentId, timeoutMs: 60_000 });
    assert.deepEqual(await shop.pay(paymentId), { paymentId, outcome: 'paid' });
    await shop.waitFor('payment.checkout.completed', { paymentId });
    const { chargeId } = await shop.chargePayment(paymentId, { amount: 100_000 });
    assert.equal((await waiting).data.chargeId, chargeId);
    const large = { where: ({ data }: { data: { amount: { amount: number } } }) => data.amount.amount > 100_000 };
    await assert.rejects(
      shop.waitFor('payment.charge.created.v2', { ...large, timeoutMs: 50 }),
      /^Error: waited 50 ms for payment\.charge\.created\.v2; there are payment\.created, .*payment\.charge\.created\.v2$/,
    );
  });

  test('has every outcome of a try: declined, asked by the bank, by invoice, too late', async () => {
    const shop = await kassa.merchant();
    const outcomes: [string | undefined, object, string][] = [
      [cards.declined, {}, 'declined'],
      [cards.challenge, {}, 'paid'],
      [cards.challenge, { challenge: 'fail' }, 'declined'],
      [cards.challengeDeclined, {}, 'declined'],
      [undefined, { invoice: true }, 'paid'],
    ];
    for (const [card, options, outcome] of outcomes)
      assert.equal((await shop.pay(await create(shop), card, options)).outcome, outcome, `${card} ${outcome}`);
    const paymentId = await create(shop);
    await shop.pay({ paymentId });
    assert.equal((await shop.pay(paymentId)).outcome, 'already_paid');
    await assert.rejects(shop.pay(await create(shop), '4111111111111111'), /must be one of the published test cards/);
    await assert.rejects(shop.pay('0'.repeat(32)), /there is no payment/);
  });

  test('moves the clock of one merchant', async () => {
    const [shop, other] = [await kassa.merchant(), await kassa.merchant({ name: 'Other', dialect: 'nexi' })];
    const paymentId = await create(shop);
    await shop.pay(paymentId);
    const startedAt = (await shop.clock.now()).getTime();
    await shop.clock.advance('8d');
    assert.ok((await shop.clock.now()).getTime() - startedAt >= 8 * 86_400_000);
    const refused = await shop.chargePayment(paymentId, { amount: 1 }).catch((error: unknown) => error);
    assert.ok(refused instanceof KassaError && refused.code === '1010', String(refused));
    await shop.clock.to(new Date(startedAt + 20 * 86_400_000));
    assert.ok((await other.clock.now()).getTime() - startedAt < 86_400_000);
    await assert.rejects(shop.clock.advance('soon'), TypeError);
  });

  test('has a bank that loses answers, dies, and comes back with its book', async () => {
    const shop = await kassa.merchant({ atBank: true });
    const bank = await kassa.bank();
    const paymentId = await create(shop);
    assert.equal((await shop.pay(paymentId)).outcome, 'paid');
    await bank.faults({ errorAfter: 1 });
    const charged = await shop
      .chargePayment(paymentId, { amount: 500 }, { retries: 0 })
      .catch((error: unknown) => error);
    assert.ok(!(charged instanceof KassaError) || charged.status === 500, String(charged));
    await bank.faults({});
    await shop.waitFor('payment.charge.created', { paymentId, timeoutMs: 60_000 });
    assert.equal((await shop.getPayment(paymentId)).payment.summary.chargedAmount, 500);
    const lines = (await bank.book()).length;
    assert.ok(lines >= 2);
    await bank.faults({ die: 1 });
    await shop.chargePayment(paymentId, { amount: 700 }, { retries: 0, timeoutMs: 1_000 }).catch(() => {});
    const again = await until('the bank', async () => {
      const opened = await kassa.bank();
      return opened.book().then(
        (book) => (book.length > lines ? opened : undefined),
        () => undefined,
      );
    });
    assert.equal(again.url, bank.url);
    await shop.clock.advance(3_600);
    const isSecond = { where: ({ data }: { data: { amount: { amount: number } } }) => data.amount.amount === 700 };
    await shop.waitFor('payment.charge.created', { paymentId, timeoutMs: 60_000, ...isSecond });
  });

  test('starts others beside it, with settings of their own; each is alone, and its database is dropped', async (t) => {
    const named = (): Promise<Record<string, unknown>[]> =>
      ask(kassa.databaseUrl, "select datname from pg_database where datname ~ '^kassa_test_[0-9a-f]+_'");
    const already = (await named()).length;
    const others: Kassa[] = [];
    t.after(() => Promise.all(others.map((other) => other.stop())));
    for (const lifetime of ['1h', '2h'])
      others.push(await startKassa({ dataDir, settings: { KASSA_PAYMENT_LIFETIME: lifetime } }));
    const took = others.map(({ took: { databaseMs, serviceMs } }) => ({ databaseMs, serviceMs }));
    t.diagnostic(JSON.stringify(took.map((one) => Object.values(one).map(Math.round))));
    const [first, second] = others as [Kassa, Kassa];
    const shop = await first.merchant();
    const paymentId = await create(shop);
    const stranger = (await second.merchant()).getPayment(paymentId);
    await assert.rejects(stranger, { name: 'NotFound' });
    await shop.clock.advance('61m');
    assert.equal((await shop.pay(paymentId)).outcome, 'expired');
    assert.equal(await first.log(), '');

    assert.equal((await named()).length, already + others.length);
    await Promise.all([second.stop(), second.stop()]);
    assert.equal((await named()).length, already + others.length - 1);
    await assert.rejects(second.merchant(), /no such Kassa/);
    await assert.rejects(fetch(`${second.url}/healthz`));
  });

  test('says what is wrong with a setting or a merchant', async () => {
    await assert.rejects(startKassa({ dataDir, settings: { KASSA_LIVETIME: '1h' } }), /Unknown setting KASSA_LIVETIME/);
    await assert.rejects(startKassa({ dataDir, settings: { PORT: 'http' } }), /PORT is "http"/);
    await assert.rejects(kassa.merchant({ colour: 'red' } as never), /colour is no setting of a merchant/);
    await assert.rejects(kassa.merchant({ name: '\n' }), /one line/);
  });

  test('leaves nothing behind of a test that is killed, and keeps no process that is done', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'kassa-kit-killed-'));
    t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 }));
    const file = join(folder, 'suite.mjs');
    const kit = JSON.stringify(join(root, 'testing', 'testing.ts'));
    writeFileSync(
      file,
      `import { startKassa } from ${kit};
       const kassa = await startKassa({ dataDir: ${JSON.stringify(dataDir)} });
       console.log(kassa.url);
       if (process.argv[2] === 'stay') setInterval(() => {}, 1_000);`,
    );
    // As if a run had been killed with all that it started.
    const left = 'kassa_test_0123456789ab_1';
    await ask(kassa.databaseUrl, `create database ${left}`);
    for (const way of ['stay', 'leave']) {
      const suite = spawn(process.execPath, [file, way], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [line] = (await once(createInterface({ input: suite.stdout }), 'line')) as [string];
      if (way === 'stay') {
        assert.equal((await fetch(`${line}/healthz`)).status, 200);
        suite.kill('SIGKILL');
      }
      if (suite.exitCode === null && suite.signalCode === null) await once(suite, 'exit');
      await until('the service to end', () =>
        fetch(`${line}/healthz`).then(
          () => false,
          () => true,
        ),
      );
    }
    assert.deepEqual(await ask(kassa.databaseUrl, `select 1 from pg_database where datname = '${left}'`), []);
    assert.equal((await fetch(`${kassa.url}/readyz`)).status, 200, 'who still runs is left alone');
  });
});
