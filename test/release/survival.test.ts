// What a violent end leaves behind, and that the next start gets over it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { until } from '../support/kassa.ts';
import { AT_ONCE, Workshop, ask, isRoot, listIdentities, readCommand } from '../database/workshop.ts';

suite('survival', { concurrency: AT_ONCE }, () => {
  for (const identity of listIdentities()) {
    // Goal: a killed service leaves its Postgres, and the next one takes it over, with its data, and stops it in the end.
    // Method: kill -9 the first, compare the pid of Postgres under the second.
    test(`a Postgres left by a killed service is taken over, as ${identity.name}`, async (t) => {
      const shop = new Workshop(identity);
      t.after(() => shop.close());
      shop.bringDatabase();
      const first = await shop.run({ identity });
      await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
      await first.kill();
      const pid = shop.postmaster();
      assert.ok(pid !== undefined);
      // It leads a group and a session of its own, so a Ctrl-C in the terminal never reached it.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      assert.deepEqual([Number(fields[2]), Number(fields[3])], [pid, pid]);
      const second = await shop.run({ identity });
      assert.equal(second.said.started, false, second.said.message);
      assert.equal(second.url, first.url);
      assert.equal(shop.postmaster(), pid);
      assert.deepEqual(await ask(second.url, 'SELECT answer FROM kept'), [{ answer: 42 }]);
      await second.stop();
      assert.equal(readCommand(pid), '');
    });
  }

  // Goal: a service may be killed at any moment of its first start, and the next start works. Method: kill it after ever
  // more time, through lock, initdb, rename, launch and first connection; then start to the end.
  test('a start that was killed half-way does not hinder the next', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    for (const delayMs of [300, 650, 900]) {
      const dataDir = join(shop.root, `after-${delayMs}`);
      const child = shop.launch({ dataDir });
      const exited = once(child, 'exit');
      await sleep(delayMs);
      child.kill('SIGKILL');
      await exited;
      const next = await shop.run({ dataDir });
      assert.deepEqual(await ask(next.url, 'SELECT 1 AS one'), [{ one: 1 }], `after ${delayMs} ms`);
      await next.stop();
    }
  });

  // Goal: Postgres itself killed, its backends still leaving, is no obstacle. Method: kill -9 the postmaster while one
  // backend is stopped (SIGSTOP), so that it lingers; let it go on after a while.
  test('a killed Postgres with a lingering backend is restarted', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    shop.bringDatabase();
    const first = await shop.run();
    await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const client = new pg.Client({ connectionString: first.url });
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const backend = rows[0]!.pid;
    process.kill(backend, 'SIGSTOP');
    process.kill(shop.postmaster()!, 'SIGKILL');
    await first.kill();
    // The backend lingers until a start has stumbled over it.
    const log = join(shop.dataDir, 'postgres.log');
    const stumbled = async (): Promise<boolean> => readFileSync(log, 'utf8').includes('is still in use');
    const release = until('a start to stumble', stumbled).finally(() => process.kill(backend, 'SIGCONT'));
    const second = await shop.run();
    await release;
    assert.equal(second.said.started, true, second.said.message);
    assert.deepEqual(await ask(second.url, 'SELECT answer FROM kept'), [{ answer: 42 }]);
    await client.end().catch(() => {});
    await second.stop();
  });

  // Goal: a file that names a foreign process (a pid used again after a restart of the machine) confuses nobody and harms
  // no foreign process. Method: put back the file of a stopped Postgres with the pid of a sleeping stranger, who runs as
  // the same user as Postgres, as Postgres itself would then refuse to start; then the pid of another folder's Postgres.
  test('a stale file that names a living stranger is seen through', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    for (const dataDir of [shop.dataDir, join(shop.root, 'other')]) shop.bringDatabase(dataDir);
    const file = join(shop.dataDir, 'postgres', 'postmaster.pid');
    const kept = join(shop.root, 'kept.pid');
    const first = await shop.run();
    const { uid } = statSync(file);
    copyFileSync(file, kept);
    await first.stop();

    const stranger = spawn('sleep', ['60'], isRoot ? { uid, cwd: '/' } : {});
    t.after(() => stranger.kill());
    const other = await shop.run({ dataDir: join(shop.root, 'other') });
    const otherPid = shop.postmaster(join(shop.root, 'other', 'postgres'))!;
    for (const pid of [stranger.pid!, otherPid]) {
      writeFileSync(file, readFileSync(kept, 'utf8').replace(/^\d+/, String(pid)));
      const next = await shop.run();
      assert.equal(next.said.started, true, next.said.message);
      assert.deepEqual(await ask(next.url, 'SELECT 1 AS one'), [{ one: 1 }]);
      await next.stop();
    }
    assert.equal(stranger.exitCode, null);
    assert.deepEqual(await ask(other.url, 'SELECT 1 AS one'), [{ one: 1 }]);
    await other.stop();
  });

  // Goal: a Postgres that is just shutting down is waited for, not taken over. Method: SIGTERM (which waits for clients)
  // with a client connected, who leaves after a while; meanwhile a start.
  test('a Postgres that is shutting down is waited for', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    shop.bringDatabase();
    const first = await shop.run();
    const client = new pg.Client({ connectionString: first.url });
    await client.connect();
    const pid = shop.postmaster()!;
    process.kill(pid, 'SIGTERM');
    await first.kill();
    const leaving = sleep(500).then(() => client.end());
    const second = await shop.run();
    await leaving;
    assert.equal(second.said.started, true, second.said.message);
    assert.notEqual(shop.postmaster(), pid);
    await second.stop();
  });
});
