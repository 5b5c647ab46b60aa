// Goal: names become addresses, and a name server that is silent about some holds up nobody else. Method: a name server
// of the test's own, which speaks as much DNS as is asked of it here.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { openResolve } from '../../src/events/endpoint-dns.ts';
import type { Asker } from '../../src/events/endpoint-dns.ts';
import { nameNotFound, openLookUp } from '../../src/outbound/lookup.ts';

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

async function aFile(t: TestContext, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kassa-names-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'file'), text);
  return join(folder, 'file');
}

const LIVE: Asker = { merchantId: 1, scope: 'public' };
const TEST: Asker = { merchantId: 2, scope: 'any' };
const OTHER: Asker = { merchantId: 3, scope: 'any' };
const FOUR = ['192.0.2.4'];

test('a name gives its addresses of both kinds, to live and to test merchants', async (t) => {
  const { servers } = await aNameServer(t);
  const resolve = openResolve(openLookUp({ servers }));
  for (const asker of [LIVE, TEST]) {
    assert.deepEqual(await resolve('both.example', asker), ['192.0.2.1', '2001:db8::1']);
    assert.deepEqual(await resolve('four.example', asker), FOUR);
    await assert.rejects(resolve('none.example', asker), { code: 'ENOTFOUND' });
  }
  assert.equal((nameNotFound() as NodeJS.ErrnoException).code, 'ENOTFOUND');
});

test('those of a merchant who want the same name at once share one look-up, and later ones ask anew', async (t) => {
  const { servers, asked } = await aNameServer(t);
  const resolve = openResolve(openLookUp({ servers }));
  const found = await Promise.all(Array.from({ length: 50 }, () => resolve('four.example', LIVE)));
  assert.deepEqual(new Set(found.flat()), new Set(FOUR));
  assert.equal(asked.length, 2, 'one question for each kind of address');
  await resolve('four.example', LIVE);
  assert.equal(asked.length, 4);
});

test('names about which the name server is silent hold up no other merchant', async (t) => {
  const { servers } = await aNameServer(t);
  const resolve = openResolve(openLookUp({ servers }));
  let isAnySilentOver = false;
  const silent = Array.from({ length: 8 }, (_, index) =>
    resolve(`silent-${index}.example`, TEST).finally(() => {
      isAnySilentOver = true;
    }),
  );
  const over = Promise.allSettled(silent);
  assert.deepEqual(await resolve('four.example', OTHER), FOUR);
  assert.deepEqual(await resolve('four.example', LIVE), FOUR);
  assert.equal(isAnySilentOver, false);
  for (const { status } of await over) assert.equal(status, 'rejected');
});

test('a merchant has so many look-ups under way, and so many that wait; others do not notice', async () => {
  const underWay = new Map<string, () => void>();
  const resolve = openResolve(
    (name) =>
      new Promise((found) => {
        underWay.set(name, () => found(FOUR));
      }),
  );
  const asked = Array.from({ length: 1_000 }, (_, index) => resolve(`n${index}.example`, TEST));
  const outcomes = Promise.allSettled(asked);
  const other = resolve('other.example', OTHER);
  await nextTick();
  assert.deepEqual(
    [...underWay.keys()],
    [...Array.from({ length: 8 }, (_, index) => `n${index}.example`), 'other.example'],
  );
  while (underWay.size > 0) {
    for (const [name, find] of underWay) {
      underWay.delete(name);
      find();
    }
    await nextTick();
  }
  assert.deepEqual(await other, FOUR);
  const refused = (await outcomes).filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 1_000 - 8 - 512);
  for (const outcome of refused) assert.equal((outcome as PromiseRejectedResult).reason.code, 'ETOOMANYNAMES');
});

test('a name that was not found is not asked for again at once, by this merchant', async () => {
  let asked = 0;
  const resolve = openResolve(() => {
    asked += 1;
    return Promise.reject(nameNotFound());
  });
  for (let n = 0; n < 20; n += 1) await assert.rejects(resolve('none.example', TEST), { code: 'ENOTFOUND' });
  assert.equal(asked, 1);
  await assert.rejects(resolve('none.example', OTHER), { code: 'ENOTFOUND' });
  assert.equal(asked, 2);
});

test('a test merchant’s name may be one that only this machine knows: of the hosts file, or localhost', async (t) => {
  const { servers, asked } = await aNameServer(t);
  const hostsFile = await aFile(t, '10.0.0.7\tShop.test shop # 10.0.0.8 four.example\n::1 shop\nnonsense shop\n');
  const resolve = openResolve(openLookUp({ servers, hostsFile }));
  assert.deepEqual(await resolve('shop.test', TEST), ['10.0.0.7']);
  assert.deepEqual(await resolve('SHOP', TEST), ['10.0.0.7', '::1']);
  for (const name of ['localhost', 'localhost.', 'shop.localhost'])
    assert.deepEqual(await resolve(name, TEST), ['127.0.0.1', '::1']);
  assert.deepEqual(asked, []);
  await assert.rejects(resolve('shop.test', LIVE), { code: 'ENOTFOUND' });
});

test('a test merchant’s short name is completed by the search domains', async (t) => {
  const { servers, asked } = await aNameServer(t);
  const resolvFile = await aFile(t, '; by the test\nsearch away.example example.\noptions edns0 ndots:2\n');
  const resolve = openResolve(openLookUp({ servers, resolvFile }));
  assert.deepEqual(await resolve('four', TEST), FOUR);
  assert.deepEqual([...new Set(asked)], ['four.away.example', 'four.example']);
  asked.length = 0;
  assert.deepEqual(await resolve('four.example.', TEST), FOUR);
  assert.deepEqual([...new Set(asked)], ['four.example']);
  await assert.rejects(resolve('four', LIVE), { code: 'ENOTFOUND' });
});
