// Goal: clients of a merchant that has used up its budget wait, and nobody else does. Method: a server with one page,
// which costs what its address says; a request waits if a later one is answered first.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import Fastify from 'fastify';
import type { Merchant } from '../domain/merchant.ts';
import { Budget } from '../ops/budget.ts';
import { PagePace } from './page-pace.ts';
import { spendMore } from './rate-limit.ts';
import type { TooManyRequests } from './too-many-requests.ts';

const RATES = { live: 100, test: 100 };
// More than half a minute's worth.
const COSTLY = 5_000;

type Asked = { readonly merchant: number; readonly live?: boolean; readonly who?: string; readonly cost?: number };

async function open(t: TestContext, rates: ConstructorParameters<typeof PagePace>[0] = RATES, waiting = 2) {
  const app = Fastify({ forceCloseConnections: true });
  app.decorateRequest('budget', null);
  app.decorateRequest('cost', 0);
  app.decorateRequest('endTurn', null);
  app.setErrorHandler((error: TooManyRequests, _request, reply) =>
    reply.code(429).header('retry-after', error.retryAfterS).send(),
  );
  const pace = new PagePace(rates, { waiting, waitMs: 60_000 });
  pace.watch(app);
  const requests = new EventEmitter();
  app.addHook('onRequest', async () => void requests.emit('there'));
  app.get('/', async (request, reply) => {
    const { merchant, live, who, cost } = JSON.parse((request.query as { asked: string }).asked) as Asked;
    await pace.begin(request, reply, { id: merchant, live: live === true } as Merchant, who);
    spendMore(request, cost ?? 0);
    return 'page';
  });
  await app.listen();
  const leave = new AbortController();
  t.after(async () => {
    leave.abort();
    await app.close();
  });
  const { port } = app.server.address() as AddressInfo;
  const ask = async (asked: Asked, signal = leave.signal): Promise<number> => {
    const query = encodeURIComponent(JSON.stringify(asked));
    const { status, headers } = await fetch(`http://127.0.0.1:${port}/?asked=${query}`, { signal });
    assert.equal(Number(headers.get('retry-after')) >= 1, status === 429);
    return status;
  };
  /** Sends a request and returns once it has arrived; the flag says whether it is answered. */
  const beginToAsk = async (asked: Asked, signal = leave.signal): Promise<{ isAnswered: boolean }> => {
    const isThere = once(requests, 'there');
    const state = { isAnswered: false };
    ask(asked, signal).then(
      () => (state.isAnswered = true),
      () => {},
    );
    await isThere;
    return state;
  };
  return { app, ask, beginToAsk };
}

describe('pages of a merchant', () => {
  // decision: rate-of-pages
  test('wait after a costly one, while those of another merchant are made', async (t) => {
    const { ask, beginToAsk } = await open(t);
    assert.equal(await ask({ merchant: 1, cost: COSTLY }), 200);
    const waiting = await beginToAsk({ merchant: 1 });
    assert.equal(await ask({ merchant: 2 }), 200);
    assert.equal(waiting.isAnswered, false);
  });

  // decision: rate-of-pages
  test('wait in a line that has an end: beyond it, 429 and when to come back', async (t) => {
    const { ask, beginToAsk } = await open(t);
    assert.equal(await ask({ merchant: 1, cost: COSTLY }), 200);
    for (let n = 0; n < 2; n += 1) await beginToAsk({ merchant: 1 });
    assert.equal(await ask({ merchant: 1 }), 429);
  });

  test('nobody waits for whom nobody waits any more', async (t) => {
    const { app, ask, beginToAsk } = await open(t);
    assert.equal(await ask({ merchant: 1, cost: COSTLY }), 200);
    const gone = new AbortController();
    const closing: Promise<unknown>[] = [];
    app.server.on('request', ({ socket }: IncomingMessage) => void closing.push(once(socket, 'close')));
    for (let n = 0; n < 2; n += 1) await beginToAsk({ merchant: 1 }, gone.signal);
    gone.abort();
    await Promise.all(closing);
    const next = await beginToAsk({ merchant: 1 });
    assert.equal(await ask({ merchant: 2 }), 200);
    assert.equal(next.isAnswered, false, 'there is a place in the line');
  });

  // decision: rate-of-pages
  test('of one person wait at a live merchant, and not those of another; of four they all do', async (t) => {
    const { ask, beginToAsk } = await open(t);
    const of = (who: string, cost = 0): Asked => ({ merchant: 1, live: true, who, cost });
    // A person's debt is charged to them and to the merchant.
    assert.equal(await ask(of('ada', 300)), 200);
    const waiting = await beginToAsk(of('ada'));
    assert.equal(await ask(of('grace')), 200);
    assert.equal(waiting.isAnswered, false);
    assert.equal(await ask(of('edsger', COSTLY)), 200);
    const another = await beginToAsk(of('barbara'));
    assert.equal(await ask({ merchant: 2, live: true, who: 'ada' }), 200);
    assert.equal(another.isAnswered, false);
  });

  test('are a hundred at once for an address, one household of version 6, and three hundred for a private one', async (t) => {
    const { app } = await open(t, RATES, 0);
    const asked = encodeURIComponent(JSON.stringify({ merchant: 1, live: true }));
    const ask = async (remoteAddress: string): Promise<number> =>
      (await app.inject({ url: `/none?asked=${asked}`, remoteAddress })).statusCode;
    const askOften = async (...from: readonly string[]): Promise<number> => {
      const statuses = await Promise.all(Array.from({ length: 200 }, (_, n) => ask(from[n % from.length] as string)));
      return statuses.filter((status) => status === 429).length;
    };
    assert.ok((await askOften('203.0.113.7')) > 0);
    assert.equal(await ask('203.0.113.8'), 404, 'another one is asked for nothing');
    assert.ok((await askOften('2001:db8::1', '2001:db8:0:0:9::2')) > 0);
    assert.equal(await askOften('203.0.113.9', '203.0.113.10', '2001:db8:0:1::1', '2001:db8:0:2::1'), 0);
    assert.equal(await askOften('10.0.0.1'), 0);
  });

  // decision: rate-of-pages
  test('do not wait where there is no rate', async (t) => {
    const { ask } = await open(t, { live: undefined, test: undefined });
    for (let n = 0; n < 3; n += 1) assert.equal(await ask({ merchant: 1, cost: COSTLY }), 200);
  });
});

// decision: rate-of-pages
test('what is sent piece by piece waits until the pieces before are paid for, by the whole merchant too', async () => {
  const whole = new Budget(100);
  whole.spend(100);
  const part = new Budget(100, whole);
  part.spend(2);
  assert.ok(whole.msUntil(0) > 0);
  await part.payOff();
  assert.equal(whole.msUntil(0), 0);
});
