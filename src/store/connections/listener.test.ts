// Goal: a listener that is closed while it waits to reconnect does not reconnect. Method: a server that counts
// connections.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Listener } from './listener.ts';

test('once it is closed, nobody connects any more', async (t) => {
  let came = 0;
  const server = createServer((socket) => {
    came += 1;
    socket.destroy();
  });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const listener = new Listener(`postgres://kassa@127.0.0.1:${port}/kassa`);
  await listener.listen();
  assert.equal(came, 1);
  await listener.close();
  await listener.listen();
  assert.equal(came, 1);
});
