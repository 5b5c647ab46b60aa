// Refusals are held for a second or two of mocked time, however long the test takes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Fastify from 'fastify';
import type { FastifyReply } from 'fastify';
import { holdRefusals } from './hold-refusals.ts';

describe('the answer to a client over its limit', () => {
  test('leaves after a second or two, and every other answer at once', async (t) => {
    const app = Fastify();
    t.after(() => app.close());
    holdRefusals(app);
    app.get('/:status', async (request, reply) =>
      reply.code(Number((request.params as { status: string }).status)).send('text'),
    );
    await app.ready();
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let isAnswered = false;
    const refused = app.inject('/429').then(({ statusCode }) => {
      isAnswered = true;
      return statusCode;
    });
    for (const status of [200, 401, 503]) assert.equal((await app.inject(`/${status}`)).statusCode, status);
    t.mock.timers.tick(900);
    assert.equal((await app.inject('/200')).statusCode, 200);
    assert.equal(isAnswered, false);
    t.mock.timers.tick(1_100);
    assert.equal(await refused, 429);
  });

  test('is held for wrong keys, too, once an address has tried twenty', async (t) => {
    const app = Fastify();
    t.after(() => app.close());
    holdRefusals(app);
    app.get('/', async (_request, reply) => reply.code(401).send());
    await app.ready();
    t.mock.timers.enable({ apis: ['setTimeout'] });
    // On a slow machine a few more are answered meanwhile.
    const answers = Array.from({ length: 100 }, () => app.inject('/'));
    await Promise.all(answers.slice(0, 20));
    let isAnswered = false;
    void answers.at(-1)?.then(() => (isAnswered = true));
    await app.inject({ url: '/', remoteAddress: '192.0.2.2' });
    assert.equal(isAnswered, false);
    t.mock.timers.tick(2_000);
    await Promise.all(answers);
  });

  test('leaves at once where too many are held already', async (t) => {
    const app = Fastify();
    t.after(() => app.close());
    holdRefusals(app, { ofOne: 1, ofAll: 1_024 });
    const asked = Promise.withResolvers<void>();
    app.get('/', async (_request, reply) => {
      asked.resolve();
      return reply.code(429).send('text');
    });
    await app.ready();
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const held = app.inject('/');
    // Asking begins with the first who waits for it.
    const first = held.then(({ statusCode }) => statusCode);
    await asked.promise;
    assert.equal((await app.inject('/')).statusCode, 429);
    t.mock.timers.tick(2_000);
    assert.equal(await first, 429);
  });

  test('holds no place for a client that has left', async (t) => {
    const app = Fastify();
    t.after(() => app.close());
    holdRefusals(app, { ofOne: 1, ofAll: 1 });
    const replies: FastifyReply[] = [];
    app.get('/', async (_request, reply) => {
      replies.push(reply);
      return reply.code(429).send('text');
    });
    await app.ready();
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const first = app.inject('/').catch(() => {});
    while (replies.length === 0) await new Promise(setImmediate);
    await new Promise(setImmediate);
    replies[0]?.raw.destroy();
    await first;
    let isAnswered = false;
    const second = app.inject('/').then(() => (isAnswered = true));
    while (replies.length === 1) await new Promise(setImmediate);
    await new Promise(setImmediate);
    assert.equal(isAnswered, false);
    t.mock.timers.tick(2_000);
    await second;
  });

  test('leaves at once where it has waited for as long behind others on its connection', async (t) => {
    const app = Fastify();
    t.after(() => app.close());
    holdRefusals(app);
    app.get('/', async (_request, reply) => {
      Object.defineProperty(reply, 'elapsedTime', { value: 2_000 });
      return reply.code(429).send('text');
    });
    await app.ready();
    t.mock.timers.enable({ apis: ['setTimeout'] });
    assert.equal((await app.inject('/')).statusCode, 429);
  });
});
