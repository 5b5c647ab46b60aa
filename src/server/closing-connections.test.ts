// Goal: requests and responses that are under way when the service closes are completed, not reset, and no client can
// prevent the close. Method: a real server and a bare socket; idle connections are closed several times in a row.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { buffer as bytesOf, text as textOf } from 'node:stream/consumers';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { announceClosing } from './closing-connections.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: kassa\r\n\r\n';
// More than a kernel buffers for a client that does not read.
const LARGE = Buffer.alloc(16_000_000);

type Opened = { readonly app: FastifyInstance; readonly client: Socket; readonly accepted: Socket };

async function open(t: TestContext, answer: string | Buffer): Promise<Opened> {
  const app = Fastify({ return503OnClosing: false });
  announceClosing(app, () => true);
  app.get('/', async () => answer);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  t.after(() => client.destroy());
  const [[accepted]] = await Promise.all([once(app.server, 'connection'), once(client, 'connect')]);
  return { app, client, accepted: accepted as Socket };
}

async function look({ server }: FastifyInstance, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    server.closeIdleConnections();
    await setImmediate();
    await setImmediate();
  }
}

// With the close in app.close(), this is how often a connection is checked before it is closed.
const LOOKS = 59;

test('a client that has just connected is answered, and the connection closes', async (t) => {
  const { app, client } = await open(t, 'here');
  const closed = app.close();
  await look(app, LOOKS);
  client.end(REQUEST);
  const answer = await textOf(client);
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(answer, /\r\nconnection: close\r\n/i);
  await closed;
});

test('who still reads an answer gets all of it', async (t) => {
  const { app, client, accepted } = await open(t, LARGE);
  client.write(REQUEST);
  await once(app.server, 'request');
  while (accepted.writableLength === 0) await setImmediate();
  const closed = app.close();
  await look(app, LOOKS);
  const answer = await bytesOf(client);
  assert.ok(answer.subarray(answer.indexOf('\r\n\r\n') + 4).equals(LARGE));
  await closed;
});

test('who never asks or never reads is left in the end', async (t) => {
  const [silent, unread] = [await open(t, 'here'), await open(t, LARGE)];
  unread.client.write(REQUEST);
  await once(unread.app.server, 'request');
  while (unread.accepted.writableLength === 0) await setImmediate();
  for (const { app } of [silent, unread]) {
    const closed = app.close();
    await look(app, LOOKS + 1);
    await closed;
  }
});
