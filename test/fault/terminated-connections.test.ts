// Goal: connections to Postgres that die at any moment cost nothing but time: no write is lost, none is doubled, every
// answer is true. Method: two services write with keys, while somebody kills their backends and cuts their wires at
// random; a client that gets 503 sends the same key again, to either service.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool } from '../../src/store/connections/pool.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import type { Client } from '../support/client.ts';
import { cloneDatabase } from '../support/database.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { Wire } from '../support/wire.ts';
import type { Cut, Hot } from '../support/wire.ts';
import { Writers, WRITES_OF_A_LIFE } from '../support/writers.ts';

const WRITES = 600;
const FEWEST_KILLS = 10;
const WRITES_BETWEEN = 4;
const CUTS: readonly Cut[] = ['before', 'within', 'after', 'late'];
const STATEMENTS: readonly Hot[] = ['commit', 'commit', 'load'];

/** Kills one backend at random, of any of the processes that use this database. */
const KILL_ONE = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = $1 and application_name like 'kassa%' order by random() limit 1`;

const oneOf = <Value>(values: readonly Value[]): Value => values[Math.floor(Math.random() * values.length)] as Value;

const figureOf = async (service: Service, name: string): Promise<number> => {
  const { text } = await service.client().get('/metrics');
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
};

describe('terminated connections', () => {
  let wire: Wire;
  let services: Service[];
  before(async () => {
    const databaseUrl = await cloneDatabase();
    wire = await Wire.open(databaseUrl);
    const start = () => startService({ databaseUrl, env: { DATABASE_URL: wire.url } });
    services = [await start(), await start()];
  });
  after(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await wire.close();
  });

  // decision: a-commit-with-unknown-outcome
  test('pg_terminate_backend and cut wires during many writes from two processes: nothing lost, nothing doubled', async () => {
    const [first, second] = services as [Service, Service];
    const { client, secretKey } = await first.openShop();
    let requests = 0;
    const clients = [client, second.client(secretKey)];
    const writers = new Writers({ clientFor: () => clients[(requests += 1) % 2] as Client });

    const admin = openPool(process.env['TEST_DATABASE_URL'] as string, { size: 1 });
    const name = new URL(first.databaseUrl).pathname.slice(1);
    const stop = new AbortController();
    let kills = 0;
    const torture = async (): Promise<void> => {
      let cut: Promise<void> | undefined;
      let markCut: Promise<void> | undefined;
      while (!stop.signal.aborted) {
        // One that has just ended by itself is a warning, which a pool takes for a commit that is not replicated.
        kills += await admin.query(KILL_ONE, [name]).then(
          ({ length }) => length,
          () => 0,
        );
        // One cut after the other: were they to pile up, no commit would ever get through.
        cut ??= wire.cutNext(oneOf(STATEMENTS), oneOf(CUTS)).then(() => (cut = undefined));
        // It comes about only after a commit that was cut, and must not keep others from being cut.
        markCut ??= wire.cutNext('find_marks', oneOf(CUTS)).then(() => (markCut = undefined));
        await sleep(10 + Math.random() * 30);
        // On a slow machine, too, something gets through in between.
        const enough = writers.acknowledged + WRITES_BETWEEN;
        while (!stop.signal.aborted && writers.acknowledged < enough) await sleep(5);
      }
    };
    const torturing = torture();
    try {
      await writers.write(WRITES / WRITES_OF_A_LIFE, 24);
    } finally {
      stop.abort();
      await torturing;
      await admin.close();
      wire.calm();
    }
    assert.ok(kills >= FEWEST_KILLS, `only ${kills} backends were killed`);
    assert.equal(writers.acknowledged, WRITES);
    await writers.check(client);
    const { counts, differences } = await verifyBooks(first.pool);
    assert.deepEqual(differences, []);
    // One record for each write: no key has lost its effect, and none has two.
    assert.equal(counts.idempotencyRecords, WRITES);
    assert.equal(counts.payments, WRITES / WRITES_OF_A_LIFE);
    const lookUps = await Promise.all(services.map((each) => figureOf(each, 'kassa_commit_look_ups_total')));
    assert.ok(
      lookUps.every((count) => count > 0),
      'no commit was cut',
    );
    for (const service of services) assert.equal((await service.client().get('/readyz')).status, 200);
  });
});
