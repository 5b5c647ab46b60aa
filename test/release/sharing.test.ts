// Several Kassas on one data folder: one service, any number of tools, one Postgres.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { startEmbeddedDatabase } from '../../src/database/embedded.ts';
import { AT_ONCE, Workshop, ask, readCommand } from '../database/workshop.ts';

const ONE = [{ one: 1 }];

async function answers(url: string): Promise<void> {
  assert.deepEqual(await ask(url, 'SELECT 1 AS one'), ONE);
}

suite('sharing', { concurrency: AT_ONCE }, () => {
  // Goal: of services that start at the same instant, exactly one wins, and the others say by whom the folder is used.
  // Method: five at once on a new folder, three times; kill -9 the winner each time: its lock must be gone with it.
  test('of five services at once exactly one runs', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    for (let round = 0; round < 3; round += 1) {
      const kassas = await Promise.all(Array.from({ length: 5 }, () => shop.run()));
      const winners = kassas.filter(({ said }) => said.url !== undefined);
      assert.equal(winners.length, 1, JSON.stringify(kassas.map(({ said }) => said)));
      assert.equal(winners[0]!.said.started, round === 0);
      for (const { said } of kassas.filter((kassa) => kassa !== winners[0])) {
        assert.deepEqual(said, {
          name: 'DatabaseUnavailable',
          message: `The data folder ${shop.dataDir} is in use by a running Kassa (pid ${winners[0]!.pid}). Stop it, or set KASSA_DATA_DIR to another folder.`,
        });
      }
      await answers(winners[0]!.url);
      await winners[0]!.kill();
    }
  });

  // Goal: the lock holds inside one process, too, and stop() may be called twice. Method: start twice here.
  test('a second start in the same process is refused', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    shop.bringDatabase();
    const { dataDir, sharedHome } = shop;
    const first = await startEmbeddedDatabase({ dataDir, sharedHome });
    await assert.rejects(startEmbeddedDatabase({ dataDir, sharedHome }), { name: 'DatabaseUnavailable' });
    await assert.rejects(startEmbeddedDatabase({ dataDir, sharedHome }), { message: new RegExp(`pid ${process.pid}`) });
    await Promise.all([first.stop(), first.stop()]);
    const again = await startEmbeddedDatabase({ dataDir, sharedHome });
    assert.equal(again.started, true);
    await again.stop();
  });

  // Goal: a tool beside a service uses the service's Postgres and leaves it. Method: one tool in, one tool out.
  test('a tool beside a service leaves its Postgres running', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    shop.bringDatabase();
    const service = await shop.run();
    const tool = await shop.run({ way: 'use' });
    assert.equal(tool.said.started, false, tool.said.message);
    assert.equal(tool.url, service.url);
    await tool.stop();
    await answers(service.url);
    const late = await shop.run({ way: 'use' });
    const pid = shop.postmaster()!;
    await service.stop();
    assert.equal(readCommand(pid), '', 'the service stops Postgres even under a tool');
    await late.stop();
  });

  // Goal: what runs in another container is not taken for dead, and not started a second time on the same files. Method: a
  // service whose Postgres is said to have been started elsewhere; once it has let go, the next one passes.
  test('a database that is in use where its processes cannot be seen is refused', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    shop.bringDatabase();
    const service = await shop.run();
    writeFileSync(join(shop.dataDir, 'locks', 'place'), 'another boot pid:[1]');
    const tool = await shop.run({ way: 'use' });
    assert.deepEqual(tool.said, {
      name: 'DatabaseUnavailable',
      message: `The database of ${shop.dataDir} is in use in another container, or on another machine: run this there, or stop Kassa there.`,
    });
    await answers(service.url);
    await service.stop();
    const next = await shop.run({ way: 'use' });
    assert.equal(next.said.started, true, next.said.message);
    const beside = await shop.run({ way: 'use' });
    assert.equal(beside.url, next.url, 'its place is known again');
    await beside.stop();
    await next.stop();
  });

  // Goal: tools alone share one Postgres, which ends with the last of them. Method: three tools at the same instant on a
  // new folder, who leave one after the other, the one that started it first.
  test('tools alone start one Postgres, and the last one stops it', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const tools = await Promise.all(Array.from({ length: 3 }, () => shop.run({ way: 'use' })));
    assert.equal(tools.filter(({ said }) => said.started).length, 1);
    tools.sort((a, b) => Number(b.said.started) - Number(a.said.started));
    for (const tool of tools) {
      await answers(tool.url);
      await tool.stop();
    }
    assert.equal(shop.postmaster(), undefined);
  });

  // Goal: a tool that started Postgres does not stop it under a service that took it over. Method: that order; then the
  // hard form, in which tools come and go all the time while services start.
  test('a service that came after a tool keeps its Postgres', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    shop.bringDatabase();
    const tool = await shop.run({ way: 'use' });
    assert.equal(tool.said.started, true, tool.said.message);
    const service = await shop.run();
    assert.equal(service.said.started, false, service.said.message);
    await tool.stop();
    await answers(service.url);
    await service.stop();

    for (let round = 0; round < 3; round += 1) {
      const passing = Array.from({ length: 3 }, async () => (await shop.run({ way: 'use' })).stop());
      const next = await shop.run();
      await Promise.all(passing);
      await answers(next.url);
      await next.stop();
      assert.equal(shop.postmaster(), undefined);
    }
  });
});
