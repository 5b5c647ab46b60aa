// Goal: `kassa mirror` answers a shop with the hosted service's answers alone, asks Kassa the same, and tells what differs.
// Method: the real command between a shop's client and a merchant that plays the hosted service.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { TestContext } from 'node:test';
import { aCreate, Client } from '../support/client.ts';
import { runCommand } from '../support/commands.ts';
import { launchKassa, until } from '../support/kassa.ts';
import { openReceiver } from '../support/receiver.ts';
import { shareService } from '../support/service.ts';

const service = shareService();
after(() => service.close());

async function startMirror(t: TestContext, key: string, ...more: string[]) {
  const args = ['mirror', '--hosted', service.url, '--url', service.url, '--key', key, '--port', '0', ...more];
  const mirror = launchKassa(args);
  t.after(() => mirror.child.kill('SIGKILL'));
  const url = await until('the mirror', () => / at (http:\S+), and/.exec(mirror.err())?.[1]);
  return { mirror, url };
}

test('a shop’s day is the same at both, with Kassa’s own ids, paid where it was paid, nobody told twice', async (t) => {
  const [hosted, ours] = [await service.openShop({ dialect: 'nexi' }), await service.openShop({ dialect: 'nexi' })];
  const hook = await openReceiver();
  t.after(() => hook.close());
  const { mirror, url } = await startMirror(t, ours.secretKey);
  const shop = new Client(url, hosted.secretKey);
  const webHooks = [{ eventName: 'payment.charge.created.v2', url: hook.url, authorization: 'a-secret-of-mine' }];
  const made = await shop.post('/v1/payments', { ...aCreate(10_000), notifications: { webHooks } });
  assert.equal(made.status, 201, made.text);
  const { paymentId } = made.body;
  // The consumer pays at the hosted checkout, of which the mirror sees nothing.
  await hosted.client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
  assert.deepEqual(await shop.payment(paymentId), await hosted.client.payment(paymentId));
  const chargeId = await shop.charge(paymentId, 10_000);
  await shop.refund(chargeId, 4_000);
  await shop.payment(paymentId);
  assert.equal((await shop.post(`/v1/payments/${paymentId}/charges`, { amount: 1 })).status, 402);
  assert.equal((await new Client(url, 'test-secret-key-none').get(`/v1/payments/${paymentId}`)).status, 401);
  const other = await hosted.client.create(10_000);
  await shop.payment(other);
  const ended = await mirror.end('SIGINT');
  const told = ended.out.trim().split('\n');
  assert.deepEqual(told, [
    'POST /v1/payments  201  same',
    'GET /v1/payments/{id}  200  same',
    'POST /v1/payments/{id}/charges  201  same',
    'POST /v1/charges/{id}/refunds  201  same',
    'GET /v1/payments/{id}  200  same',
    'POST /v1/payments/{id}/charges  402  same',
    'GET /v1/payments/{id}  401  Kassa answers 200',
    'GET /v1/payments/{id}  200  not repeated: it refers to something created earlier',
  ]);
  assert.match(ended.err, /7 responses compared: 6 same, 1 different; 1 not repeated\.\n$/);
  assert.equal(ended.code, 1);
  assert.equal(`${ended.out}${ended.err}`.includes(hosted.secretKey), false);
  const { payments } = (await ours.client.get('/v1/payments?limit=5')).body;
  assert.equal(payments.length, 1);
  const summary = (await ours.client.payment(payments[0].paymentId)).summary;
  assert.deepEqual(summary, { reservedAmount: 10_000, chargedAmount: 10_000, refundedAmount: 4_000 });
  const [first, ...more] = await hook.until(1);
  assert.deepEqual([first?.body.data.paymentId, more.length], [paymentId, 0]);
});

test('an answer of another shape is told field by field, also as JSON', async (t) => {
  const [hosted, ours] = [await service.openShop({ dialect: 'nexi' }), await service.openShop({ dialect: 'spec' })];
  const { mirror, url } = await startMirror(t, ours.secretKey, '--json');
  const shop = new Client(url, hosted.secretKey);
  const paymentId = await shop.create(10_000);
  await shop.payment(paymentId);
  const ended = await mirror.end('SIGTERM');
  const [, read] = ended.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual([read.same, read.hosted, read.kassa], [false, 200, 200]);
  assert.ok(read.differences.includes('payment.summary.reservedAmount is only at Kassa'), ended.out);
  assert.equal(ended.code, 1);
});

test('a hosted service that is away is a 502, and a wrong address is named', async (t) => {
  const { secretKey } = await service.openShop();
  const args = ['mirror', '--url', service.url, '--key', secretKey, '--port', '0'];
  const mirror = launchKassa([...args, '--hosted', 'http://127.0.0.1:1']);
  t.after(() => mirror.child.kill('SIGKILL'));
  const url = await until('the mirror', () => / at (http:\S+), and/.exec(mirror.err())?.[1]);
  const answer = await new Client(url, secretKey).get('/v1/payments/1');
  assert.deepEqual([answer.status, typeof answer.body.message], [502, 'string']);
  assert.equal((await mirror.end('SIGINT')).code, 0);
  const { code, err } = await runCommand([...args, '--hosted', 'test.api.example']);
  assert.equal(code, 2);
  assert.match(err, /--hosted must be a plain http or https address/);
});
