// Goal: the client does with a real Kassa what a shop does: a payment's whole life, lists of several pages, the stream of
// events across an outage. Method: the service of the run; for an outage, a door between the two that is shut.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createClient, KassaError } from '../../client/client.ts';
import type { Client, Event } from '../../client/client.ts';
import { aCreate } from '../support/client.ts';
import { shareService } from '../support/service.ts';

const service = shareService();
after(() => service.close());

const open = async (options: { fetch?: typeof fetch } = {}): Promise<Client> => {
  const { secretKey } = await service.openShop();
  return createClient({ url: service.url, secretKey, ...options });
};

const paid = async (kassa: Client): Promise<string> => {
  const { paymentId } = await kassa.createPayment(aCreate() as never);
  await kassa.reserveInSandbox(paymentId);
  return paymentId;
};

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('the client and a Kassa', { concurrency: 4 }, () => {
  test('a payment is created, paid, charged, refunded and cancelled', async () => {
    const kassa = await open();
    const paymentId = await paid(kassa);
    const { chargeId } = await kassa.chargePayment(paymentId, { amount: 60_000 });
    await kassa.refundCharge(chargeId, { amount: 10_000 });
    await kassa.cancelPayment(paymentId, { amount: 100_000 }).then(
      () => assert.fail('more is cancelled than is left'),
      (error: unknown) => assert.ok(error instanceof KassaError && error.status >= 400, String(error)),
    );
    const { payment } = await kassa.getPayment(paymentId);
    assert.equal(payment.summary.chargedAmount, 60_000);
    assert.equal(payment.summary.refundedAmount, 10_000);
    const webhook = await kassa.createWebhook({ url: 'http://127.0.0.1:9/' });
    await kassa.updateWebhook(webhook.webhookId, { state: 'disabled' });
    assert.deepEqual((await kassa.listWebhooks()).webhooks.length, 1);
    assert.equal(await kassa.deleteWebhook(webhook.webhookId), undefined);
    assert.deepEqual((await kassa.listWebhooks()).webhooks, []);
  });

  test('a repetition with the same key is the same charge', async () => {
    const kassa = await open();
    const paymentId = await paid(kassa);
    const charge = () => kassa.chargePayment(paymentId, { amount: 10 }, { idempotencyKey: 'once' });
    assert.deepEqual(await charge(), await charge());
    assert.equal((await kassa.getPayment(paymentId)).payment.summary.chargedAmount, 10);
  });

  test('a refusal that is repeated with its key says that it is a replay', async () => {
    const kassa = await open();
    const paymentId = await paid(kassa);
    const refused = async (idempotencyKey: string): Promise<KassaError> => {
      const error: unknown = await kassa
        .chargePayment(paymentId, { amount: 999_999 }, { idempotencyKey })
        .catch((thrown: unknown) => thrown);
      assert.ok(error instanceof KassaError, String(error));
      return error;
    };
    const first = await refused('too-much');
    assert.equal(first.replayed, false);
    const again = await refused('too-much');
    assert.deepEqual([again.replayed, again.code, again.status], [true, first.code, first.status]);
    const why = 'an earlier request with the idempotency key too-much got this answer, and nothing was tried again.';
    assert.equal(again.message, `${first.message} (Replayed: ${why} A new try needs a new key.)`);
    assert.equal((await refused('too-much-again')).replayed, false);
  });

  test('all items of all pages come in a loop, and a page when it is awaited', async () => {
    const kassa = await open();
    const made = [];
    for (let count = 0; count < 7; count += 1) made.push((await kassa.createPayment(aCreate() as never)).paymentId);
    const listed = await collect(kassa.listPayments({ limit: 3 }));
    assert.deepEqual(listed.map(({ paymentId }) => paymentId).toSorted(), made.toSorted());
    const { payments, cursor } = await kassa.listPayments({ limit: 3 });
    assert.equal(payments.length, 3);
    assert.ok(cursor);
    await kassa.reserveInSandbox(made[0] as string);
    const [all, inPages] = [await collect(kassa.listEvents()), await collect(kassa.listEvents({ limit: 1 }))];
    assert.ok(all.length > 2);
    assert.deepEqual(inPages, all);
    await assert.rejects(collect(kassa.listPayments({ limit: 1_000 })), { name: 'InvalidRequest' });
  });

  test('pages that are counted are followed to the end, from whichever on', async () => {
    const entries = Array.from({ length: 250 }, (_, index) => index);
    const asked: string[] = [];
    const answer: typeof fetch = async (input) => {
      const { pathname, search, searchParams } = new URL(input instanceof Request ? input.url : input);
      asked.push(search);
      const [skip, take] = [Number(searchParams.get('skip') ?? 0), Number(searchParams.get('take') ?? 1_000)];
      const [number, size] = [Number(searchParams.get('pageNumber') ?? 0), Number(searchParams.get('pageSize') ?? 100)];
      const bulk = { page: entries.slice(skip, skip + take), more: skip + take < 250, status: 'Done' };
      const payouts = { payouts: entries.slice(number * size, number * size + size), numberOfPayouts: 250 };
      return Response.json(pathname.startsWith('/report') ? payouts : bulk);
    };
    const kassa = await open({ fetch: answer });
    const period = { fromDate: '2026-01-01', toDate: '2026-12-31' };
    assert.deepEqual(await collect(kassa.getBulkCharge('b', { take: '100' })), entries);
    assert.deepEqual(asked.splice(0), ['?take=100', '?take=100&skip=100', '?take=100&skip=200']);
    assert.deepEqual(await collect(kassa.getBulkCharge('b')), entries);
    assert.equal(asked.splice(0).length, 1);
    assert.deepEqual(await collect(kassa.listPayouts(period)), entries);
    assert.equal(asked.splice(0).length, 3);
    const last = await collect(kassa.listPayouts({ ...period, pageNumber: '4', pageSize: '50' }));
    assert.deepEqual(last, entries.slice(200));
    assert.equal(asked.length, 1);
  });

  test('the stream of events is taken up where it broke off, and ends with the loop or its signal', async () => {
    let doors: AbortController[] = [];
    let isShut = false;
    const door: typeof fetch = async (input, init) => {
      if (isShut && (input as string).includes('stream')) throw new Error('shut');
      const own = new AbortController();
      doors.push(own);
      init?.signal?.addEventListener('abort', () => own.abort(), { once: true });
      return fetch(input, { ...init, signal: own.signal });
    };
    const kassa = await open({ fetch: door });
    const first = await paid(kassa);
    const told: Event[] = [];
    const stream = kassa.streamEvents({ after: '0'.repeat(32) });
    const read = async (count: number): Promise<void> => {
      while (told.length < count) told.push((await stream.next()).value as Event);
    };
    const before = (await collect(kassa.listEvents())).length;
    await read(before);
    // The connection is cut while nobody reads, things happen, and the door opens again.
    isShut = true;
    for (const one of doors) one.abort();
    doors = [];
    await kassa.chargePayment(first, { amount: 5 });
    setTimeout(() => (isShut = false), 300);
    const all = await collect(kassa.listEvents());
    await read(all.length);
    assert.deepEqual(
      told.map(({ id }) => id),
      all.map(({ id }) => id),
    );
    await stream.return?.();
    assert.equal((await stream.next()).done, true);

    const ending = new AbortController();
    const endless = kassa.streamEvents({}, { signal: ending.signal });
    setTimeout(() => ending.abort(new Error('enough')), 100);
    await assert.rejects(endless.next(), { message: 'enough' });
    const stranger = createClient({ url: service.url, secretKey: 'test-secret-key-none' });
    await assert.rejects(stranger.streamEvents().next(), { name: 'Unauthorized' });
  });
});
