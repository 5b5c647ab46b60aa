// Requests over real connections to a server whose handlers end when the test says so.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as ask } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { connect as openSocket } from 'node:net';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import Fastify from 'fastify';
import { until } from '../../test/support/kassa.ts';
import { refuseOverload } from './overload.ts';
import type { OverloadOptions } from './overload.ts';

const KEY = `test-secret-key-${'1'.repeat(32)}`;
const OTHER = `test-secret-key-${'2'.repeat(32)}`;

const textOf = (path: string, key?: string): string =>
  [`POST ${path} HTTP/1.1`, 'host: kassa', ...(key ? [`authorization: ${key}`] : []), 'content-length: 0', '', ''].join(
    '\r\n',
  );

async function serve(t: TestContext, options: OverloadOptions) {
  const log: string[] = [];
  const stream = { write: (line: string) => void log.push(line) };
  const app = Fastify({ logger: { level: 'warn', stream }, forceCloseConnections: true });
  t.after(() => app.close());
  refuseOverload(app, options);
  const begun: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  app.post('/:name', async ({ params }) => {
    begun.push((params as { name: string }).name);
    await released;
    return { done: true };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  const open = (path: string, key?: string): ClientRequest => {
    const authorization = key === undefined ? {} : { authorization: key };
    const headers = { ...authorization, 'content-type': 'application/json' };
    return ask({ port, host: '127.0.0.1', path, method: 'POST', agent: false, headers });
  };
  const post = async (path: string, key?: string): Promise<IncomingMessage & { text: string }> => {
    const asked = open(path, key);
    asked.end('{}');
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    return Object.assign(answer, { text });
  };
  const connect = (): Socket => {
    const socket = openSocket({ port, host: '127.0.0.1' });
    t.after(() => socket.destroy());
    return socket;
  };
  const countConnections = promisify(app.server.getConnections.bind(app.server));
  return { log, begun, release, open, post, connect, countConnections };
}

describe('requests under way with one key', () => {
  // decision: overload-by-one-key
  test('one more than may be is 503 with Retry-After, and not begun; others and who has no key are served', async (t) => {
    const counted: string[] = [];
    const { begun, release, post } = await serve(t, { mostUnderWay: 2, onRefused: (method) => counted.push(method) });
    const held = [post('/one', KEY), post('/two', KEY)];
    await until('both to be begun', () => begun.length === 2);
    const refused = await post('/three', KEY);
    assert.equal(refused.statusCode, 503);
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal(refused.headers['cache-control'], 'no-store');
    assert.match(String(refused.headers['x-request-id']), /./);
    assert.match(JSON.parse(refused.text).message, /nothing was done/);
    assert.deepEqual(counted, ['POST']);
    held.push(post('/four', OTHER), post('/five'), post('/six'), post('/seven'));
    await until('the others to be begun', () => begun.length === 6);
    assert.deepEqual(begun.toSorted(), ['five', 'four', 'one', 'seven', 'six', 'two']);
    release();
    for (const answer of await Promise.all(held)) assert.equal(answer.statusCode, 200);
    assert.equal((await post('/eight', KEY)).statusCode, 200);
  });

  // decision: overload-by-one-key
  test('a client that leaves makes room', async (t) => {
    const { begun, release, open, post } = await serve(t, { mostUnderWay: 1 });
    const left = open('/left', KEY);
    left.on('error', () => {});
    left.end('{}');
    await until('it to be begun', () => begun.length === 1);
    assert.equal((await post('/refused', KEY)).statusCode, 503);
    left.destroy();
    release();
    await until('room', async () => (await post('/served', KEY)).statusCode === 200);
  });

  // decision: overload-by-one-key
  test('and so does every request of a connection that is lost, also those behind another', async (t) => {
    const { begun, release, connect, countConnections, post } = await serve(t, { mostUnderWay: 3 });
    const connection = connect();
    connection.write(['/one', '/two', '/three'].map((path) => textOf(path, KEY)).join(''));
    await until('all to be begun', () => begun.length === 3);
    assert.equal((await post('/refused', KEY)).statusCode, 503);
    connection.destroy();
    await until('the server to have noticed', async () => (await countConnections()) === 0);
    const held = [post('/four', KEY), post('/five', KEY), post('/six', KEY)];
    await until('all to be begun again', () => begun.length === 6);
    release();
    for (const answer of await Promise.all(held)) assert.equal(answer.statusCode, 200);
  });

  // decision: overload-by-one-key
  test('all that were refused in a second are one line of the log, with no more of the key than its end', async (t) => {
    const { log, begun, release, post } = await serve(t, { mostUnderWay: 1 });
    const held = post('/one', KEY);
    await until('it to be begun', () => begun.length === 1);
    await Promise.all(Array.from({ length: 20 }, () => post('/more', KEY)));
    // On a slow machine they may take more than a second.
    const sum = (): number => log.reduce((all, line) => all + JSON.parse(line).refused, 0);
    await until('all to be refused', () => sum() === 20);
    assert.ok(log.length < 20, log.join(''));
    for (const line of log) assert.equal(JSON.parse(line).key, '1111');
    assert.equal(log.join('').includes(KEY.slice(-32)), false);
    release();
    await held;
  });

  // decision: overload-by-one-key
  test('however many come at once, each is answered', async (t) => {
    const { begun, release, connect, post } = await serve(t, { mostUnderWay: 1 });
    const held = post('/one', KEY);
    await until('it to be begun', () => begun.length === 1);
    const connection = connect();
    let text = '';
    connection.on('data', (chunk) => (text += String(chunk)));
    connection.write(textOf('/more', KEY).repeat(1_000));
    await until('all to be refused', () => text.split('HTTP/1.1 503 ').length === 1_001);
    assert.equal(begun.length, 1);
    release();
    assert.equal((await held).statusCode, 200);
  });

  test('while the service stops, a refusal closes its connection', async (t) => {
    const { begun, release, post } = await serve(t, { mostUnderWay: 1, isStopping: () => true });
    const held = post('/one', KEY);
    await until('it to be begun', () => begun.length === 1);
    assert.equal((await post('/two', KEY)).headers.connection, 'close');
    release();
    await held;
  });
});
