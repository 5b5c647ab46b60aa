// Goal: a client that connected right before the service closed is answered, not reset. Method: a real server and a socket
// that sends its request only after what is idle was closed, several times.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Fastify from 'fastify';
import { announceClosing } from './closing-connections.ts';

test('who has just connected is answered, and told that the connection closes', async () => {
  const app = Fastify({ return503OnClosing: false });
  announceClosing(app, () => true);
  app.get('/', async () => 'here');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  await Promise.all([once(client, 'connect'), once(app.server, 'connection')]);
  const closed = app.close();
  for (let look = 0; look < 3; look += 1) {
    app.server.closeIdleConnections();
    await setImmediate();
    await setImmediate();
  }
  client.end('GET / HTTP/1.1\r\nHost: kassa\r\n\r\n');
  const answer = await textOf(client);
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(answer, /\r\nconnection: close\r\n/i);
  await closed;
});
