// Goal: a call is tried again only where nothing can happen twice, with the same key, after the pauses that are promised,
// and every failure has its name. Method: a server that answers as it is told, and counts.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createClient, KassaError } from '../../client/client.ts';
import type { Client } from '../../client/client.ts';

type Step = number | 'reset' | 'hang' | { status: number; headers?: Record<string, string>; body?: unknown };
type Seen = { readonly method: string; readonly path: string; readonly key: string; readonly at: number };

const failed = async (work: Promise<unknown>): Promise<KassaError> => {
  const error = await work.then(
    () => assert.fail('it succeeded'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof KassaError, String(error));
  return error;
};

describe('a call', () => {
  let server: Server;
  let kassa: Client;
  let steps: Step[] = [];
  let seen: Seen[] = [];

  before(async () => {
    server = createServer((request: IncomingMessage, response) => {
      seen.push({
        method: String(request.method),
        path: String(request.url),
        key: String(request.headers['idempotency-key']),
        at: performance.now(),
      });
      const step = steps.shift() ?? 500;
      if (step === 'reset') return void request.socket.destroy();
      if (step === 'hang') return;
      const { status, headers = {}, body } = typeof step === 'number' ? { status: step } : { headers: {}, ...step };
      response.writeHead(status, { 'x-request-id': 'r-1', ...headers });
      response.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    kassa = createClient({ url: `http://127.0.0.1:${port}`, secretKey: 'key' });
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    steps = [];
    seen = [];
  });

  const created = { status: 201, body: { chargeId: 'c' } };

  test('with a key is tried again with the same key, whatever kept it from an answer', async () => {
    steps = ['reset', 503, { status: 500, body: { message: 'unknown', code: '1000' } }, 409, created];
    assert.deepEqual(await kassa.chargePayment('p', { amount: 1 }), { chargeId: 'c' });
    const keys = new Set(seen.map(({ key }) => key));
    assert.deepEqual([seen.length, keys.size], [5, 1]);
    assert.match([...keys][0] ?? '', /^[0-9a-f-]{36}$/);
    const pauses = seen.slice(1).map(({ at }, index) => at - (seen[index]?.at ?? 0));
    for (const [index, least] of [120, 240, 480, 960].entries())
      assert.ok((pauses[index] ?? 0) > least, String(pauses));
  });

  test('that creates a webhook has a key, too: its secret is in an answer that can be lost', async () => {
    steps = ['reset', 503, { status: 201, body: { webhookId: 'w' } }];
    assert.deepEqual(await kassa.createWebhook({ url: 'https://shop.example' }), { webhookId: 'w' });
    const keys = new Set(seen.map(({ key }) => key));
    assert.deepEqual([seen.length, keys.size, keys.has('undefined')], [3, 1, false]);
  });

  test('has a key of its own for each call, or the one that is given', async () => {
    steps = [created, created, created];
    await kassa.chargePayment('p', { amount: 1 });
    await kassa.chargePayment('p', { amount: 1 });
    await kassa.chargePayment('p', { amount: 1 }, { idempotencyKey: 'mine' });
    assert.equal(new Set(seen.map(({ key }) => key)).size, 3);
    assert.equal(seen[2]?.key, 'mine');
  });

  test('that has no key and writes is sent once, unless it was turned away', async () => {
    for (const step of [500, 503, 'reset', 409] as const) {
      steps = [step, 201];
      const { name } = await failed(kassa.rotateWebhook('w'));
      const names = { 500: 'ServiceFailed', 503: 'Unavailable', reset: 'NoAnswer', 409: 'Conflict' };
      assert.equal(name, names[step]);
      assert.equal(seen.length, 1, String(step));
      seen = [];
    }
    steps = [429, { status: 200, body: { secret: 's' } }];
    assert.deepEqual(await kassa.rotateWebhook('w'), { secret: 's' });
    assert.equal(seen.length, 2);
  });

  test('that reads or deletes is tried again; what was deleted by a lost try is deleted', async () => {
    steps = [503, { status: 200, body: { payment: {} } }];
    assert.deepEqual(await kassa.getPayment('p'), { payment: {} });
    steps = ['reset', 404];
    assert.equal(await kassa.deleteWebhook('w'), undefined);
    steps = [404];
    assert.equal((await failed(kassa.deleteWebhook('w'))).name, 'NotFound');
    assert.equal(seen.length, 5);
  });

  test('that replaces is not repeated after an outcome that is unknown: somebody may have written meanwhile', async () => {
    for (const step of ['reset', 500, 503] as const) {
      seen = [];
      steps = [step, 204];
      await failed(kassa.updateMyReference('p', { myReference: 'm' }));
      assert.equal(seen.length, 1, String(step));
    }
    steps = [429, 204];
    assert.equal(await kassa.updateMyReference('p', { myReference: 'm' }), undefined);
  });

  test('that fails without a word says where it went, why, and what to look at', async () => {
    steps = [401];
    assert.match(
      (await failed(kassa.getPayment('p'))).message,
      /^getPayment: http:\/\/127\.0\.0\.1:\d+ does not know the secret key \(401\)\. /,
    );
    steps = [404];
    assert.match(
      (await failed(kassa.getPayment('p'))).message,
      /^getPayment: not found at http:\/\/127\.0\.0\.1:\d+ \(404\)/,
    );
    steps = [302];
    assert.match((await failed(kassa.getPayment('p'))).message, /answered 302, as Kassa does not\. /);
    const { port: plain } = server.address() as AddressInfo;
    const secure = createClient({ url: `https://127.0.0.1:${plain}`, secretKey: 'key', retries: 0 });
    assert.match((await failed(secure.getPayment('p'))).message, /\(it speaks http, and url begins with https\)/);
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    const nobody = createClient({ url: `http://127.0.0.1:${port}/v1`, secretKey: 'key', retries: 0 });
    const { message } = await failed(nobody.getPayment('p'));
    assert.match(
      message,
      /^getPayment: no answer from http:\/\/127\.0\.0\.1:\d+ \(connect ECONNREFUSED 127\.0\.0\.1:\d+\)\. /,
    );
  });

  test('goes to the same place when the address of the service ends in /v1', async () => {
    const { port } = server.address() as AddressInfo;
    steps = [
      { status: 200, body: {} },
      { status: 200, body: {} },
    ];
    for (const end of ['/v1', '/v1/'])
      await createClient({ url: `http://127.0.0.1:${port}${end}`, secretKey: 'key' }).getPayment('p');
    assert.deepEqual(
      seen.map(({ path }) => path),
      ['/v1/payments/p', '/v1/payments/p'],
    );
  });

  test('waits for as long as Retry-After says, and not for too long', async () => {
    steps = [{ status: 429, headers: { 'retry-after': '1' } }, created];
    await kassa.chargePayment('p', { amount: 1 });
    assert.ok((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0) > 1_100);
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    for (const later of ['31', inAMinute]) {
      steps = [{ status: 503, headers: { 'retry-after': later } }, created];
      const startedAt = performance.now();
      assert.equal((await failed(kassa.chargePayment('p', { amount: 1 }))).name, 'Unavailable');
      assert.ok(performance.now() - startedAt < 10_000);
    }
  });

  test('is given up after so many tries, and says how often it was tried and with which key', async () => {
    steps = [503, 503, 503, 503];
    const error = await failed(kassa.chargePayment('p', { amount: 1 }, { retries: 2, idempotencyKey: 'mine' }));
    assert.deepEqual([error.tries, error.idempotencyKey, seen.length], [3, 'mine', 3]);
    steps = [503];
    assert.equal((await failed(kassa.getPayment('p', { retries: 0 }))).tries, 1);
  });

  test('that takes too long is no answer; one that is ended by its caller is no failure of ours', async () => {
    steps = ['hang', 'hang'];
    const error = await failed(kassa.getPayment('p', { timeoutMs: 50, retries: 1 }));
    assert.deepEqual([error.name, error.status, error.tries], ['NoAnswer', 0, 2]);
    assert.match(String(error.cause), /no answer within 50 ms/);
    steps = ['hang', 503];
    const ending = new AbortController();
    const asked = kassa.getPayment('p', { signal: ending.signal });
    setTimeout(() => ending.abort(new Error('enough')), 50);
    await assert.rejects(asked, { message: 'enough' });
    // Also while it waits for the next try, and before it was begun.
    const waiting = kassa.getPayment('p', { signal: AbortSignal.timeout(60) });
    await assert.rejects(waiting, { name: 'TimeoutError' });
    await assert.rejects(kassa.getPayment('p', { signal: ending.signal }), { message: 'enough' });
    assert.equal(seen.length, 4);
  });

  test('that is refused is never tried again, and says what is wrong', async () => {
    const wrong = { errors: { 'order.amount': ['must be 1 or more', 'is odd'] } };
    const refusal = { message: 'The payment was never reserved.', code: '1001', source: 'internal' };
    const html = '<title>Welcome</title>';
    const cases: [Step, Partial<KassaError>][] = [
      [
        { status: 400, body: wrong },
        { name: 'InvalidRequest', fields: wrong.errors },
      ],
      [401, { name: 'Unauthorized', fields: {} }],
      [
        { status: 402, body: refusal },
        { name: 'Refused', code: '1001', source: 'internal' },
      ],
      [403, { name: 'OutOfScope' }],
      [404, { name: 'NotFound', requestId: 'r-1' }],
      [405, { name: 'NotAllowed' }],
      [413, { name: 'TooLarge' }],
      [415, { name: 'NotJson' }],
      [422, { name: 'KeyReused' }],
      [
        { status: 302, headers: { location: '/elsewhere' } },
        { name: 'Unexpected', status: 302 },
      ],
      [
        { status: 200, body: html },
        { name: 'Unexpected', status: 200 },
      ],
      [
        { status: 418, body: html },
        { name: 'Unexpected', status: 418 },
      ],
    ];
    for (const [step, expected] of cases) {
      steps = [step];
      seen = [];
      const error = await failed(kassa.chargePayment('p', { amount: 1 }));
      for (const [name, value] of Object.entries(expected))
        assert.deepEqual(error[name as keyof KassaError], value, `${JSON.stringify(step)} ${name}`);
      assert.equal(seen.length, 1);
    }
    steps = [{ status: 400, body: wrong }];
    const { message } = await failed(kassa.chargePayment('p', { amount: 1 }));
    assert.equal(message, 'chargePayment: order.amount must be 1 or more, is odd');
    steps = [{ status: 402, body: refusal }];
    assert.equal((await failed(kassa.getPayment('p'))).message, 'getPayment: The payment was never reserved.');
  });
});
