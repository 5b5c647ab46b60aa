// Goal: what a key is and how long it lives: random, kept as its hash alone, of one mode for good, ended by its
// revocation even when no notice tells of it, and limited by each process for itself.
// Method: two services with a low rate for test keys on one database; rows are looked into, commands are run.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { createKey } from '../../src/store/merchants/keys.ts';
import { aCreate } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { runKassa, until } from '../support/kassa.ts';
import { isReplayed, keyed } from '../support/keyed-operations.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

const RATE = 5;
// Eight times the rate: a burst that falls on the edge of two seconds is still too much for both.
const BURST = Array.from({ length: 8 * RATE }, (_, index) => `request-${index}`);

let service: Service;
let second: Service;
before(async () => {
  const env = { KASSA_TEST_RATE_LIMIT: String(RATE), KASSA_RATE_LIMIT: 'off' };
  service = await startService({ env });
  second = await startService({ env, databaseUrl: service.databaseUrl });
});
after(async () => {
  await second.stop();
  await service.stop();
});

const ask = (client: Client): Promise<Reply> => client.get('/v1/paymentmethods');

describe('a secret key', () => {
  // decision: secret-keys
  test('has 128 random bits and is kept as the SHA-256 of its digits alone', async () => {
    const { merchant } = await service.openShop();
    const secrets = new Set<string>();
    for (let made = 0; made < 20; made += 1) {
      const { key, secret } = await createKey(service.pool, merchant);
      assert.match(secret, /^test-secret-key-[0-9a-f]{32}$/);
      const digits = secret.slice(-32);
      secrets.add(digits);
      const rows = await service.pool.query<Record<string, string>>(
        `select encode(hash, 'hex') as hash, secret_keys::text as row from secret_keys where id = $1`,
        [key.id],
      );
      assert.equal(rows[0]?.['hash'], createHash('sha256').update(digits).digest('hex'));
      assert.ok(!rows[0]['row']?.includes(digits));
    }
    assert.equal(secrets.size, 20);
  });

  // decision: test-and-live-merchants
  test('is of one mode for good: no command turns a test merchant into a live one, or back', async () => {
    const shops = [await service.openShop(), await service.openShop({ live: true })];
    const env = { DATABASE_URL: service.databaseUrl };
    for (const { merchant, client } of shops) {
      for (const option of ['--live', '--no-live', '--test']) {
        const { code, out, err } = await runKassa(['merchant', 'update', String(merchant.id), option], { env });
        assert.deepEqual([code, out], [1, '']);
        assert.match(err, /^kassa: Unknown option --/);
      }
      const reserved = await client.post(`/v1/sandbox/payments/${await client.create()}/reserve`);
      assert.equal(reserved.status, merchant.live ? 404 : 201);
    }
  });

  // decision: revoking-a-key
  test('that was revoked without a notice ends all the same', async () => {
    const { merchant, client, secretKey } = await service.openShop({ live: true });
    const { key, secret } = await createKey(service.pool, merchant);
    const revoked = service.client(secret);
    assert.equal((await ask(revoked)).status, 200);
    await service.pool.query('update secret_keys set revoked_at = now() where id = $1', [key.id]);
    await until('the key to be refused', async () => (await ask(revoked)).status === 401);
    assert.equal((await ask(client)).status, 200, `the other key ${secretKey.slice(-4)} is as good as before`);
  });
});

describe('the rate of a key', () => {
  // decision: rate-limits
  test('is 100 a second for live keys, and 200 for a test merchant unless only this machine reaches the service', () => {
    const rates = (env: Record<string, string>) => {
      const { liveRate, testRate } = readConfig(env);
      return { liveRate, testRate };
    };
    for (const HOST of ['', '127.0.0.1', '::1', 'localhost'])
      assert.deepEqual(rates({ HOST }), { liveRate: 100, testRate: undefined }, HOST);
    for (const HOST of ['0.0.0.0', '::', '10.0.0.1'])
      assert.deepEqual(rates({ HOST }), { liveRate: 100, testRate: 200 });
    assert.equal(rates({ KASSA_PUBLIC_URL: 'https://pay.example.com' }).testRate, 200);
    assert.equal(rates({ HOST: '0.0.0.0', KASSA_TEST_RATE_LIMIT: 'off' }).testRate, undefined);
  });

  // decision: rate-limits
  test('is counted by each process for itself', async () => {
    const { client, secretKey } = await service.openShop();
    const replies = await Promise.all(BURST.map(() => ask(client)));
    assert.ok(replies.some(({ status }) => status === 429));
    assert.equal((await ask(second.client(secretKey))).status, 200);
  });

  // decision: answers-that-are-kept
  test('429 is not kept for an Idempotency-Key: the request can be made later', async () => {
    const { client } = await service.openShop();
    const replies = await Promise.all(BURST.map((key) => client.post('/v1/payments', aCreate(), keyed(key))));
    const refused = BURST[replies.findIndex(({ status }) => status === 429)] ?? assert.fail('none was refused');
    const made = await until('the key to be served again', async () => {
      const reply = await client.post('/v1/payments', aCreate(), keyed(refused));
      return reply.status !== 429 && reply;
    });
    assert.deepEqual([made.status, isReplayed(made)], [201, false]);
  });
});
