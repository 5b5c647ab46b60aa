// Goal: concurrent costly reads are made one by one, and nobody else waits for them. Method: a server with a costly
// route and one that costs nothing, with a clock that the test sets; requests are held until the test releases them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import type { Merchant } from '../domain/merchant.ts';
import { limitRates, spendMore } from './rate-limit.ts';
import { TooManyRequests } from './too-many-requests.ts';

const RATE = 20;
const COST = 15;

async function open() {
  const app = Fastify();
  app.decorateRequest('merchant', null);
  app.decorateRequest('budget', null);
  app.decorateRequest('cost', 0);
  app.decorateRequest('endTurn', null);
  app.decorateRequest('bodyBytes', 0);
  app.addHook('onRequest', async (request) => {
    request.merchant = { id: Number((request.query as { merchant: string }).merchant), live: false } as Merchant;
  });
  app.setErrorHandler((error, _request, reply) => reply.code(error instanceof TooManyRequests ? 429 : 500).send());
  limitRates(app, { live: undefined, test: RATE });
  const held: (() => void)[] = [];
  const { promise: isBegun, resolve: begin } = Promise.withResolvers<void>();
  app.get('/costly', async (request) => {
    if (held.length > 0) {
      begin();
      await new Promise<void>((letGo) => held.push(letGo));
    }
    spendMore(request, COST);
    return '';
  });
  app.get('/small', async () => '');
  app.post('/write', async () => '');
  const ask = async (path: string, merchant = 1): Promise<number> => {
    const method = path === '/write' ? 'POST' : 'GET';
    return (await app.inject({ method, url: `${path}?merchant=${merchant}` })).statusCode;
  };
  /** From now on. */
  const hold = (): void => void held.push(() => {});
  return { ask, hold, letGo: () => held.forEach((go) => go()), isBegun };
}

test('while a costly read is under way its merchant reads by what it leaves of the budget, writes all the same, and another merchant has all of it', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const { ask, hold, letGo, isBegun } = await open();
  assert.equal(await ask('/costly'), 200, 'its cost is known from now on');
  now += 1_000;
  hold();
  const first = ask('/costly');
  await isBegun;
  const small = () => ask('/small');
  assert.deepEqual([await small(), await small(), await small(), await small()], [200, 200, 200, 200], 'what is left');
  assert.equal(await small(), 429);
  assert.equal(await ask('/write'), 200);
  assert.equal(await ask('/small', 2), 200);
  letGo();
  assert.equal(await first, 200);
});
