// A page costs an address by its size, from the second request on, and nobody else anything.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Fastify from 'fastify';
import { limitPages } from './page-limit.ts';

describe('pages that are nobody’s', () => {
  test('count for one, and once more for each 64 KiB of theirs', async (t) => {
    const app = Fastify();
    t.after(() => app.close());
    const limit = limitPages();
    app.get('/small', { ...limit }, async () => 'text');
    app.get('/large', { ...limit }, async () => 'x'.repeat(1_048_576));
    app.setErrorHandler((_error, _request, reply) => reply.code(429).send());
    const refused = async (url: string, remoteAddress: string): Promise<number> => {
      const replies = await Promise.all(Array.from({ length: 20 }, () => app.inject({ url, remoteAddress })));
      return replies.filter(({ statusCode }) => statusCode === 429).length;
    };
    assert.equal(await refused('/small', '192.0.2.1'), 0);
    await app.inject({ url: '/large', remoteAddress: '192.0.2.2' });
    // Three of these make fifty a second, and a few more on a slow machine.
    assert.ok((await refused('/large', '192.0.2.3')) > 0);
    assert.equal(await refused('/small', '192.0.2.4'), 0);
  });
});
