// Goal: several processes on one port are one service: one start, one stop, one sum of figures, and nothing is turned away
// while they are replaced. Method: real processes, real signals; requests on new and on kept connections all the while.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createKey, revokeKey } from '../../src/store/merchants/keys.ts';
import { listMerchants } from '../../src/store/merchants/merchants.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import { readCommand, Workshop } from '../database/workshop.ts';
import { aCreate, Client } from '../support/client.ts';
import { runCommand } from '../support/commands.ts';
import { cloneDatabase } from '../support/database.ts';
import { depth, isRelease } from '../support/depth.ts';
import { runKassa, serveKassa, until } from '../support/kassa.ts';
import type { Running } from '../support/kassa.ts';
import { childrenOf, isGone } from '../support/process-tree.ts';

// Between the requests of one client; six of them ask.
const PAUSE_MS = 5;

async function start(t: TestContext, more: Readonly<Record<string, string>> = {}, detached = false) {
  const shop = new Workshop();
  t.after(() => shop.close());
  const databaseUrl = await cloneDatabase();
  const env = {
    DATABASE_URL: databaseUrl,
    KASSA_DATA_DIR: shop.dataDir,
    KASSA_SANDBOX: 'on',
    KASSA_PROCESSES: '2',
    KASSA_CONSOLE_PORT: '0',
    KASSA_METRICS_PORT: '0',
    ...more,
  };
  const service = await serveKassa(t, { env, detached });
  await allServe(service);
  return { service, env, databaseUrl };
}

type Started = Awaited<ReturnType<typeof start>>;

const allServe = (service: Running): Promise<unknown> =>
  until('all to serve', () => service.err().includes('"msg":"supervising"'));

const processesOf = ({ pid }: Running): number[] => childrenOf(pid).filter((one) => readCommand(one).includes('serve'));

type Answer = { readonly status: number | undefined; readonly text: string };

/**
 * Without an agent on a connection of its own, which any of the processes may take. On a kept one it is asked again where
 * that was closed just then, as clients do that keep connections: a machine that stood still for seconds may have kept
 * it from hearing in time that this one is to close.
 */
async function ask(
  url: string,
  { secretKey, agent = false }: { secretKey?: string; agent?: Agent | false } = {},
): Promise<Answer> {
  const headers = secretKey === undefined ? {} : { authorization: secretKey };
  const request = get(url, { agent, headers });
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode, text: await textOf(response) };
  } catch (error) {
    if (!request.reusedSocket || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    return ask(url, { agent, ...(secretKey !== undefined && { secretKey }) });
  }
}

const valueOf = (page: string, name: string): number =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1] ?? Number.NaN);

/** Of requests to one route, whoever answered them. */
const countOf = (page: string, route: string): number =>
  Array.from(page.matchAll(/^kassa_http_request_seconds_count\{(.*)\} (\d+)$/gm))
    .filter(([, labels = '']) => labels.includes(`route="${route}"`))
    .reduce((sum, [, , count]) => sum + Number(count), 0);

const figuresOf = ({ banner }: Running): string => /Metrics +(\S+)\n/.exec(banner)?.[1] ?? assert.fail(banner);

/** Until a request is under way, which a lock of this session holds up. */
async function untilWaiting(holder: pg.Client): Promise<void> {
  const waits = `select 1 from pg_locks join pg_database on pg_database.oid = pg_locks.database
    where not granted and datname = current_database()`;
  await until('a request under way', async () => ((await holder.query(waits)).rowCount ?? 0) > 0);
}

describe('several processes', { concurrency: 2 }, () => {
  async function expectOne({ service, databaseUrl }: Started, count: number): Promise<void> {
    assert.match(service.out(), new RegExp(`Processes +${count}\n`));
    assert.equal(service.out().match(/is running/g)?.length, 1);
    const pids = processesOf(service);
    assert.equal(pids.length, count);
    const saidSo = /"process":\d,.*"msg":"started"/g;
    await until('each to say so', () => (service.err().match(saidSo) ?? []).length === count);
    for (const line of service.err().trim().split('\n')) JSON.parse(line);
    const { paymentId } = (await service.client.must(201, 'POST', '/v1/payments', aCreate())) as { paymentId: string };
    const asked = await Promise.all(
      Array.from({ length: 60 }, () => ask(`${service.url}/v1/payments/${paymentId}`, service)),
    );
    assert.deepEqual(new Set(asked.map(({ status }) => status)), new Set([200]));
    // Whoever is asked tells of all.
    await until('the sum of all', async () => {
      const { text } = await ask(figuresOf(service));
      return countOf(text, '/v1/payments/:paymentId') === 60 && valueOf(text, 'kassa_processes_serving') === count;
    });

    const clients = Array.from({ length: 4 }, () => new Client(service.url, service.secretKey));
    const reservedId = await service.client.createReserved(10_000);
    const charges = await Promise.all(
      clients.map((client) => client.post(`/v1/payments/${reservedId}/charges`, { amount: 10_000 })),
    );
    assert.equal(charges.filter(({ status }) => status === 201).length, 1, 'the money is there once');
    assert.equal((await service.client.payment(reservedId)).summary.chargedAmount, 10_000);

    const pool = openPool(databaseUrl, { size: 2 });
    const [merchant = assert.fail('there is no merchant')] = await listMerchants(pool);
    const { key, secret: secretKey } = await createKey(pool, merchant);
    const url = `${service.url}/v1/payments/${paymentId}`;
    const askAll = async (): Promise<Set<number | undefined>> =>
      new Set(
        (await Promise.all(Array.from({ length: 24 }, () => ask(url, { secretKey })))).map(({ status }) => status),
      );
    assert.deepEqual(await askAll(), new Set([200]));
    await revokeKey(pool, key.id);
    assert.deepEqual(await askAll(), new Set([401]));
    await pool.close();
  }

  async function expectPorts({ service, env }: Started): Promise<void> {
    assert.equal((await ask(`${service.url}/metrics`)).status, 404);
    const { out, err } = await runCommand(['user', 'link', 'you@sandbox.example'], { env });
    const console = /^(http:\S+)\/console\/link\//.exec(out)?.[1] ?? assert.fail(out + err);
    assert.notEqual(console, service.url);
    const pages = await Promise.all(Array.from({ length: 12 }, () => ask(`${console}/console/sign-in`)));
    assert.deepEqual(new Set(pages.map(({ status }) => status)), new Set([200]));
    assert.equal((await ask(`${service.url}/console/sign-in`)).status, 404);
  }

  async function expectReplaced({ service }: Started): Promise<void> {
    const before = processesOf(service);
    const agent = new Agent({ keepAlive: true });
    const paymentId = await service.client.create();
    const url = `${service.url}/v1/payments/${paymentId}`;
    const answers: (number | undefined | string)[] = [];
    const over = new AbortController();
    const tellError = (error: Error): Answer => ({ status: undefined, text: String(error) });
    const askOn = async (kept: Agent | false, path: string): Promise<void> => {
      while (!over.signal.aborted) {
        const { status, text } = await ask(path, { ...service, agent: kept }).catch(tellError);
        answers.push(status === 200 ? 200 : `${status} ${text}`);
        // Without a pause they would take both cores for as long as the replacement takes, and it would take longer.
        await pause(PAUSE_MS);
      }
    };
    const kinds: readonly (Agent | false)[] = [false, false, agent, agent];
    const asking = kinds.map((kept) => askOn(kept, url));
    // A load balancer notices nothing.
    asking.push(askOn(false, `${service.url}/readyz`), askOn(agent, `${service.url}/readyz`));
    const counted = async (): Promise<number> =>
      countOf((await ask(figuresOf(service))).text, '/v1/payments/:paymentId');
    const countedAtFirst = await counted();
    await until('some to be counted', async () => (await counted()) > countedAtFirst + 50);
    const countedBefore = await counted();
    service.child.kill('SIGHUP');
    await until('all to be replaced', () => service.err().includes('"msg":"rolling restart completed"'));
    const countedAfter = await counted();
    const askedSoFar = answers.length;
    await until('some more', () => answers.length > askedSoFar + 50);
    over.abort();
    await Promise.all(asking);
    assert.deepEqual(new Set(answers), new Set([200]));
    assert.ok(countedAfter >= countedBefore, `${countedAfter} after ${countedBefore}`);
    const after = processesOf(service);
    assert.equal(after.length, before.length);
    assert.ok(after.every((pid) => !before.includes(pid)));
    agent.destroy();
  }

  async function expectToEnd({ service, databaseUrl }: Started, signal: NodeJS.Signals): Promise<void> {
    const pids = processesOf(service);
    const holder = new pg.Client({ connectionString: databaseUrl });
    await holder.connect();
    await holder.query('begin; lock table payments in exclusive mode');
    const answer = service.client.post('/v1/payments', aCreate());
    await untilWaiting(holder);
    process.kill(-service.pid, signal);
    await until('the door to be shut', () =>
      ask(`${service.url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    await holder.end();
    assert.equal((await answer).status, 201);
    const { code, err } = await service.ended;
    assert.equal(code, 0, err);
    assert.doesNotMatch(err, /died|is started again/);
    assert.match(err, /"process":0,"msg":"stopped"\}\n$/);
    for (const pid of pids) assert.ok(isGone(pid));
  }

  test('are one, on every port; SIGHUP replaces them unnoticed; SIGTERM lets what is under way finish', async (t) => {
    const count = depth({ daily: 2, release: 3 });
    const started = await start(t, { KASSA_PROCESSES: String(count) }, true);
    await expectOne(started, count);
    await expectPorts(started);
    await expectReplaced(started);
    await expectToEnd(started, 'SIGTERM');
  });

  if (isRelease) test('SIGINT to all does as well', async (t) => expectToEnd(await start(t, {}, true), 'SIGINT'));

  // What one process does then is tried daily in stop.test.ts, and how a supervisor hands a signal on just above.
  if (isRelease) {
    test('a second signal ends all of them at once', async (t) => {
      const { service, databaseUrl } = await start(t);
      const pids = processesOf(service);
      const holder = new pg.Client({ connectionString: databaseUrl });
      await holder.connect();
      t.after(() => holder.end());
      await holder.query('begin; lock table payments in exclusive mode');
      const answer = service.client.post('/v1/payments', aCreate()).catch((error: Error) => error);
      await untilWaiting(holder);
      service.child.kill('SIGINT');
      const hurry = setInterval(() => service.child.kill('SIGINT'), 200);
      const { code, err } = await service.ended;
      clearInterval(hurry);
      assert.equal(code, 130);
      assert.match(err, /kassa: Stopped immediately, on a second signal\.\n$/);
      await until('them to be gone', () => pids.every(isGone));
      assert.ok((await answer) instanceof Error);
    });

    test('with a drain time all serve on, unready', async (t) => {
      const { service } = await start(t, { KASSA_DRAIN_TIME: '3s' });
      service.child.kill('SIGTERM');
      await until(
        'all to be stopping',
        () => (service.err().match(/"process":[12],.*"msg":"stopping"/g) ?? []).length === 2,
      );
      const looks = await Promise.all(Array.from({ length: 12 }, () => ask(`${service.url}/readyz`)));
      assert.deepEqual(new Set(looks.map(({ status }) => status)), new Set([503]));
      await service.client.create();
      assert.equal((await service.ended).code, 0);
    });
  }

  // Beside a database of one's own there is no folder to be shared.
  if (isRelease)
    test('the embedded Postgres and the folder are of all', async (t) => {
      const shop = new Workshop();
      t.after(() => shop.close());
      shop.bringDatabase();
      const env = { KASSA_DATA_DIR: shop.dataDir, KASSA_PROCESSES: '2', KASSA_METRICS_PORT: '0' };
      const service = await serveKassa(t, { env });
      await allServe(service);
      assert.equal(processesOf(service).length, 2);
      assert.equal(valueOf((await ask(figuresOf(service))).text, 'kassa_processes_serving'), 2);
      await service.client.create();
      const second = await runKassa(['serve'], { env: { ...env, PORT: '0' } });
      assert.equal(second.code, 1);
      assert.match(second.err, new RegExp(`is in use by a running Kassa \\(pid ${service.pid}\\)`));
      const ended = await service.stop();
      assert.equal(ended.code, 0, ended.err);
      assert.equal(shop.postmaster(), undefined);
    });

  test('what forbids a start is told once, in one sentence', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const taken = createServer().listen(0, '127.0.0.1');
    t.after(() => taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const env = {
      DATABASE_URL: await cloneDatabase(),
      KASSA_DATA_DIR: shop.dataDir,
      KASSA_PROCESSES: '2',
      KASSA_LOG_LEVEL: 'error',
    };
    const onPort = await runKassa(['serve', '--port', String(port)], { env });
    assert.deepEqual(onPort, {
      code: 1,
      signal: null,
      out: '',
      err: `kassa: Port ${port} on 127.0.0.1 is in use: stop the program that uses it, or set PORT to another one.\n`,
    });
    if (!isRelease) return;
    const away = {
      ...env,
      PORT: '0',
      DATABASE_URL: `postgres://nobody@127.0.0.1:${port + 1}/none`,
      KASSA_DATABASE_WAIT: '0s',
    };
    const { code, err } = await runKassa(['serve'], { env: away });
    assert.equal(code, 1);
    assert.match(err, /^kassa: .*\n$/);
  });
});
