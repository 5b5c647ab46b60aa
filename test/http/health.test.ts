// Goal: those who run the service learn the truth from it: whether it lives, whether it can serve and if not why, its
// figures, and the id of every request.
// Method: a running service whose database is taken away and given back; figures are read before and after requests.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { expectFailure } from '../support/answers.ts';
import { aCreate } from '../support/client.ts';
import type { Reply } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { readMetrics } from '../support/metrics.ts';
import { whileDatabaseHas, whileDatabaseIsAway, whileDiskIsFull } from '../support/outage.ts';
import { exchange, requestText } from '../support/raw.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

let service: Service;
let shop: Shop;
before(async () => {
  service = await startService();
  shop = await service.openShop();
});
after(() => service.stop());

const ask = (path: string): Promise<Reply> => service.client().get(path);

describe('health', () => {
  const untilUnready = async (reason: string): Promise<void> => {
    const reply = await until(reason, async () => {
      const asked = await ask('/readyz');
      return asked.status === 503 && asked.body.reason === reason && asked;
    });
    assert.deepEqual(reply.body, { status: 'not ready', reason });
  };
  const untilReady = () => until('readiness', async () => (await ask('/readyz')).status === 200);

  test('GET /healthz says that the process lives', async () => {
    const reply = await ask('/healthz');
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.body, { status: 'ok' });
  });

  test('GET /readyz says that it can serve', async () => {
    const reply = await ask('/readyz');
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.body, { status: 'ready' });
  });

  test('HEAD works on both, as load balancers ask', async () => {
    for (const path of ['/healthz', '/readyz']) assert.equal((await service.client().send('HEAD', path)).status, 200);
  });

  test('without the database it lives, is not ready and says why, and is ready again when it is back', async () => {
    const paymentId = await shop.client.create();
    await whileDatabaseIsAway(service, async () => {
      assert.equal((await ask('/healthz')).status, 200);
      await untilUnready('the database is away');
      const refused = await shop.client.get(`/v1/payments/${paymentId}`);
      expectFailure(refused, { status: 503, code: '1000', message: /^The database is away\. Try again in a moment/ });
      assert.equal(refused.headers.get('retry-after'), '1');
      assert.equal((await ask('/metrics')).status, 200);
    });
    await untilReady();
    assert.equal((await shop.client.get(`/v1/payments/${paymentId}`)).status, 200);
  });

  // decision: readiness
  test('a database that is read-only or out of room is not ready, though it answers', async () => {
    await whileDatabaseHas(service, 'default_transaction_read_only = on', async () => {
      await untilUnready('the database is read-only');
      assert.equal((await shop.client.post('/v1/payments', aCreate())).status, 503);
    });
    await untilReady();
    await whileDiskIsFull(service, () => untilUnready('the disk of the database is full'));
    await untilReady();
  });

  // decision: readiness
  test('many who ask share one look', async () => {
    await untilReady();
    await service.pool.query('create table looks (at timestamptz default now())');
    await service.pool.query(`create function note_look() returns event_trigger language plpgsql as
      $$ begin insert into public.looks default values; end $$`);
    await service.pool.query(`create event trigger looks on ddl_command_start when tag in ('CREATE TABLE')
      execute function note_look()`);
    const replies = await Promise.all(Array.from({ length: 200 }, () => ask('/readyz')));
    await service.pool.query('drop event trigger looks');
    assert.ok(replies.every(({ status }) => status === 200));
    // One a second, however long they take on a busy machine.
    assert.ok((await service.pool.query('select 1 from looks')).length < 50);
  });
});

/** One figure of a page of metrics, by its name and its labels in any order; 0 when it is not there. */
function figureIn(page: string, name: string, labels: Readonly<Record<string, string>> = {}): number {
  for (const line of page.split('\n')) {
    const [, found, inside = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const given = new Set(inside.split(','));
    const wanted = Object.entries(labels).map(([label, content]) => `${label}="${content}"`);
    if (found === name && wanted.every((pair) => given.has(pair))) return Number(value);
  }
  return 0;
}

describe('metrics', () => {
  const read = (): Promise<string> => readMetrics(service.client());
  const REQUESTS = 'kassa_http_request_seconds_count';

  test('are in the format of Prometheus', async () => {
    const reply = await ask('/metrics');
    assert.equal(reply.status, 200);
    assert.match(reply.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    for (const line of reply.text.split('\n').filter((each) => each !== ''))
      assert.match(line, /^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{.*\})? (?:[-+.\deE]+|NaN|[+-]?Inf))$/);
  });

  test('count requests by method, route and status, each with its time', async () => {
    const paymentId = await shop.client.create();
    const route = '/v1/payments/:paymentId';
    const [found, missing] = [
      { method: 'GET', route, status: '200' },
      { method: 'GET', route, status: '404' },
    ];
    const both = (page: string) => [figureIn(page, REQUESTS, found), figureIn(page, REQUESTS, missing)];
    const before_ = both(await read());
    for (const id of [paymentId, paymentId, 'nonsense']) await shop.client.get(`/v1/payments/${id}`);
    const page = await read();
    const after_ = both(page);
    assert.deepEqual(after_, [(before_[0] ?? 0) + 2, (before_[1] ?? 0) + 1]);
    const buckets = 'kassa_http_request_seconds_bucket';
    assert.equal(figureIn(page, buckets, { ...found, le: '+Inf' }), after_[0], 'it is a histogram');
    assert.ok(figureIn(page, 'kassa_http_request_seconds_sum', found) > 0);
  });

  test('name no path of a client: neither an unknown one nor an id', async () => {
    const before_ = figureIn(await read(), REQUESTS, { route: 'unknown', status: '404' });
    const paymentId = await shop.client.create();
    await shop.client.get(`/v1/payments/${paymentId}?reference=nobody`);
    await shop.client.get('/v1/no-such-path');
    const page = await read();
    assert.equal(figureIn(page, REQUESTS, { route: 'unknown', status: '404' }), before_ + 1);
    assert.ok(!page.includes(paymentId) && !page.includes('no-such-path') && !page.includes('nobody'));
  });

  test('tell the size and the time of the calls to the database', async () => {
    const kinds = ['load', 'commit'] as const;
    const names = ['kassa_group_size_count', 'kassa_database_seconds_count'];
    const counts = (page: string) => kinds.flatMap((kind) => names.map((name) => figureIn(page, name, { kind })));
    const before_ = counts(await read());
    await shop.client.charge(await shop.client.createReserved(), 1);
    const page = await read();
    const after_ = counts(page);
    assert.ok(
      after_.every((count, index) => count > (before_[index] ?? 0)),
      `${before_.join()} before, ${after_.join()} after`,
    );
    for (const kind of kinds) {
      assert.ok(figureIn(page, 'kassa_group_size_bucket', { kind, le: '1' }) > 0);
      assert.ok(figureIn(page, 'kassa_database_seconds_sum', { kind }) > 0);
    }
  });

  test('count the changes that had to be decided again', async () => {
    const before_ = figureIn(await read(), 'kassa_conflicts_total');
    const paymentId = await shop.client.createReserved(1_000);
    // Somebody else moves the payment on after it was read: in one process changes of a payment follow each other.
    const charge = await service.pool.withClient(async (client) => {
      await client.query('begin');
      await client.query('update payments set version = version + 1 where id = $1', [paymentId]);
      const answer = shop.client.post(`/v1/payments/${paymentId}/charges`, { amount: 1 });
      await until('the charge to wait', async () => {
        const blocked = 'select 1 from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))';
        const waiting = await client.query(blocked);
        return (waiting.rowCount ?? 0) > 0;
      });
      await client.query('commit');
      return { answer };
    });
    assert.equal((await charge.answer).status, 201);
    assert.ok(figureIn(await read(), 'kassa_conflicts_total') > before_);
  });
});

describe('the id of a request', () => {
  const idOf = (reply: Reply): string => reply.headers.get('x-request-id') ?? '';

  test("is the caller's own when it is plain", async () => {
    for (const id of ['a', 'order-1.retry_2', '0123456789abcdef', 'x'.repeat(64)])
      assert.equal(idOf(await shop.client.get('/v1/payments', { 'x-request-id': id })), id);
  });

  test('is one of ours when it is missing or not plain', async () => {
    const seen = new Set<string>();
    for (const id of [undefined, '', 'a b', 'x'.repeat(65), 'a/b', '<script>', 'ü', 'a,b', '{{7*7}}']) {
      const given = idOf(await shop.client.get('/v1/payments', id === undefined ? {} : { 'x-request-id': id }));
      assert.match(given, /^[0-9a-f]{12}-[0-9a-z]+$/);
      seen.add(given);
    }
    assert.equal(seen.size, 9, 'each is another');
  });

  test('stands in the answers to all kinds of requests', async () => {
    const { client } = shop;
    const paymentId = await client.create();
    const replies = [
      await client.get(`/v1/payments/${paymentId}`),
      await client.post('/v1/payments', aCreate()),
      await client.put(`/v1/payments/${paymentId}/terminate`),
      await client.post('/v1/payments', {}),
      await client.post('/v1/payments', '{'),
      await client.post('/v1/payments', 'x', { 'content-type': 'text/plain' }),
      await client.post('/v1/payments', ' '.repeat(1_048_577)),
      await client.get('/v1/payments/%ZZ'),
      await service.client().get('/v1/payments'),
      await client.get('/v1/payments/nonsense'),
      await client.send('DELETE', '/v1/payments'),
      await client.post(`/v1/payments/${paymentId}/charges`, { amount: 1 }),
      ...(await Promise.all(['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/nothing'].map(ask))),
    ];
    for (const reply of replies) assert.match(idOf(reply), /^[0-9a-f]{12}-[0-9a-z]+$/, String(reply.status));
    assert.equal(new Set(replies.map(idOf)).size, replies.length);
    for (const line of ['BREW /v1/payments', `GET /${'a'.repeat(20_000)}`]) {
      const [reply] = await exchange(service.url, requestText(line));
      assert.match(reply?.headers['x-request-id'] ?? '', /^[0-9a-f]{12}-[0-9a-z]+$/, line.slice(0, 20));
    }
  });

  test('stands in the log beside what was asked for', async () => {
    await shop.client.get('/v1/payments/nonsense', { 'x-request-id': 'find-me-in-the-log' });
    const line = await lineOf('find-me-in-the-log');
    const { reqId, method, route, status, merchant } = JSON.parse(line) as Record<string, unknown>;
    assert.deepEqual(
      { reqId, method, route, status, merchant },
      {
        reqId: 'find-me-in-the-log',
        method: 'GET',
        route: '/v1/payments/:paymentId',
        status: 404,
        merchant: shop.merchant.id,
      },
    );
  });
});

/** The line of the log that holds the text; the service writes its lines in blocks. */
async function lineOf(text: string): Promise<string> {
  for (;;) {
    const line = service
      .log()
      .split('\n')
      .find((each) => each.includes(text) && each.endsWith('}'));
    if (line !== undefined) return line;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('the books are right', async () => {
  assert.deepEqual((await verifyBooks(service.pool)).differences, []);
});
