// Pipelined requests of a connection run one after another, and not at all after a response that closes it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { boundPipelining } from './pipelining.ts';

/** A server that answers when the test says so, and the requests it has received. */
function openServer(t: TestContext) {
  const app = Fastify();
  t.after(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  boundPipelining(app);
  const begun: string[] = [];
  const answers: (() => void)[] = [];
  app.get('/:name', (request, reply) => {
    begun.push((request.params as { name: string }).name);
    answers.push(() => void reply.send('text'));
  });
  app.get('/last', (_request, reply) => {
    begun.push('last');
    answers.push(() => void reply.header('connection', 'close').send('text'));
  });
  return { app, begun, answer: () => answers.shift()?.() };
}

const requests = (...names: readonly string[]): string =>
  names.map((name) => `GET /${name} HTTP/1.1\r\nhost: a\r\n\r\n`).join('');

async function send(t: TestContext, app: FastifyInstance, text: string) {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise(setImmediate);
};

/** As many turns of the event loop as anything that was started would need. */
const someTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
};

describe('requests that were sent on one connection at once', () => {
  test('are begun one after the other', async (t) => {
    const { app, begun, answer } = openServer(t);
    await send(t, app, requests('a', 'b', 'c'));
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      await until(() => begun.length > index);
      await someTurns();
      assert.equal(begun.length, index + 1);
      assert.equal(begun.at(-1), name);
      answer();
    }
  });

  test('do not wait for what other connections have sent', async (t) => {
    const { app, begun } = openServer(t);
    const { remotePort: port, remoteAddress: host } = await send(t, app, requests('a'));
    await until(() => begun.length === 1);
    assert.ok(port && host);
    const other = connect(port, host);
    t.after(() => other.destroy());
    other.write(requests('b'));
    await until(() => begun.length === 2);
  });

  test('are not begun behind an answer that closes the connection', async (t) => {
    const { app, begun, answer } = openServer(t);
    const socket = await send(t, app, requests('last', 'behind'));
    socket.resume();
    await until(() => begun.length === 1);
    await someTurns();
    answer();
    await once(socket, 'close');
    await someTurns();
    assert.deepEqual(begun, ['last']);
  });

  test('are not begun when their client is gone', async (t) => {
    const { app, begun, answer } = openServer(t);
    const closed = new Promise((resolve) => {
      app.server.on('connection', (peer) => peer.once('close', resolve));
    });
    const socket = await send(t, app, requests('a', 'behind'));
    await until(() => begun.length === 1);
    socket.destroy();
    await closed;
    answer();
    await someTurns();
    assert.deepEqual(begun, ['a']);
  });
});
