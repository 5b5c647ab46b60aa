// Goal: Kassa may be started before its Postgres, or while that recovers: it says what it waits for, begins as soon as
// it can, and gives up in time. Method: a door in front of a real Postgres that is shut, then says that it is starting
// up, then says nothing, then opens.
import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { prepareDatabase } from '../../src/start/prepare-database.ts';
import type { Opened } from '../../src/start/process.ts';
import { Workshop } from '../database/workshop.ts';
import { runCommand } from '../support/commands.ts';
import { cloneDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { launchKassa, until } from '../support/kassa.ts';
import { createEmptyDatabase } from '../support/empty-database.ts';

const STARTING_UP = 'the database system is starting up';

/** What a Postgres that recovers answers to everybody: an ErrorResponse. */
function sayStartingUp(socket: Socket): void {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C57P03\0M${STARTING_UP}\0\0`);
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(fields.length + 4, 1);
  socket.once('data', () => socket.end(Buffer.concat([head, fields])));
}

describe('a Postgres that is not there yet', { concurrency: 2 }, () => {
  test('serve, worker and migrate wait for it, say for what, and begin when it is there', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const real = new URL(await createEmptyDatabase());
    const port = await freePort();
    const url = Object.assign(new URL(real), { port: String(port) });
    let behind: 'starting up' | 'nothing' | 'Postgres' = 'starting up';
    const door = createServer((socket) => {
      socket.on('error', () => {});
      if (behind === 'starting up') return sayStartingUp(socket);
      if (behind === 'nothing') return undefined;
      const inner = connect(Number(real.port), real.hostname).on('error', () => socket.destroy());
      return socket.pipe(inner).pipe(socket);
    });
    t.after(() => door.close());
    const env = { DATABASE_URL: url.href, KASSA_DATA_DIR: shop.dataDir, PORT: '0', KASSA_DATABASE_WAIT: '10m' };
    const [serve, worker, migrate] = ['serve', 'worker', 'migrate'].map((word) => launchKassa([word], { env }));
    assert.ok(serve && worker && migrate);
    for (const { child } of [serve, worker, migrate]) t.after(() => child.kill('SIGKILL'));
    const saying = (what: string): Promise<unknown> =>
      until(`all of them to say ${what}`, () => {
        for (const each of [serve, worker, migrate]) assert.equal(each.child.exitCode, null, each.err());
        return [serve, worker, migrate].every((each) => each.err().includes(what));
      });
    await saying(`Cannot connect to Postgres at 127.0.0.1:${port}: start it, or correct DATABASE_URL.`);
    await new Promise<void>((resolve) => door.listen(port, '127.0.0.1', resolve));
    await saying(STARTING_UP);
    behind = 'nothing';
    await saying('timed out: check the network and the server.');
    behind = 'Postgres';
    await until('the banner', () => serve.out().includes('is running'));
    await until('the worker', () => worker.out().includes('is running on the database'));
    assert.equal((await migrate.ended).code, 0);
    assert.match(migrate.out(), /The database is at version \d+/);
    const reasons = [...serve.err().matchAll(/"why":"([^"]+)"[^\n]*"msg":"waiting for the database"/g)].map(
      ([, why]) => why,
    );
    assert.ok(reasons.length >= 3, serve.err());
    assert.ok(
      reasons.every((why, at) => why !== reasons[at - 1]),
      'each reason is told once',
    );
    for (const process of [serve, worker]) {
      process.child.kill('SIGTERM');
      assert.equal((await process.ended).code, 0);
    }
  });

  test('the wait has an end, which is one sentence and 1', async () => {
    const port = await freePort();
    const sentence = `kassa: Cannot connect to Postgres at 127.0.0.1:${port}: start it, or correct DATABASE_URL.`;
    const DATABASE_URL = `postgres://me:rabarber@127.0.0.1:${port}/shop`;
    for (const word of ['serve', 'worker', 'migrate']) {
      const { code, out, err } = await runCommand([word], {
        env: { DATABASE_URL, KASSA_DATABASE_WAIT: '1s', PORT: '0', KASSA_LOG_LEVEL: 'error' },
      });
      assert.deepEqual({ code, out }, { code: 1, out: '' });
      // A command that people wait for says so before; of the others the log does.
      const last = word === 'migrate' ? err.replace(/^Waiting at most 1 s\. [^\n]+\n/, '') : err;
      assert.equal(last, `${sentence}\n`);
      assert.doesNotMatch(err, /rabarber/);
    }
  });

  test('a name that is not known yet is waited for, and a signal ends any wait at once', async () => {
    for (const host of [`127.0.0.1:${await freePort()}`, 'no-such-host.invalid']) {
      const DATABASE_URL = `postgres://me:rabarber@${host}/shop`;
      const asked = launchKassa(['serve'], { env: { DATABASE_URL, KASSA_DATABASE_WAIT: '1h', PORT: '0' } });
      await until('it to wait', () => {
        assert.equal(asked.child.exitCode, null, asked.err());
        return asked.err().includes('waiting for the database');
      });
      asked.child.kill('SIGTERM');
      assert.equal((await asked.ended).code, 0);
    }
  });

  test('what does not pass by itself is told at once', async () => {
    const url = Object.assign(new URL(await cloneDatabase()), { password: 'rabarber' });
    const env = { DATABASE_URL: url.href, KASSA_DATABASE_WAIT: '1h', PORT: '0', KASSA_LOG_LEVEL: 'error' };
    const { code, err } = await runCommand(['serve'], { env });
    assert.equal(code, 1);
    assert.match(err, /^kassa: Postgres at \S+ refuses the user or password of DATABASE_URL: [^\n]+\n$/);
  });

  test('a direct address that is of another database is refused before anything is done there', async () => {
    const [pooled, direct] = [process.env['TEST_DATABASE_URL'] as string, await createEmptyDatabase()];
    const config = readConfig({ DATABASE_URL: pooled, KASSA_DATABASE_DIRECT_URL: direct, KASSA_DATABASE_WAIT: '0s' });
    const opened = { config, shutdown: { requested: new Promise(() => {}) } } as unknown as Opened;
    await assert.rejects(prepareDatabase(opened, { pooled, direct }), /and DATABASE_URL are different databases/);
  });
});
