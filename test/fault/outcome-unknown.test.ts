// Goal: a commit that was sent and whose outcome cannot be looked up is answered as unknown, and the same key then gives
// what became of it; a commit that was never sent is not called unknown. Method: a wire that is cut after or before the
// commit, and stays down until the service has given up.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partOf } from '../../src/domain/id.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { aCreate, anItem } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { signIn } from '../support/console.ts';
import { cloneDatabase } from '../support/database.ts';
import { until } from '../support/kassa.ts';
import { hiddenIn } from '../support/markup.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { Wire } from '../support/wire.ts';

describe('an outcome that cannot be looked up', () => {
  let wire: Wire;
  let service: Service;
  let client: Client;
  before(async () => {
    const databaseUrl = await cloneDatabase();
    wire = await Wire.open(databaseUrl);
    service = await startService({ databaseUrl, env: { DATABASE_URL: wire.url } });
    ({ client } = await service.openShop());
  });
  after(async () => {
    await service.stop();
    await wire.close();
  });

  const isBack = async (): Promise<boolean> => (await client.get('/readyz')).status === 200;

  // decision: a-commit-with-unknown-outcome
  test('the answer says so, and the same key gives the result', async () => {
    const paymentId = await client.createReserved(1_000);
    const path = `/v1/payments/${paymentId}/charges`;
    const headers = { 'idempotency-key': 'parcel-1' };
    const answer = client.post(path, { amount: 600 }, headers);
    await wire.cutNext('commit', 'after');
    wire.down();
    const { status, body, headers: answered } = await answer;
    wire.mend();
    assert.equal(status, 503);
    assert.equal(answered.get('retry-after'), '1');
    assert.match(body.message, /it is not known whether this was done\. Repeat it only with the same Idempotency-Key/);
    assert.equal(body.code, '1099');
    await until('the database to be back', isBack);
    const again = await client.post(path, { amount: 600 }, headers);
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true']);
    assert.equal((await client.payment(paymentId)).summary.chargedAmount, 600);
    assert.deepEqual((await verifyBooks(service.pool)).differences, []);
  });

  test('what leaves no mark and was tried again is unknown when the database goes away meanwhile', async () => {
    const paymentId = await client.createReserved(1_000);
    const answer = client.put(`/v1/payments/${paymentId}/myreference`, { myReference: 'parcel-2' });
    await wire.cutNext('commit', 'after');
    // Its second run lost to the first, and the payment is read once more.
    await wire.cutNext('load', 'before');
    wire.down();
    const { status, body } = await answer;
    wire.mend();
    assert.equal(status, 503);
    assert.match(body.message, /it is not known whether this was done\./);
    await until('the database to be back', isBack);
    assert.equal((await client.payment(paymentId)).myReference, 'parcel-2', 'it was done');
  });

  for (const cut of ['before', 'after'] as const)
    test(`a cart whose writing was cut ${cut} its commit is unknown; to send it again is safe, and one change is noted`, async () => {
      const paymentId = await client.create(1_000);
      const items = [anItem({ reference: 'another', grossTotalAmount: 1_500 })];
      const put = () => client.put(`/v1/payments/${paymentId}/orderitems`, { amount: 1_500, items });
      const answer = put();
      await wire.cutNext('commit', cut);
      wire.down();
      const { status, body } = await answer;
      wire.mend();
      assert.deepEqual([status, body.code], [503, '1099']);
      assert.match(body.message, /it is not known whether this was done\. Read the payment first, to see\./);
      await until('the database to be back', isBack);
      const { orderDetails } = await client.payment(paymentId);
      assert.equal(orderDetails.amount, cut === 'before' ? 1_000 : 1_500);
      for (const again of [await put(), await put()]) assert.equal(again.status, 204);
      assert.equal((await client.payment(paymentId)).orderDetails.amount, 1_500);
      const noted = await service.pool.query('select before, after from payment_changes where payment_id = $1', [
        paymentId,
      ]);
      assert.equal(noted.length, 1, JSON.stringify(noted));
      assert.deepEqual((await verifyBooks(service.pool)).differences, []);
    });

  test('nor is it called refused, when somebody has ended the payment since', async () => {
    const paymentId = await client.create(1_000);
    const answer = client.put(`/v1/payments/${paymentId}/myreference`, { myReference: 'parcel-3' });
    void wire.cutNext('commit', 'after');
    await wire.cutNext('commit', 'before');
    wire.down();
    await service.pool.query(
      `update payments set terminated_at = now(), version = version + 1 where id = '${paymentId}'`,
    );
    wire.mend();
    const { status, body } = await answer;
    assert.equal(status, 503);
    assert.match(body.message, /it is not known whether this was done\./);
    assert.equal((await client.payment(paymentId)).myReference, 'parcel-3', 'it was done');
  });

  // decision: a-commit-with-unknown-outcome
  test('a webhook whose writing broke off is unknown, too; a list that broke off is not', async () => {
    const breakOff = async <Answer>(ask: () => Promise<Answer>, lock: string): Promise<Answer> =>
      service.pool.withClient(async (holder) => {
        await holder.query(`begin; lock table webhooks in ${lock} mode`);
        let isOver = false;
        const answer = ask().finally(() => (isOver = true));
        // Others may wait for the table as well.
        await until('it to be broken off', async () => {
          await service.pool.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return isOver;
        });
        await holder.query('rollback');
        return answer;
      });
    const made = await breakOff(() => client.post('/v1/webhooks', { url: 'https://shop.example/hook' }), 'share');
    assert.deepEqual([made.status, made.body.code], [503, '1099']);
    assert.match(
      made.body.message,
      /it is not known whether this was done\. Read what it would change first, to see\./,
    );
    const read = await breakOff(() => client.get('/v1/webhooks'), 'access exclusive');
    assert.deepEqual([read.status, read.body.code], [503, '1000']);
    assert.match(read.body.message, /^The database is away\. /);
  });

  for (const cut of ['before', 'after'] as const)
    // decision: webhooks-api
    test(`a webhook is made once, and its secret is not lost, when its key is brought again: cut ${cut} the commit`, async () => {
      const body = { url: `https://shop.example/${cut}` };
      const ask = () => client.post('/v1/webhooks', body, { 'idempotency-key': `hook-${cut}` });
      const lost = ask();
      await wire.cutNext('commit of a webhook', cut);
      const { status, body: told } = await lost;
      assert.deepEqual([status, told.code], [503, '1099']);
      assert.match(told.message, /Repeat it only with the same Idempotency-Key/);
      const again = await ask();
      assert.deepEqual(
        [again.status, again.headers.get('idempotent-replayed')],
        [201, cut === 'after' ? 'true' : null],
      );
      const rows = await service.pool.query<{ secret: string }>('select secret from webhooks where url = $1', [
        body.url,
      ]);
      assert.deepEqual(rows, [{ secret: again.body.secret }]);
    });

  const cut = async (_paymentId: string, press: () => Promise<Response>): Promise<Response> => {
    const lost = press();
    await wire.cutNext('commit', 'after');
    wire.down();
    return lost.finally(() => wire.mend());
  };
  const hold = (paymentId: string, press: () => Promise<Response>): Promise<Response> =>
    service.pool.withClient(async (other) => {
      await other.query('begin');
      await other.query('select 1 from payments where part = $1 and id = $2 for update', [
        partOf(paymentId),
        paymentId,
      ]);
      const answer = await press();
      await other.query('rollback');
      return answer;
    });
  for (const [what, lose] of [
    ['its commit was cut', cut],
    ['somebody else has the payment', hold],
  ] as const)
    test(`a charge of a person is asked for again by the same form, and done once: ${what}`, async () => {
      const shop = await service.openShop();
      const operator = await signIn(service, shop.merchant.id, 'operator');
      const paymentId = await shop.client.createReserved(1_000);
      const path = `/console/${shop.merchant.id}/payments/${paymentId}/charge`;
      const opened = hiddenIn(await (await operator.ask(path)).text());
      const asked = await operator.submit(path, { ...opened, mode: 'amount', amount: '4' });
      const sure = hiddenIn(await asked.text());
      const answer = await lose(paymentId, () => operator.submit(path, sure));
      const page = await answer.text();
      assert.equal(answer.status, 503, page);
      assert.match(page, /role="alert">There was no answer, so it is not known whether it was done\./);
      assert.match(page, /Charge 4\.00\u00a0SEK of order/);
      assert.doesNotMatch(page, /name="back"/);
      assert.deepEqual(hiddenIn(page), sure, 'the same form');
      await until('the database to be back', isBack);
      const again = await operator.submit(path, hiddenIn(page));
      const { charges, summary } = await shop.client.payment(paymentId);
      assert.equal(again.headers.get('location'), path.replace('/charge', `?did=${charges[0].chargeId}`));
      assert.equal(summary.chargedAmount, 400);
    });

  test('what was never sent is not called unknown, and was not done', async () => {
    await client.create();
    wire.down();
    const { status, body } = await client.post('/v1/payments', aCreate(777));
    wire.mend();
    assert.equal(status, 503);
    assert.match(body.message, /^The database is away\. Try again in a moment/);
    await until('the database to be back', isBack);
    const rows = await service.pool.query('select 1 from payments where amount = 777');
    assert.deepEqual(rows, []);
  });
});
