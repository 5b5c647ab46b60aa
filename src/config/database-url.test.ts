// DATABASE_URL in all forms that libpq knows: one address for each server, in its order, with what all have in common.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BadConfig } from './bad-config.ts';
import { describeDatabase, readDatabaseUrl, serversOf } from './database-url.ts';

const A = 'postgres://me:s%20t@a.example/shop';

test('one server stands as it was written', () => {
  for (const url of [
    A,
    'postgresql://me@db.example:6432/shop?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem',
    'postgres:///shop?host=/var/run/postgresql',
    'postgres://me:p@ss@[::1]:5432/shop',
    'postgres://localhost',
    // What providers and other programs put there.
    'postgres://me@a/shop?sslmode=require&channel_binding=require&pgbouncer=true&schema=public&pool_timeout=0',
    'postgres://me@a/shop?sslmode=verify-full&sslcrl=%2Fcrl&sslsni=1&supa=base-pooler.x&connect_timeout=5',
  ])
    assert.equal(readDatabaseUrl(url), url);
  assert.equal(readDatabaseUrl(''), undefined);
});

test('what is Kassa’s own to see to is not handed to the driver', () => {
  assert.equal(readDatabaseUrl(`${A}?target_session_attrs=read-write`), A);
  assert.equal(readDatabaseUrl(`${A}?sslmode=require&target_session_attrs=primary`), `${A}?sslmode=require`);
});

test('several servers, each with all that they have in common', () => {
  const several: readonly (readonly [url: string, servers: readonly string[]])[] = [
    ['postgres://me:x@a,b/shop', ['postgres://me:x@a/shop', 'postgres://me:x@b/shop']],
    ['postgres://a:1,b:2,[::1]:3/shop', ['postgres://a:1/shop', 'postgres://b:2/shop', 'postgres://[::1]:3/shop']],
    [
      'postgres://a:1,b/shop?sslmode=require',
      ['postgres://a:1/shop?sslmode=require', 'postgres://b/shop?sslmode=require'],
    ],
    ['postgres://me@/shop?host=a,b&port=1,2', ['postgres://me@a:1/shop', 'postgres://me@b:2/shop']],
    ['postgres:///shop?host=a,b&port=6432', ['postgres://a:6432/shop', 'postgres://b:6432/shop']],
    [
      'postgres://a,b/shop?load_balance_hosts=random&target_session_attrs=any',
      ['postgres://a/shop', 'postgres://b/shop'],
    ],
    [
      'postgres:///shop?host=/run/a,/run/b&port=1,2',
      ['postgres:///shop?host=%2Frun%2Fa&port=1', 'postgres:///shop?host=%2Frun%2Fb&port=2'],
    ],
  ];
  for (const [url, servers] of several) assert.deepEqual(serversOf(readDatabaseUrl(url) as string), servers, url);
  const shown = describeDatabase(readDatabaseUrl('postgres://me:secret@a:1,b:2/shop?sslpassword=hidden') as string);
  assert.equal(shown, 'me@a:1,b:2/shop');
});

test('what cannot be meant is refused in one sentence, without the password', () => {
  const refused: readonly (readonly [url: string, says: RegExp])[] = [
    ['mysql://me:rabarber@a/shop', /^DATABASE_URL must be an address such as/],
    ['postgres://me:rabarber@a:one/shop', /^DATABASE_URL must be an address such as/],
    ['postgres://me:rabarber@a:1:2/shop', /^DATABASE_URL must be an address such as/],
    ['postgres://me:rabarber@a /shop', /^DATABASE_URL must be an address such as/],
    ['postgres://me:rabarber@a,/shop', /several hosts, and one of them is empty/],
    ['postgres://me:rabarber@/shop?host=a,b,c&port=1,2', /3 hosts and 2 ports/],
    [
      'postgres://me:rabarber@a,b/shop?target_session_attrs=standby',
      /must be read-write, primary or any: Kassa writes/,
    ],
    [
      'postgres://me:rabarber@a/shop?sslmod=verify-full',
      /^DATABASE_URL has the parameter sslmod; did you mean sslmode\?$/,
    ],
    ['postgres://me:rabarber@a/shop?targetsessionattrs=primary', /did you mean target_session_attrs\?$/],
    ['postgres://me:rabarber@a/shop?sslmode=require&sslmode=verify_full', /^sslmode of DATABASE_URL must be one of/],
    ['postgres://me:rabarber@a/shop?sslmode=verify_full', /^sslmode of DATABASE_URL must be one of disable, /],
    [`postgres://me:rabarber@${'a,'.repeat(16)}a/shop`, /17 hosts; at most 16/],
  ];
  for (const [url, says] of refused)
    assert.throws(
      () => readDatabaseUrl(url),
      (error: unknown) => error instanceof BadConfig && says.test(error.message) && !error.message.includes('rabarber'),
      url,
    );
});
