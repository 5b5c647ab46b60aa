// Goal: the wire of chaos does what its name for each trouble says; above all, what is held back comes late and is not
// lost. Method: a server that repeats what it hears, and a client, over a wire.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Wire } from '../../proof/chaos/wire.ts';
import { until } from '../support/kassa.ts';

// Longer than anything takes that is not held back.
const A_WHILE_MS = 150;

describe('the wire of chaos', () => {
  let heard = '';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      heard += chunk.toString();
      socket.write(chunk);
    });
  });
  let wire: Wire;
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    wire = await Wire.open();
    wire.lead((server.address() as AddressInfo).port);
  });
  after(async () => {
    await wire.close();
    server.close();
  });
  beforeEach(() => (heard = ''));

  type Talk = { readonly socket: Socket; readonly told: () => string; readonly isOver: () => boolean };

  async function talk(): Promise<Talk> {
    const socket = connect(wire.port, '127.0.0.1');
    let [told, isOver] = ['', false];
    socket.on('data', (chunk) => (told += chunk.toString()));
    socket.on('error', () => {});
    socket.on('close', () => (isOver = true));
    await once(socket, 'connect');
    return { socket, told: () => told, isOver: () => isOver };
  }

  test('fair: both ways, and its end, too', async () => {
    const { socket, told, isOver } = await talk();
    socket.write('hello');
    await until('the echo', () => told() === 'hello');
    socket.end();
    await until('the end', isOver);
  });

  test('cut: who was connected is not any more, and nobody gets through until it is fair', async () => {
    const { isOver } = await talk();
    wire.set({ kind: 'cut' });
    await until('the cut', isOver);
    const second = await talk().catch(() => undefined);
    await until('the second cut', () => second === undefined || second.isOver());
    wire.set({ kind: 'fair' });
    const { socket, told } = await talk();
    socket.write('hello');
    await until('the echo', () => told() === 'hello');
    socket.end();
  });

  test('stalled: what is sent arrives when it moves again, though its sender has gone', async () => {
    const { socket } = await talk();
    wire.set({ kind: 'stalled' });
    socket.end('late');
    await sleep(A_WHILE_MS);
    socket.destroy();
    await sleep(A_WHILE_MS);
    assert.equal(heard, '');
    wire.set({ kind: 'fair' });
    await until('the late words', () => heard === 'late');
  });

  test('slow: in order, and not at once', async () => {
    wire.set({ kind: 'slow', ms: A_WHILE_MS });
    const { socket, told } = await talk();
    const begin = performance.now();
    socket.write('a');
    await until('the echo', () => told() === 'a');
    assert.ok(performance.now() - begin >= 2 * A_WHILE_MS - 10);
    wire.set({ kind: 'fair' });
    socket.end();
  });

  test('deaf: the server hears, its answer is lost, and the connection ends with it', async () => {
    const { socket, told, isOver } = await talk();
    wire.set({ kind: 'deaf' });
    socket.write('hello');
    await until('the words', () => heard === 'hello');
    await sleep(A_WHILE_MS);
    assert.equal(told(), '');
    wire.set({ kind: 'fair' });
    await until('the end', isOver);
    assert.equal(told(), '');
  });
});
