// How a service ends: on a signal after it has finished what is under way, and at once on a second one. Method: real
// signals; a request is held under way by a lock on its table. When its Postgres is gone: start.test.ts.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { Workshop, readCommand } from '../database/workshop.ts';
import { aCreate } from '../support/client.ts';
import type { Reply } from '../support/client.ts';
import { cloneDatabase } from '../support/database.ts';
import { depth, isRelease } from '../support/depth.ts';
import { launchKassa, serveKassa, until } from '../support/kassa.ts';
import type { Running } from '../support/kassa.ts';
import { childrenOf } from '../support/process-tree.ts';

/** On a database of its own, with a merchant to ask as. */
const envOf = (databaseUrl: string, { dataDir }: Workshop) => ({
  DATABASE_URL: databaseUrl,
  KASSA_DATA_DIR: dataDir,
  KASSA_SANDBOX: 'on',
});

/** Nobody may write payments until it is let go. */
async function holdPayments(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin; lock table payments in exclusive mode');
  let released: Promise<void> | undefined;
  return () => (released ??= client.end());
}

async function waitsForLock(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const text = `select 1 from pg_locks join pg_database on pg_database.oid = pg_locks.database
    where not granted and datname = current_database()`;
  await until('a request under way', async () => ((await client.query(text)).rowCount ?? 0) > 0);
  await client.end();
}

/** Whether a new connection is turned away. */
function isShut({ url }: Running): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
  return promise.finally(() => socket.destroy());
}

describe('stop', { concurrency: 2 }, () => {
  // The others end more of these tests; of several processes SIGHUP would mean something else, and SIGTERM is tried there.
  for (const signal of depth<readonly NodeJS.Signals[]>({
    daily: ['SIGHUP'],
    release: ['SIGTERM', 'SIGINT', 'SIGHUP'],
  })) {
    test(`${signal}: the request under way is answered, new ones are turned away, and the exit code is 0`, async (t) => {
      const shop = new Workshop();
      t.after(() => shop.close());
      const databaseUrl = await cloneDatabase();
      const service = await serveKassa(t, { env: envOf(databaseUrl, shop) });
      const release = await holdPayments(databaseUrl);
      t.after(release);
      // On a connection that its client would keep alive.
      const answer = service.client.post('/v1/payments', aCreate());
      await waitsForLock(databaseUrl);
      service.child.kill(signal);
      await until('the door to be shut', () => isShut(service));
      await release();
      const { status, body } = await answer;
      assert.equal(status, 201);
      assert.match(body.paymentId, /^[0-9a-f]{32}$/);
      const { code, err } = await service.ended;
      assert.equal(code, 0, err);
      assert.match(err, new RegExp(`"signal":"${signal}","msg":"stopping"`));
      // A block of lines that was being written then may come after it.
      assert.match(err, /"msg":"stopped"\}\n/);
      assert.doesNotMatch(err, /Server listening/);
    });
  }

  // Goal: a load balancer that holds connections never has a request reset, and learns from /readyz to open no more.
  // Method: three connections, opened before the signal: one idle between two requests, one with half a request, one on
  // which nothing ever comes; new ones beside them.
  test('with a drain time, connections are kept, served, and closed by their next answer', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const env = { ...envOf(await cloneDatabase(), shop), KASSA_DRAIN_TIME: '3s' };
    const service = await serveKassa(t, { env });
    const port = Number(new URL(service.url).port);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => agent.destroy());
    const ask = async () => {
      const request = get({ host: '127.0.0.1', port, path: '/healthz', agent });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
      return { reused: request.reusedSocket, status: response.statusCode, connection: response.headers.connection };
    };
    assert.deepEqual(await ask(), { reused: false, status: 200, connection: 'keep-alive' });
    const [half, silent] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    t.after(() => [half, silent].map((socket) => socket.destroy()));
    await Promise.all([once(half, 'connect'), once(silent, 'connect')]);
    half.write('GET /healthz HTTP/1.1\r\nHost: kas');
    assert.deepEqual((await service.client.get('/readyz')).body, { status: 'ready' });
    service.child.kill('SIGTERM');
    await until('it to be stopping', () => service.err().includes('"msg":"stopping"'));
    assert.deepEqual(await ask(), { reused: true, status: 200, connection: 'close' });
    const { status, body } = await service.client.get('/readyz');
    assert.deepEqual([status, body], [503, { status: 'not ready', reason: 'it is stopping' }]);
    await service.client.create();
    await until('the door to be shut', () => isShut(service));
    half.end('sa\r\n\r\n');
    const answer = await textOf(half);
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(answer, /\r\nconnection: close\r\n/i);
    const { code, err } = await service.ended;
    assert.equal(code, 0, err);
  });

  // Goal: Ctrl-C under `npm start` is one Ctrl-C, although npm passes on the signal that the terminal has sent to all.
  // Method: to the whole process group, and a few more in the next moment; the embedded Postgres must be stopped orderly.
  test('a signal that comes several times in a moment is one, and the embedded Postgres is stopped', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    shop.bringDatabase();
    const service = await serveKassa(t, { env: { KASSA_DATA_DIR: shop.dataDir }, detached: true });
    process.kill(-service.pid, 'SIGINT');
    // Without a pause: however slow the machine is, these are of one moment.
    for (let echo = 0; echo < 5; echo += 1) {
      await setImmediate();
      service.child.kill('SIGINT');
    }
    assert.equal((await service.ended).code, 0);
    assert.equal(shop.postmaster(), undefined);
  });

  test('a Ctrl-C during the start ends it quietly, with nothing left running', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const env = { KASSA_DATA_DIR: shop.dataDir, PORT: '0' };
    // To make a database takes a second of the processor: before a release that is what is broken off.
    if (!isRelease) shop.bringDatabase();
    rmSync(join(shop.dataDir, 'locks'), { recursive: true, force: true });
    const launched = launchKassa(['serve'], { env, detached: true });
    await until('the start to be under way', () => existsSync(join(shop.dataDir, 'locks', 'service.pid')));
    process.kill(-launched.pid, 'SIGINT');
    const { code, out, err } = await launched.ended;
    assert.deepEqual({ code, out }, { code: 0, out: '' }, err);
    assert.equal(shop.postmaster(), undefined);
    const next = await serveKassa(t, { env });
    await next.client.create();
    await next.stop();
  });

  test('a second signal ends it at once, whatever is under way', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const databaseUrl = await cloneDatabase();
    const service = await serveKassa(t, { env: envOf(databaseUrl, shop) });
    const release = await holdPayments(databaseUrl);
    t.after(release);
    const answer = service.client.post('/v1/payments', aCreate()).catch((error: Error) => error);
    await waitsForLock(databaseUrl);
    service.child.kill('SIGINT');
    await until('the door to be shut', () => isShut(service));
    // Two that come this close together count as one; a person is slower.
    const hurry = setInterval(() => service.child.kill('SIGINT'), 200);
    const { code, err } = await service.ended;
    clearInterval(hurry);
    assert.equal(code, 130);
    assert.match(err, /kassa: Stopped immediately, on a second signal\.\n$/);
    assert.ok((await answer) instanceof Error);
  });

  if (isRelease)
    test('a Postgres whose backend crashed recovers by itself, and the service with it', async (t) => {
      const shop = new Workshop();
      t.after(() => shop.close());
      shop.bringDatabase();
      const service = await serveKassa(t, { env: { KASSA_DATA_DIR: shop.dataDir } });
      const paymentId = await service.client.createReserved(4_200);
      const postmaster = shop.postmaster() as number;
      const backend = childrenOf(postmaster).find((pid) => readCommand(pid).includes('127.0.0.1'));
      process.kill(backend as number, 'SIGKILL');
      const log = join(shop.dataDir, 'postgres.log');
      await until('Postgres to begin anew', () => readFileSync(log, 'utf8').includes('reinitializing'));
      await until('the service to be ready again', async () => (await service.client.get('/readyz')).status === 200);
      // A connection that died may be noticed only by whoever uses it: the answer says to try again.
      const charge = (): Promise<Reply> =>
        service.client.post(`/v1/payments/${paymentId}/charges`, { amount: 4_200 }, { 'idempotency-key': 'again' });
      const { status, text } = await until('the charge', () => charge().then((reply) => reply.status !== 503 && reply));
      assert.equal(status, 201, text);
      assert.equal(shop.postmaster(), postmaster);
      assert.equal((await service.stop()).code, 0);
    });
});
