// Goal: names become addresses, and a name server that is silent about some holds up nobody else. Method: a name server
// of the test's own, which speaks as much DNS as is asked of it here.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { nameNotFound, openResolve } from '../../src/events/names.ts';

const A = 1;
const AAAA = 28;
const NO_SUCH_NAME = 0x81_83;
const FINE = 0x81_80;

const answers: Readonly<Record<string, Readonly<Record<number, readonly number[]>>>> = {
  'both.example': { [A]: [192, 0, 2, 1], [AAAA]: [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
  'four.example': { [A]: [192, 0, 2, 4] },
};

function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** The reply to one question; none about names that begin with `silent`. */
function replyTo(message: Buffer): Buffer | undefined {
  const { name, end } = readName(message);
  if (name.startsWith('silent')) return undefined;
  const known = answers[name];
  const data = known?.[message.readUInt16BE(end)];
  const head = Buffer.alloc(12);
  head.writeUInt16BE(message.readUInt16BE(0), 0);
  head.writeUInt16BE(known === undefined ? NO_SUCH_NAME : FINE, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data === undefined ? 0 : 1, 6);
  const record = data && [0xc0, 12, ...message.subarray(end, end + 4), 0, 0, 0, 0, 0, data.length, ...data];
  return Buffer.concat([head, message.subarray(12, end + 4), Buffer.from(record ?? [])]);
}

async function aNameServer(t: TestContext): Promise<{ servers: string[]; asked: string[] }> {
  const asked: string[] = [];
  const server = createSocket('udp4', (message, { port, address }) => {
    asked.push(readName(message).name);
    const reply = replyTo(message);
    if (reply !== undefined) server.send(reply, port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { servers: [`127.0.0.1:${server.address().port}`], asked };
}

test('a live merchant’s name gives its addresses of both kinds', async (t) => {
  const resolve = openResolve(await aNameServer(t));
  assert.deepEqual(await resolve('both.example', true), ['192.0.2.1', '2001:db8::1']);
  assert.deepEqual(await resolve('four.example', true), ['192.0.2.4']);
  await assert.rejects(resolve('none.example', true), { code: 'ENOTFOUND' });
  assert.equal((nameNotFound() as NodeJS.ErrnoException).code, 'ENOTFOUND');
});

test('those who want the same name at once share one look-up, and later ones ask anew', async (t) => {
  const { servers, asked } = await aNameServer(t);
  const resolve = openResolve({ servers });
  const found = await Promise.all(Array.from({ length: 50 }, () => resolve('four.example', true)));
  assert.deepEqual(new Set(found.flat()), new Set(['192.0.2.4']));
  assert.equal(asked.length, 2, 'one question for each kind of address');
  await resolve('four.example', true);
  assert.equal(asked.length, 4);
});

test('names about which the name server is silent hold up no other', async (t) => {
  const resolve = openResolve(await aNameServer(t));
  let isAnySilentOver = false;
  const silent = Array.from({ length: 50 }, (_, index) =>
    resolve(`silent-${index}.example`, true).finally(() => {
      isAnySilentOver = true;
    }),
  );
  assert.deepEqual(await resolve('four.example', true), ['192.0.2.4']);
  assert.equal(isAnySilentOver, false);
  for (const over of await Promise.allSettled(silent)) assert.equal(over.status, 'rejected');
});

test('a test merchant’s name may be one that only this machine knows', async (t) => {
  const { servers, asked } = await aNameServer(t);
  const found = await openResolve({ servers })('localhost', false);
  assert.ok(found.includes('127.0.0.1') || found.includes('::1'), found.join());
  assert.deepEqual(asked, []);
});

test('where there is no name server, the system is asked', async () => {
  const server = createSocket('udp4').bind(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise<void>((resolve) => {
    server.close(resolve);
  });
  const found = await openResolve({ servers: [`127.0.0.1:${port}`] })('localhost', true);
  assert.ok(found.includes('127.0.0.1') || found.includes('::1'), found.join());
});
