// Goal: who asks for much at once on one connection, for pages and figures that are large, holds up nobody else. Method:
// requests written to a bare socket without waiting for answers; how many were served and what they share is counted.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { exchange, requestText } from '../support/raw.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

describe('many requests on one connection', () => {
  let service: SharedService;
  before(async () => {
    service = shareService();
  });
  after(() => service.close());

  const send = (path: string, count: number) =>
    exchange(service.url, Buffer.concat(Array<Buffer>(count).fill(requestText(`GET ${path}`))), { replies: count });

  test('32 can wait for their answers; the next is 503, and the connection ends with it', async () => {
    const few = await send('/healthz', 32);
    assert.deepEqual(
      few.map(({ status }) => status),
      Array(32).fill(200),
    );
    const many = await send('/healthz', 3_000);
    const last = many.at(-1);
    assert.ok(many.length > 32 && many.length < 3_000, `${many.length} answers`);
    assert.deepEqual([last?.status, last?.headers['connection'], last?.headers['retry-after']], [503, 'close', '1']);
    assert.match(last?.body.message, /^More than 32 requests on one connection wait/);
    assert.ok(many.slice(0, -1).every(({ status }) => status === 200));
  });

  test('each sees what the one before it did', async () => {
    const { client, secretKey } = await service.openShop();
    const at = `/v1/payments/${await client.create()}`;
    const headers = { authorization: secretKey };
    const asked = [1, 2, 3].flatMap((n) => [
      requestText(`PUT ${at}/referenceinformation`, headers, JSON.stringify({ reference: `order ${n}` })),
      requestText(`GET ${at}`, headers),
    ]);
    const replies = await exchange(service.url, Buffer.concat(asked), { replies: 6 });
    assert.deepEqual(
      replies.filter((_, index) => index % 2 === 1).map(({ body }) => body.payment.orderDetails.reference),
      ['order 1', 'order 2', 'order 3'],
    );
  });

  test('figures are made at most once a second, for all who ask', async () => {
    // On connections of their own: what one connection sends is answered one after the other.
    const asked = Array.from({ length: 20 }, () => service.client().get('/metrics'));
    const made = new Set((await Promise.all(asked)).map(({ text }) => text));
    // A second may end between two of them.
    assert.ok(made.size <= 2, `${made.size} were made`);
  });
});
