// Goal: one of several processes that is killed while it writes loses nothing that it has acknowledged and does nothing
// twice; the others go on, and its place is filled again. A supervisor that is killed leaves no process behind. Method:
// kill -9 in the middle of writes with a journal.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { readCommand } from '../database/workshop.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/kassa.ts';
import { childrenOf, isGone } from '../support/process-tree.ts';
import { spawnService } from '../support/service.ts';
import type { SpawnedService } from '../support/service.ts';
import { Writers, WRITES_OF_A_LIFE } from '../support/writers.ts';

const WRITES = 1_500;
const KILLS_AFTER = [300, 700, 1_000];

const processesOf = ({ pid }: SpawnedService): number[] =>
  childrenOf(pid).filter((one) => readCommand(one).includes('serve'));

const areServing = (service: SpawnedService, count: number): Promise<unknown> =>
  until(`${count} to serve`, async () => {
    // For a moment there may be none.
    const answer = await service
      .client()
      .get('/metrics')
      .catch(() => undefined);
    return answer?.text.includes(`kassa_processes_serving ${count}\n`);
  });

async function start(t: TestContext, more: Readonly<Record<string, string>> = {}, databaseUrl?: string) {
  const env = { KASSA_PROCESSES: '2', ...more };
  const service = await spawnService({ env, ...(databaseUrl !== undefined && { databaseUrl }) });
  t.after(() => service.stop());
  await areServing(service, 2);
  return service;
}

describe('killed process', () => {
  test('kill -9 of one process after the other under load: nothing acknowledged is lost, and service goes on', async (t) => {
    const service = await start(t);
    const { secretKey } = await service.openShop();
    const writers = new Writers({ clientFor: () => service.client(secretKey), unkeyedEvery: 4 });
    const writing = writers.write(WRITES / WRITES_OF_A_LIFE + 30, 16);
    for (const acknowledged of KILLS_AFTER) {
      await writers.reached(acknowledged);
      const [victim] = processesOf(service);
      process.kill(victim as number, 'SIGKILL');
      // The other one answers, also before there are two again.
      assert.equal(
        (
          await until('an answer', () =>
            service
              .client()
              .get('/healthz')
              .catch(() => undefined),
          )
        ).status,
        200,
      );
      await until('its place to be filled', () => isGone(victim as number) && processesOf(service).length === 2);
      await areServing(service, 2);
    }
    await writing;
    assert.ok(writers.acknowledged >= WRITES, String(writers.acknowledged));
    assert.ok(writers.sentAgain > 0, 'no kill hit a request');
    await writers.check(service.client(secretKey));
    const { counts, differences } = await verifyBooks(service.pool);
    assert.deepEqual(differences, []);
    assert.equal(counts.pending, 0);
    await areServing(service, 2);
    const { text } = await service.client().get('/metrics');
    assert.match(text, new RegExp(`^kassa_process_deaths_total ${KILLS_AFTER.length}$`, 'm'));
    assert.equal(service.log().match(/"signal":"SIGKILL",.*"msg":"a process crashed; restarting it"/g)?.length, 3);
  });

  test('kill -9 of all processes, twice: the supervisor stays, and starts them again', async (t) => {
    // Where any port will do, the next ones take another.
    const service = await start(t, { PORT: String(await freePort()) });
    for (let time = 0; time < 2; time += 1) {
      const victims = processesOf(service);
      for (const victim of victims) process.kill(victim, 'SIGKILL');
      await until('them to be gone', () => victims.every(isGone));
      await areServing(service, 2);
    }
  });

  test('kill -9 of the supervisor ends all of its processes, and the next start has the port', async (t) => {
    const service = await start(t);
    const { secretKey, client } = await service.openShop();
    const paymentId = await client.createReserved(5_000);
    const pids = processesOf(service);
    assert.equal(pids.length, 2);
    const { port } = new URL(service.url);
    await service.kill();
    const next = await until('the port to be free', async () => {
      try {
        return await start(t, { PORT: port }, service.databaseUrl);
      } catch (error) {
        if (/is taken/.test(String(error))) return undefined;
        throw error;
      }
    });
    await until('them to be gone', () => pids.every(isGone));
    await next.client(secretKey).charge(paymentId, 5_000);
  });
});
