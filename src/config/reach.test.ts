// Goal: hooks reach private addresses by themselves only where nobody else reaches Kassa. Method: settings of machines of
// one's own, of servers, and of servers behind a proxy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../config.ts';
import { reachesPrivate, workerReachesPrivate } from './reach.ts';

// decision: addresses-of-hooks
test('private hooks: by itself only where this machine alone reaches Kassa, and for a worker where its database is here', () => {
  const reach = (env: Record<string, string>): boolean[] => [
    reachesPrivate(readConfig(env)),
    workerReachesPrivate(readConfig(env)),
  ];
  for (const HOST of ['', '127.0.0.1', '127.8.8.8', '::1', 'localhost', 'kassa.localhost'])
    assert.deepEqual(reach({ HOST }), [true, true], HOST);
  for (const HOST of [
    '0.0.0.0',
    '::',
    '10.0.0.1',
    '192.168.0.1',
    'kassa',
    '127.example.com',
    'localhost.example.com',
  ]) {
    assert.deepEqual(reach({ HOST }), [false, false], HOST);
    assert.deepEqual(reach({ HOST, KASSA_PRIVATE_HOOKS: 'on' }), [true, true], HOST);
  }
  for (const KASSA_PUBLIC_URL of ['http://localhost:8080', 'http://127.0.0.1'])
    assert.deepEqual(reach({ KASSA_PUBLIC_URL }), [true, true], KASSA_PUBLIC_URL);
  // Behind a proxy on this machine everybody reaches it.
  for (const proxied of [{ KASSA_PUBLIC_URL: 'https://pay.example.com' }, { KASSA_TRUSTED_PROXIES: '127.0.0.1' }]) {
    assert.deepEqual(reach(proxied), [false, false]);
    assert.equal(readConfig(proxied).testRate, 200);
    assert.deepEqual(reach({ ...proxied, KASSA_PRIVATE_HOOKS: 'on' }), [true, true]);
  }
  assert.deepEqual(reach({ KASSA_PRIVATE_HOOKS: 'off' }), [false, false]);
  for (const here of ['127.0.0.1:5432', '[::1]', 'localhost', ''])
    assert.deepEqual(reach({ DATABASE_URL: `postgres://${here}/shop` }), [true, true], here);
  assert.deepEqual(reach({ DATABASE_URL: 'postgres:///shop?host=/var/run/postgresql' }), [true, true]);
  for (const there of ['/shop?host=db.example', 'localhost/shop?host=10.0.0.1'])
    assert.deepEqual(reach({ DATABASE_URL: `postgres://${there}` }), [true, false], there);
  assert.deepEqual(reach({ DATABASE_URL: 'postgres://db.example/shop' }), [true, false]);
  assert.deepEqual(reach({ DATABASE_URL: 'postgres://db.example/shop', KASSA_PRIVATE_HOOKS: 'on' }), [true, true]);
});
