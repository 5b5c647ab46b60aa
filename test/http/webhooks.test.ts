// Goal: a merchant manages its webhooks and what is sent to them, sees a secret once, and is refused with a reason what
// cannot be. Method: a real service and a real endpoint; what is promised of a webhook is seen at the endpoint.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { DIALECTS, expectErrors, expectFailure, expectNoBody } from '../support/answers.ts';
import { aCreate } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

const NOBODYS_ID = '0190a1b2c3d47abc8def0123456789ab';
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const MOST = 20;
const DAY_MS = 86_400_000;

const namesOf = (received: readonly Received[]): string[] => received.map(({ body }) => body.event as string);
const verify = (secret: string, { text, headers }: Received): unknown =>
  new Verifier(secret).verify(text, headers as Record<string, string>);

describe('webhooks', () => {
  let service: Service;
  let shop: Shop;
  let receiver: Receiver;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    shop = await service.openShop();
    receiver = await openReceiver();
  });
  afterEach(() => receiver.close());

  const create = async (body: object = {}, { client } = shop): Promise<Reply['body']> =>
    client.must(201, 'POST', '/v1/webhooks', { url: receiver.url, ...body });
  const get = (id: string): Promise<Reply['body']> => shop.client.must(200, 'GET', `/v1/webhooks/${id}`);
  const put = (id: string, body: object): Promise<unknown> => shop.client.must(204, 'PUT', `/v1/webhooks/${id}`, body);
  const eventIds = async (query = ''): Promise<string[]> => {
    const { events } = await shop.client.must(200, 'GET', `/v1/events${query}`);
    return events.map(({ id }: { id: string }) => id);
  };
  const deliveriesOf = async (eventId: string): Promise<Reply['body'][]> =>
    (await shop.client.must(200, 'GET', `/v1/events/${eventId}/deliveries`)).deliveries;
  /** Waits until all deliveries of an event have come to this. */
  const settled = async (eventId: string, state: string): Promise<Reply['body'][]> => {
    let found: Reply['body'][] = [];
    await until(`${state} deliveries`, async () => {
      found = await deliveriesOf(eventId);
      return found.length > 0 && found.every((delivery) => delivery.state === state);
    });
    return found;
  };

  for (const dialect of DIALECTS)
    describe(dialect, () => {
      beforeEach(async () => {
        shop = await service.openShop({ dialect });
      });

      test('201: for all events, with a secret that signs what is sent', async () => {
        const { webhookId, created, secret, ...rest } = await create();
        assert.match(webhookId, /^[0-9a-f]{32}$/);
        assert.match(created, TIMESTAMP);
        assert.deepEqual(rest, { url: receiver.url, events: ['*'], state: 'enabled' });
        await shop.client.createReserved();
        for (const received of await receiver.until(4)) verify(secret, received);
      });

      test('201: for the events that are named, each once', async () => {
        const names = ['payment.charge.created', 'payment.checkout.completed'];
        const { events } = await create({ events: [...names, 'payment.charge.created'] });
        assert.deepEqual(events, names);
        const paymentId = await shop.client.createReserved();
        await shop.client.charge(paymentId, 1_000);
        assert.deepEqual(namesOf(await receiver.until(2)), names.toReversed());
      });

      // decision: webhooks-api
      test('null and ["*"] are all events; what is null is absent', async () => {
        for (const events of [null, ['*']]) assert.deepEqual((await create({ events, secret: null })).events, ['*']);
      });

      test('a secret that was given signs', async () => {
        assert.equal((await create({ secret: SECRET })).secret, SECRET);
        await shop.client.createReserved();
        const [first] = await receiver.until(1);
        verify(SECRET, first as Received);
      });

      // decision: webhooks-api
      test('400: what is wrong with the request, field by field', async () => {
        const post = (body: unknown): Promise<Reply> => shop.client.post('/v1/webhooks', body);
        const { url } = receiver;
        expectErrors(await post({}), { url: ['is required'] });
        expectErrors(await post({ url: '' }), { url: ['is required'] });
        expectErrors(await post({ url: 7 }), { url: ['must be a text, found 7'] });
        expectErrors(await post({ url: 'ftp://shop.example' }), {
          url: [/^must be an absolute http or https address/],
        });
        expectErrors(await post({ url, events: 'all' }), {
          events: ['must be an array, found a text of 3 characters'],
        });
        expectErrors(await post({ url, events: [7] }), { 'events[0]': ['must be a text, found 7'] });
        expectErrors(await post({ url, events: ['payment.created', 'payment.charged'] }), {
          'events[1]': [/^there is no such event; there are payment\.created, .*, webhook\.disabled$/],
        });
        expectErrors(await post({ url, events: ['payment.created', '*'] }), {
          'events[1]': ['must stand alone: it means all events'],
        });
        expectErrors(await post({ url, events: [] }), {
          events: ['must name at least one event; leave it out, or give ["*"], for all'],
        });
        expectErrors(await post({ url, event: ['*'], 'not plain': 1 }), {
          event: ['there is no such field; there are url, events, secret'],
          '*': ['there is no such field; there are url, events, secret'],
        });
        const bad = { url: 'http://169.254.169.254/', events: ['paid', 'payment.created', '*', 7] };
        const text = { 'events[3]': ['must be a text, found 7'] };
        const judged = {
          url: ['must not lead to a metadata address'],
          'events[0]': [/^there is no such event; /],
          'events[2]': ['must stand alone: it means all events'],
        };
        expectErrors(await post({ ...bad, secret: 'x', more: 1 }), {
          more: ['there is no such field; there are url, events, secret'],
          ...text,
          secret: ['must be whsec_ and the base64 of 24 to 64 bytes, found a text of 1 character'],
          ...judged,
        });
        expectErrors(await shop.client.put(`/v1/webhooks/${NOBODYS_ID}`, { ...bad, state: 'paused' }), {
          ...text,
          state: ['must be one of enabled, disabled; found "paused"'],
          ...judged,
        });
        expectErrors(await post({ url, events: Array.from({ length: 65 }, () => '*') }), {
          events: ['must have at most 64 elements, found 65'],
        });
        for (const secret of ['secret', 'whsec_', 'whsec_c2hvcnQ=', `${SECRET}=`, SECRET.slice(6), `${SECRET}\n`])
          expectErrors(await post({ url, secret }), {
            secret: [`must be whsec_ and the base64 of 24 to 64 bytes, found a text of ${secret.length} characters`],
          });
        expectErrors(await post(undefined), { instance: ['cannot be null'] });
        expectErrors(await post('{"url":'), { body: [/^must be JSON: /] });
        expectErrors(await post([]), { body: ['must be an object, found an array'] });
        const plain = await shop.client.post('/v1/webhooks', '{}', { 'content-type': 'text/plain' });
        expectFailure(plain, { status: 415, code: '1000', message: /^The content type is text\/plain/ });
        assert.deepEqual(await shop.client.must(200, 'GET', '/v1/webhooks'), { webhooks: [] });
      });
    });

  for (const [url, text] of [
    ['http://169.254.169.254/latest', 'must not lead to a metadata address'],
    ['http://0xa9fea9fe/', 'must not lead to a metadata address'],
    ['http://[::ffff:169.254.1.1]/', 'must not lead to a link-local address'],
    ['http://0.0.0.0/', 'must not lead to an unspecified address'],
    ['http://user:pass@shop.example/', 'must not have a user name or a password'],
  ] as const)
    // decision: addresses-of-hooks
    test(`400: ${url}, for a webhook and for a hook of a payment`, async () => {
      expectErrors(await shop.client.post('/v1/webhooks', { url }), { url: [text] });
      const { webhookId } = await create();
      expectErrors(await shop.client.put(`/v1/webhooks/${webhookId}`, { url }), { url: [text] });
      for (const name of ['webHooks', 'webhooks']) {
        const good = { eventName: 'payment.created', url: receiver.url, authorization: 'a-secret-of-mine' };
        const notifications = { [name]: [good, { ...good, url }] };
        expectErrors(await shop.client.post('/v1/payments', { ...aCreate(), notifications }), {
          [`notifications.${name}[1].url`]: [text],
        });
      }
    });

  // decision: addresses-of-hooks
  test('a live merchant: https alone, and no private address; a test merchant may', async () => {
    const live = await service.openShop({ live: true });
    for (const [url, text] of [
      ['http://shop.example/hook', 'must be https for a live merchant'],
      ['https://10.0.0.1/hook', 'must not lead to a private address for a live merchant'],
      ['https://localhost/hook', 'must have a public host name for a live merchant'],
    ] as const) {
      expectErrors(await live.client.post('/v1/webhooks', { url }), { url: [text] });
      const notifications = { webHooks: [{ eventName: 'payment.created', url, authorization: 'a-secret-of-mine' }] };
      const payment = { ...aCreate(), notifications };
      expectErrors(await live.client.post('/v1/payments', payment), { 'notifications.webHooks[0].url': [text] });
      await shop.client.must(201, 'POST', '/v1/webhooks', { url });
      await shop.client.must(201, 'POST', '/v1/payments', payment);
    }
    await live.client.must(201, 'POST', '/v1/webhooks', { url: 'https://shop.example/hook' });
  });

  test('the scheme in any case is taken, and shown as it is meant', async () => {
    assert.equal((await create({ url: 'HTTPS://shop.example/Hook' })).url, 'https://shop.example/Hook');
  });

  test(`at most ${MOST}; one that is deleted makes room`, async () => {
    const made = [];
    for (let n = 0; n < MOST; n += 1) made.push(await create());
    const text = 'there are 20 webhooks already, the most that there can be';
    expectErrors(await shop.client.post('/v1/webhooks', { url: receiver.url }), { url: [text] });
    const { webhooks } = await shop.client.must(200, 'GET', '/v1/webhooks');
    assert.deepEqual(
      webhooks.map(({ webhookId }: { webhookId: string }) => webhookId).toSorted(),
      made.map(({ webhookId }) => webhookId as string).toSorted(),
    );
    await shop.client.must(204, 'DELETE', `/v1/webhooks/${made[0].webhookId}`);
    await create();
  });

  test(`at most ${MOST}, also when twice as many are asked for at once`, async () => {
    const ask = (): Promise<Reply> => shop.client.post('/v1/webhooks', { url: receiver.url });
    const replies = await Promise.all(Array.from({ length: 2 * MOST }, ask));
    assert.equal(replies.filter(({ status }) => status === 201).length, MOST);
    assert.equal(replies.filter(({ status }) => status === 400).length, MOST);
    assert.equal((await shop.client.must(200, 'GET', '/v1/webhooks')).webhooks.length, MOST);
  });

  // decision: webhooks-api
  test('an Idempotency-Key makes one, and gives its first answer again, with the secret, also when it is deleted', async () => {
    const headers = { 'idempotency-key': 'one' };
    const ask = (body: object, { client } = shop): Promise<Reply> => client.post('/v1/webhooks', body, headers);
    const { url } = receiver;
    for (let n = 1; n < MOST; n += 1) await create();
    // The last that there can be: whoever comes second is told of it, and not that there are too many.
    const replies = await Promise.all(Array.from({ length: 5 }, () => ask({ url })));
    const replayed = replies.filter((reply) => reply.headers.get('idempotent-replayed') === 'true');
    assert.equal(replayed.length, 4);
    const [first] = replies as [Reply, ...Reply[]];
    assert.equal(first.status, 201);
    for (const { status, text } of replies) assert.deepEqual([status, text], [201, first.text]);
    assert.equal((await shop.client.must(200, 'GET', '/v1/webhooks')).webhooks.length, MOST);

    const other = await ask({ url, events: ['payment.created'] });
    expectFailure(other, { status: 422, code: '1000', message: /^This Idempotency-Key was used with another body; / });
    assert.notEqual(
      (await ask({ url }, await service.openShop({ beside: shop }))).body.webhookId,
      first.body.webhookId,
    );

    await shop.client.must(204, 'DELETE', `/v1/webhooks/${first.body.webhookId}`);
    assert.equal((await ask({ url })).text, first.text);
    assert.deepEqual((await verifyBooks(service.pool)).differences, []);
  });

  // decision: webhooks-api
  test('a webhook that was refused has not used up its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'one' };
    const ask = (url: string): Promise<Reply> => shop.client.post('/v1/webhooks', { url }, headers);
    expectErrors(await ask('http://0.0.0.0/'), { url: ['must not lead to an unspecified address'] });
    for (let n = 0; n < MOST; n += 1) await create();
    assert.equal((await ask(receiver.url)).status, 400);
    const { webhooks } = await shop.client.must(200, 'GET', '/v1/webhooks');
    await shop.client.must(204, 'DELETE', `/v1/webhooks/${webhooks[0].webhookId}`);
    assert.equal((await ask(receiver.url)).headers.get('idempotent-replayed'), null);
  });

  // decision: webhooks-api
  test('secrets are shown by create and rotate, and by nothing else, not by the log either', async () => {
    const { secret: first, ...made } = await create();
    const path = `/v1/webhooks/${made.webhookId}`;
    const own = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
    const { secret: second } = await shop.client.must(200, 'POST', `${path}/rotate`);
    await shop.client.must(200, 'POST', `${path}/rotate`, { secret: own });
    await shop.client.post('/v1/webhooks', { url: receiver.url, secret: `${own}!` });
    await shop.client.createReserved();
    const [{ body }] = (await receiver.until(1)) as [Received];
    const replies = [
      await shop.client.get('/v1/webhooks'),
      await shop.client.get(path),
      await shop.client.put(path, { state: 'disabled' }),
      await shop.client.put(path, { secret: SECRET }),
      await shop.client.get(`${path}/deliveries`),
      await shop.client.get(`/v1/events/${body.id}/deliveries`),
      await shop.client.post(`${path}/redeliver`, { since: '2026-01-01' }),
      await shop.client.send('DELETE', path),
    ];
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 204, 400, 200, 200, 400, 204],
    );
    for (const { text } of replies) assert.doesNotMatch(text, /whsec_/);
    const last = new RegExp(`"method":"DELETE".*"status":204.*"merchant":${shop.merchant.id}\\b`);
    await until('the log', () => last.test(service.log()));
    for (const secret of [first, second, own, SECRET]) assert.ok(!service.log().includes(secret.slice(6)));
  });

  // decision: webhooks-api
  test('PUT: what is named changes, what is not stays', async () => {
    const { secret, ...made } = await create({ events: ['payment.created'] });
    await put(made.webhookId, { events: ['payment.checkout.completed'] });
    assert.deepEqual(await get(made.webhookId), { ...made, events: ['payment.checkout.completed'] });
    await put(made.webhookId, { url: `${receiver.url}/2`, state: null });
    assert.deepEqual(await get(made.webhookId), {
      ...made,
      events: ['payment.checkout.completed'],
      url: `${receiver.url}/2`,
    });
    await shop.client.createReserved();
    const [received] = await receiver.until(1);
    assert.equal(received?.path, '/events/2');
    verify(secret, received);
    await put(made.webhookId, { events: ['*'] });
    assert.deepEqual((await get(made.webhookId)).events, ['*']);
  });

  // decision: disabled-webhooks
  test('PUT: switched off it is sent nothing, and tells why and when; switched on it hears of what is new', async () => {
    const { webhookId } = await create({ events: ['payment.created'] });
    await put(webhookId, { state: 'disabled' });
    const { state, disabledReason, disabledAt } = await get(webhookId);
    assert.deepEqual([state, disabledReason], ['disabled', 'asked']);
    assert.match(disabledAt, TIMESTAMP);
    const missed = await shop.client.createReserved();
    assert.equal((await eventIds()).length, 4);
    await put(webhookId, { state: 'enabled' });
    assert.deepEqual(Object.keys(await get(webhookId)), ['webhookId', 'url', 'events', 'state', 'created']);
    const heard = await shop.client.createReserved();
    const received = await receiver.until(1);
    assert.deepEqual(
      received.map(({ body }) => body.data.paymentId as string),
      [heard],
    );
    const since = new Date(Date.now() - DAY_MS).toISOString();
    assert.partialDeepStrictEqual(
      await shop.client.must(202, 'POST', `/v1/webhooks/${webhookId}/redeliver`, { since }),
      { deliveries: 2, state: 'completed' },
    );
    const all = await receiver.until(3);
    assert.deepEqual(
      all
        .slice(1)
        .map(({ body }) => body.data.paymentId as string)
        .toSorted(),
      [missed, heard].toSorted(),
    );
  });

  // decision: disabled-webhooks
  test('PUT: what is on its way when it is switched off is held, shown so, and sent when it is switched on', async () => {
    const { webhookId } = await create({ events: ['payment.created', 'payment.checkout.completed'] });
    receiver.react(500);
    const paymentId = await shop.client.createReserved();
    await receiver.until(1);
    await put(webhookId, { state: 'disabled' });
    receiver.react(200);
    const [failed = '', waiting = ''] = await eventIds('?type=payment.created,payment.checkout.completed');
    // Its lane is due again a second after it failed; whoever finds the webhook off lets it rest.
    await until('the lane to rest', async () => {
      const rows = await service.pool.query(
        `select from lanes where subject_id = $1 and subscriber = $2 and not leased and next_try_at > now() + interval '20 days'`,
        [paymentId, webhookId],
      );
      return rows.length === 1;
    });
    for (const id of [failed, waiting]) {
      const [held] = await deliveriesOf(id);
      assert.deepEqual([held.state, held.nextTry], ['pending', undefined]);
    }
    assert.equal(receiver.received.length, 1);
    await put(webhookId, { state: 'enabled' });
    const received = await receiver.until(3);
    assert.deepEqual(namesOf(received), ['payment.created', 'payment.created', 'payment.checkout.completed']);
    for (const id of [failed, waiting]) await settled(id, 'delivered');
  });

  test('PUT: 400 for nothing to change, an unknown state, an unknown event', async () => {
    const { webhookId } = await create();
    const send = (body: unknown): Promise<Reply> => shop.client.put(`/v1/webhooks/${webhookId}`, body);
    expectErrors(await send({}), { url: ['is required, or events, or state'] });
    expectErrors(await send({ state: 'paused' }), { state: ['must be one of enabled, disabled; found "paused"'] });
    expectErrors(await send({ events: ['x'] }), { 'events[0]': [/^there is no such event/] });
    expectErrors(await send({ events: [] }), { events: [/^must name at least one event; /] });
    expectErrors(await send({ enabled: true }), { enabled: ['there is no such field; there are url, events, state'] });
    expectErrors(await send(undefined), { instance: ['cannot be null'] });
  });

  // decision: answer-410
  test('one that answers 410 is switched off, says why, and the others are told', async () => {
    const gone = await create({ events: ['payment.created'] });
    const other = await openReceiver();
    try {
      await create({ url: other.url, events: ['webhook.disabled'] });
      receiver.react(410);
      await shop.client.createReserved();
      const [told] = await other.until(1);
      const { reason, webhookId } = told?.body.data ?? {};
      assert.deepEqual([reason, webhookId], ['gone', gone.webhookId]);
      const shown = await get(gone.webhookId);
      assert.deepEqual([shown.state, shown.disabledReason], ['disabled', 'gone']);
      const [id = ''] = await eventIds('?type=webhook.disabled');
      assert.deepEqual(await shop.client.must(200, 'GET', `/v1/events/${id}`), told?.body);
      const [kept = ''] = await eventIds('?type=payment.created');
      const [held] = await deliveriesOf(kept);
      assert.deepEqual([held.state, held.nextTry, held.attempts[0].status], ['pending', undefined, 410]);
      receiver.react(200);
      await put(gone.webhookId, { state: 'enabled' });
      await settled(kept, 'delivered');
    } finally {
      await other.close();
    }
  });

  // decision: webhooks-api
  test('rotate: the new secret and the one before verify, and it is told until when', async () => {
    const { webhookId, secret: first } = await create({ events: ['payment.created'] });
    const { secret: second, oldSecretUntil } = await shop.client.must(200, 'POST', `/v1/webhooks/${webhookId}/rotate`);
    assert.notEqual(second, first);
    assert.match(oldSecretUntil, TIMESTAMP);
    assert.equal((await get(webhookId)).oldSecretUntil, oldSecretUntil);
    await shop.client.createReserved();
    const [received] = await receiver.until(1);
    for (const secret of [first, second]) verify(secret, received as Received);
    await service.pool.query('update webhooks set old_secret_until = now() where id = $1', [webhookId]);
    assert.equal((await get(webhookId)).oldSecretUntil, undefined);
    const own = await shop.client.must(200, 'POST', `/v1/webhooks/${webhookId}/rotate`, { secret: SECRET });
    assert.equal(own.secret, SECRET);
    expectErrors(await shop.client.post(`/v1/webhooks/${webhookId}/rotate`, { secret: 'x' }), {
      secret: [/^must be whsec_ and the base64 of 24 to 64 bytes/],
    });
  });

  // decision: rotating-a-secret
  test('rotate: the old secret for as long as is asked for; 0 ends it at once', async () => {
    const { webhookId, secret: first } = await create({ events: ['payment.created'] });
    const rotate = (body: object): Promise<Reply> => shop.client.post(`/v1/webhooks/${webhookId}/rotate`, body);
    const { body: short } = await rotate({ oldSecretFor: 600 });
    const leftMs = Date.parse(short.oldSecretUntil) - Date.now();
    assert.ok(leftMs > 0 && leftMs <= 600_000, `${leftMs}`);
    const { status, body } = await rotate({ oldSecretFor: 0 });
    assert.deepEqual([status, Object.keys(body)], [200, ['secret']]);
    assert.equal((await get(webhookId)).oldSecretUntil, undefined);
    await shop.client.createReserved();
    const [received] = (await receiver.until(1)) as [Received];
    verify(body.secret, received);
    for (const old of [first, short.secret]) assert.throws(() => verify(old, received));
    for (const oldSecretFor of [-1, 86_401])
      expectErrors(await rotate({ oldSecretFor }), {
        oldSecretFor: [`must be a whole number from 0 to 86400, found ${oldSecretFor}`],
      });
    expectErrors(await rotate({ old: 0 }), { old: ['there is no such field; there are secret, oldSecretFor'] });
  });

  // decision: ping
  test('ping: signed by both secrets, told what came of it, on or off, and nothing is kept of it', async () => {
    const { webhookId, secret: first } = await create({ events: ['payment.created'] });
    const { secret: second } = await shop.client.must(200, 'POST', `/v1/webhooks/${webhookId}/rotate`);
    const ping = (): Promise<Reply['body']> => shop.client.must(200, 'POST', `/v1/webhooks/${webhookId}/ping`);
    receiver.react((response) => response.writeHead(202).end('hello'), 302, 410);
    const { at, ms, ...taken } = await ping();
    assert.match(at, TIMESTAMP);
    assert.equal(typeof ms, 'number');
    assert.deepEqual(taken, { status: 202, answer: 'hello' });
    const [received] = (await receiver.until(1)) as [Received];
    for (const secret of [first, second]) verify(secret, received);
    const { id, timestamp, ...envelope } = received.body;
    assert.equal(received.headers['webhook-id'], id);
    assert.match(timestamp, TIMESTAMP);
    const { id: merchantId } = shop.merchant;
    const data = { webhookId };
    assert.deepEqual(envelope, { merchantId, merchantNumber: merchantId, event: 'webhook.ping', data });
    assert.equal((await ping()).error, 'redirects are not followed');
    assert.equal((await ping()).status, 410);
    assert.equal((await get(webhookId)).state, 'enabled', 'a ping changes nothing');
    await put(webhookId, { state: 'disabled', url: 'http://127.0.0.1:1/' });
    const refused = await ping();
    assert.deepEqual([refused.status, refused.error], [undefined, 'connection refused']);
    assert.deepEqual(await eventIds(), []);
  });

  // decision: ping
  test('ping: one at a time for a webhook, then 429', async () => {
    const [{ webhookId }, other] = [await create(), await create()];
    const ping = (id: string): Promise<Reply> => shop.client.post(`/v1/webhooks/${id}/ping`);
    let answer = (): void => assert.fail('nothing has come');
    receiver.react((response) => {
      answer = () => response.writeHead(200).end();
    }, 200);
    const slow = ping(webhookId);
    await receiver.until(1);
    const refused = await ping(webhookId);
    const message = 'The ping before is still under way; wait for its answer.';
    expectFailure(refused, { status: 429, code: '1000', message });
    assert.equal((await ping(other.webhookId)).body.status, 200);
    answer();
    assert.equal((await slow).body.status, 200);
    assert.equal((await ping(webhookId)).body.status, 200);
  });

  test('DELETE: what was on its way is dropped at once', async () => {
    const { webhookId } = await create({ events: ['payment.created'] });
    receiver.react(500);
    await shop.client.createReserved();
    await receiver.until(1);
    const [id = ''] = await eventIds('?type=payment.created');
    await shop.client.must(204, 'DELETE', `/v1/webhooks/${webhookId}`);
    const [{ state, nextTry }] = (await deliveriesOf(id)) as [Reply['body']];
    assert.deepEqual([state, nextTry], ['dropped', undefined]);
    await until('the row', async () => {
      const rows = await service.pool.query(`select from deliveries where subscriber = $1 and state = 'dropped'`, [
        webhookId,
      ]);
      return rows.length === 1;
    });
  });

  test('DELETE: gone for good, and sent nothing more', async () => {
    const { webhookId } = await create();
    const kept = await create({ events: ['payment.checkout.completed'] });
    await shop.client.must(204, 'DELETE', `/v1/webhooks/${webhookId}`);
    expectNoBody(await shop.client.get(`/v1/webhooks/${webhookId}`), 404);
    expectNoBody(await shop.client.send('DELETE', `/v1/webhooks/${webhookId}`), 404);
    await shop.client.createReserved();
    const received = await receiver.until(1);
    assert.deepEqual(namesOf(received), ['payment.checkout.completed']);
    verify(kept.secret, received[0] as Received);
  });

  test("deliveries of an event: to a webhook and to a payment's own hook, with every attempt", async () => {
    const { webhookId } = await create({ events: ['payment.created'] });
    const own = await openReceiver();
    try {
      receiver.react((response) => response.writeHead(500).end('not now'), 204);
      const authorization = 'a-secret-of-mine';
      const hook = { eventName: 'payment.created', url: own.url, authorization };
      const notifications = { webHooks: [{ ...hook, eventName: 'payment.cancel.created' }, hook] };
      const payment = { ...aCreate(), notifications };
      const { paymentId } = await shop.client.must(201, 'POST', '/v1/payments', payment);
      await shop.client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
      const [id = ''] = await eventIds('?type=payment.created');
      const deliveries = await settled(id, 'delivered');
      const toWebhook = deliveries.find((delivery) => delivery.webhookId === webhookId);
      const toHook = deliveries.find((delivery) => delivery.hook !== undefined);
      assert.equal(deliveries.length, 2);
      const { attempts, ...rest } = toWebhook;
      assert.deepEqual(rest, { eventId: id, event: 'payment.created', webhookId, state: 'delivered', tries: 2 });
      const [refused, taken] = attempts;
      assert.deepEqual([refused.status, refused.answer], [500, 'not now']);
      assert.deepEqual([taken.status, taken.answer], [204, undefined]);
      for (const { at, ms } of attempts) {
        assert.match(at, TIMESTAMP);
        assert.equal(typeof ms, 'number');
      }
      assert.deepEqual([toHook.hook, toHook.url, toHook.tries], [1, own.url, 1]);
      assert.equal(toHook.redeliveries, undefined);
      assert.ok(!JSON.stringify(deliveries).includes(authorization));
      const [silent = ''] = await eventIds('?type=payment.checkout.completed');
      assert.deepEqual(await deliveriesOf(silent), []);
    } finally {
      await own.close();
    }
  });

  test('deliveries to a webhook: newest first, by state, page by page', async () => {
    const { webhookId } = await create({ events: ['payment.created', 'payment.charge.created'] });
    const other = await create({ events: ['payment.created'] });
    receiver.react((response, { body }) =>
      response.writeHead(body.event === 'payment.charge.created' ? 500 : 200).end(),
    );
    for (let n = 0; n < 3; n += 1) await shop.client.createReserved();
    const paymentId = await shop.client.createReserved();
    await shop.client.charge(paymentId, 1_000);
    const ids = (await eventIds('?type=payment.created,payment.charge.created')).toReversed();
    const list = (query = '', id = webhookId): Promise<Reply['body']> =>
      shop.client.must(200, 'GET', `/v1/webhooks/${id}/deliveries${query}`);
    const idsOf = (page: Reply['body']): string[] => page.deliveries.map(({ eventId }: { eventId: string }) => eventId);
    for (const id of ids.slice(1)) await settled(id, 'delivered');
    await until('an attempt', async () => (await list('?state=pending')).deliveries[0].attempts.length > 0);
    const all = await list();
    assert.deepEqual(idsOf(all), ids);
    assert.equal(all.cursor, undefined);
    assert.deepEqual(idsOf(await list('?state=delivered')), ids.slice(1));
    assert.deepEqual(idsOf(await list('?state=failed')), []);
    const [pending] = (await list('?state=pending')).deliveries;
    assert.equal(pending.eventId, ids[0]);
    assert.match(pending.nextTry, TIMESTAMP);
    assert.equal(idsOf(await list('', other.webhookId)).length, 4);
    const first = await list('?limit=2');
    assert.deepEqual([idsOf(first), first.cursor], [ids.slice(0, 2), ids[1]]);
    const second = await list(`?limit=2&before=${first.cursor}`);
    assert.deepEqual([idsOf(second), second.cursor], [ids.slice(2, 4), ids[3]]);
    assert.deepEqual(await list(`?limit=2&before=${second.cursor}`), { deliveries: all.deliveries.slice(4) });
    const ask = (query: string): Promise<Reply> => shop.client.get(`/v1/webhooks/${webhookId}/deliveries?${query}`);
    expectErrors(await ask('state=lost'), { state: [/^must be one of pending, delivered, failed, dropped; /] });
    expectErrors(await ask('limit=0'), { limit: ['must be a whole number from 1 to 100'] });
    expectErrors(await ask(`before=${NOBODYS_ID}`), { before: ['must be the id of an event of yours'] });
    expectErrors(await ask('after=x'), { after: ['there is no such filter; there are state, before, limit'] });
  });

  test('redeliver an event: under the same id to all whom it was sent to, or to one that never heard of it', async () => {
    const { webhookId, secret } = await create({ events: ['payment.created'] });
    await shop.client.createReserved();
    const [first] = await receiver.until(1);
    const id = first?.body.id as string;
    await settled(id, 'delivered');
    const path = `/v1/events/${id}/redeliver`;
    assert.deepEqual(await shop.client.must(202, 'POST', path), { deliveries: 1 });
    const [, again] = await receiver.until(2);
    assert.deepEqual(again?.body, first?.body);
    verify(secret, again as Received);
    const late = await openReceiver();
    try {
      const other = await create({ url: late.url, events: ['payment.cancel.created'] });
      assert.deepEqual(await shop.client.must(202, 'POST', path, { webhookId: other.webhookId }), { deliveries: 1 });
      const [told] = await late.until(1);
      assert.deepEqual(told?.body, first?.body);
      const deliveries = await settled(id, 'delivered');
      assert.deepEqual(new Set(deliveries.map((each) => each.webhookId)), new Set([webhookId, other.webhookId]));
      assert.equal(deliveries.length, 2);
      assert.equal(deliveries.find((each) => each.webhookId === webhookId).attempts.length, 2);
    } finally {
      await late.close();
    }
  });

  // decision: redelivering-an-event
  test('redeliver an event: tries begin anew, and what was taken once stays visible', async () => {
    const { webhookId } = await create({ events: ['payment.created'] });
    await shop.client.createReserved();
    await receiver.until(1);
    const [id = ''] = await eventIds('?type=payment.created');
    await settled(id, 'delivered');
    receiver.react(302, 500);
    await shop.client.must(202, 'POST', `/v1/events/${id}/redeliver`, { webhookId });
    await until('two more attempts', async () => (await deliveriesOf(id))[0].attempts.length >= 3);
    const [again] = await deliveriesOf(id);
    assert.deepEqual([again.state, again.redeliveries], ['pending', 1]);
    assert.equal(again.tries, again.attempts.length - 1);
    const [taken, redirected, failed] = again.attempts;
    assert.deepEqual([taken.status, taken.error], [200, undefined]);
    assert.deepEqual([redirected.status, redirected.error], [302, 'redirects are not followed']);
    assert.deepEqual([failed.status, failed.error], [500, undefined]);
    await shop.client.must(204, 'DELETE', `/v1/webhooks/${webhookId}`);
    const [dropped] = await deliveriesOf(id);
    assert.deepEqual([dropped.state, dropped.attempts[0].status], ['dropped', 200]);
  });

  test('redeliver an event: 400 for a webhook that is not there, is off, or when there is nobody', async () => {
    const foreign = await create({}, await service.openShop({ beside: shop }));
    const { webhookId } = await create({ events: ['payment.created'] });
    await shop.client.createReserved();
    await receiver.until(1);
    const [id = '', silent = ''] = await eventIds();
    await settled(id, 'delivered');
    const ask = (eventId: string, body?: unknown): Promise<Reply> =>
      shop.client.post(`/v1/events/${eventId}/redeliver`, body);
    for (const unknown of [NOBODYS_ID, 'nonsense', foreign.webhookId])
      expectErrors(await ask(id, { webhookId: unknown }), { webhookId: ['there is no such webhook'] });
    expectErrors(await ask(id, { webhookId: 7 }), { webhookId: ['must be a text, found 7'] });
    expectErrors(await ask(id, { webhook: webhookId }), { webhook: ['there is no such field; there are webhookId'] });
    const nobody = 'is required: nobody whom this event was sent to can still be sent it';
    expectErrors(await ask(silent, {}), { webhookId: [nobody] });
    await put(webhookId, { state: 'disabled' });
    expectErrors(await ask(id, { webhookId }), { webhookId: ['is switched off; switch it on first'] });
    expectErrors(await ask(id), { webhookId: [nobody] });
    await shop.client.must(204, 'DELETE', `/v1/webhooks/${webhookId}`);
    expectErrors(await ask(id), { webhookId: [nobody] });
    assert.equal(receiver.received.length, 1);
  });

  test('redeliver all since a time: what the webhook wants, and nothing older', async () => {
    for (let n = 0; n < 2; n += 1) await shop.client.createReserved();
    await eventIds();
    await service.pool.query(
      `update events set recorded_at = recorded_at - interval '2 days' where merchant_id = $1 and name = 'payment.created'`,
      [shop.merchant.id],
    );
    const { webhookId, secret } = await create({ events: ['payment.created', 'payment.checkout.completed'] });
    const ask = (since: string): Promise<Reply> => shop.client.post(`/v1/webhooks/${webhookId}/redeliver`, { since });
    const yesterday = new Date(Date.now() - DAY_MS).toISOString();
    const reply = await ask(yesterday);
    assert.deepEqual([reply.status, reply.body.deliveries, reply.body.state], [202, 2, 'completed']);
    const received = await receiver.until(2);
    assert.deepEqual(namesOf(received), ['payment.checkout.completed', 'payment.checkout.completed']);
    for (const each of received) verify(secret, each);
    assert.equal((await ask('2026-01-01')).body.deliveries, 4);
    await receiver.until(6);
    assert.equal((await ask(new Date(Date.now() + DAY_MS).toISOString())).body.deliveries, 0);
  });

  test('redeliver all since a time: until another, of some types, only what was not taken', async () => {
    const { webhookId } = await create({ events: ['payment.created', 'payment.checkout.completed'] });
    receiver.react((response, { body }) => response.writeHead(body.event === 'payment.created' ? 500 : 200).end());
    await shop.client.createReserved();
    const [failed = '', missed = ''] = await eventIds('?type=payment.created,payment.checkout.completed');
    await receiver.until(1);
    await put(webhookId, { state: 'disabled' });
    const late = await shop.client.createReserved();
    const since = '2026-01-01';
    const [created = ''] = await eventIds(`?paymentId=${late}&type=payment.created`);
    await put(webhookId, { state: 'enabled' });
    receiver.react(200);
    for (const id of [failed, missed]) await settled(id, 'delivered');
    const ask = async (body: object): Promise<number> =>
      (await shop.client.must(202, 'POST', `/v1/webhooks/${webhookId}/redeliver`, { since, ...body })).deliveries;
    assert.equal(await ask({ until: since }), 0);
    assert.equal(await ask({ types: ['payment.charge.created'] }), 0);
    assert.equal(await ask({ onlyFailed: true, types: ['payment.created'] }), 1);
    await settled(created, 'delivered');
    assert.equal(await ask({ onlyFailed: true }), 1);
    const [completed = ''] = await eventIds(`?paymentId=${late}&type=payment.checkout.completed`);
    await settled(completed, 'delivered');
    assert.equal(await ask({ onlyFailed: true }), 0);
    assert.equal(await ask({ onlyFailed: false, until: new Date(Date.now() + DAY_MS).toISOString() }), 4);
  });

  test('redeliver all since a time: 400 without a time, with a bad one, or when the webhook is off', async () => {
    const { webhookId } = await create();
    const ask = (body?: unknown): Promise<Reply> => shop.client.post(`/v1/webhooks/${webhookId}/redeliver`, body);
    expectErrors(await ask(), { since: ['is required'] });
    expectErrors(await ask({}), { since: ['is required'] });
    const since = '2026-01-02';
    expectErrors(await ask({ since, until: '2026-01-01' }), { until: ['must not be before since'] });
    expectErrors(await ask({ since, types: ['x'] }), { 'types[0]': [/^there is no such event/] });
    expectErrors(await ask({ since, types: [] }), { types: [/^must name at least one event/] });
    expectErrors(await ask({ since, failed: true }), {
      failed: ['there is no such field; there are since, until, types, onlyFailed'],
    });
    expectErrors(await ask({ since: 'yesterday' }), { since: [/^must be a date or a timestamp such as /] });
    await put(webhookId, { state: 'disabled' });
    expectErrors(await ask({ since: '2026-01-01' }), { webhookId: ['is switched off; switch it on first'] });
  });

  const asked: readonly (readonly [name: string, ask: (client: Client, id: string) => Promise<Reply>])[] = [
    ['GET', (client, id) => client.get(`/v1/webhooks/${id}`)],
    ['PUT', (client, id) => client.put(`/v1/webhooks/${id}`, { state: 'disabled' })],
    ['DELETE', (client, id) => client.send('DELETE', `/v1/webhooks/${id}`)],
    ['POST …/rotate', (client, id) => client.post(`/v1/webhooks/${id}/rotate`)],
    ['POST …/ping', (client, id) => client.post(`/v1/webhooks/${id}/ping`)],
    ['POST …/redeliver', (client, id) => client.post(`/v1/webhooks/${id}/redeliver`, { since: '2026-01-01' })],
    ['GET …/deliveries', (client, id) => client.get(`/v1/webhooks/${id}/deliveries`)],
  ];
  for (const [name, ask] of asked)
    test(`${name}: 401 without a key; 404 for an id that is nobody's, malformed or another merchant's; 400 for a long one`, async () => {
      const other = await service.openShop({ beside: shop });
      const { secret, ...made } = await create({ events: ['payment.created'] });
      expectNoBody(await ask(service.client(), made.webhookId), 401);
      for (const unknown of [NOBODYS_ID, 'nonsense', '0'.repeat(32), `${made.webhookId}0`])
        expectNoBody(await ask(shop.client, unknown), 404);
      expectNoBody(await ask(other.client, made.webhookId), 404);
      expectErrors(await ask(shop.client, 'a'.repeat(129)), {
        webhookId: ['must have at most 128 characters, found 129'],
      });
      assert.deepEqual(await get(made.webhookId), made, 'nobody else has changed it');
      assert.deepEqual(await other.client.must(200, 'GET', '/v1/webhooks'), { webhooks: [] });
      await shop.client.createReserved();
      verify(secret, (await receiver.until(1))[0] as Received);
    });

  test('401 for the list and for create; 405 with Allow for a wrong method', async () => {
    expectNoBody(await service.client().get('/v1/webhooks'), 401);
    expectNoBody(await service.client('nonsense').post('/v1/webhooks', { url: receiver.url }), 401);
    const path = `/v1/webhooks/${NOBODYS_ID}`;
    for (const [method, wrong, allow] of [
      ['PUT', '/v1/webhooks', 'GET, HEAD, POST'],
      ['POST', path, 'DELETE, GET, HEAD, PUT'],
      ['GET', `${path}/rotate`, 'POST'],
      ['GET', `${path}/ping`, 'POST'],
      ['PUT', `${path}/redeliver`, 'POST'],
      ['POST', `${path}/deliveries`, 'GET, HEAD'],
    ] as const) {
      const message = `${method} is not allowed here; allowed: ${allow}.`;
      expectFailure(await service.client().send(method, wrong), { status: 405, code: '1000', message, allow });
    }
  });
});
