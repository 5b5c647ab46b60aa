// Goal: nobody who can write to the data folder, or to one above it, leads Kassa to a file that is somebody else's. Method:
// a file of ours, and links to it under every name that Kassa opens; whatever Kassa says to that, the file stays as it was.
// As root also in folders of an ordinary user: there Kassa is that user, or refuses.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { cloneDatabase } from '../support/database.ts';
import { launchKassa, runKassa, serveKassa, until } from '../support/kassa.ts';
import { AT_ONCE, Workshop, ask, isRoot, listIdentities } from '../database/workshop.ts';

const SECRET = 'a line that is nobody else’s business\n';

/** A file that must stay as it is. */
function makeVictim(shop: Workshop): { path: string; check(what: string): void } {
  const path = join(shop.root, 'victim');
  writeFileSync(path, SECRET, { mode: 0o600 });
  if (isRoot) chownSync(path, 0, 0);
  const { uid, mode, ino } = statSync(path);
  return {
    path,
    check: (what) => {
      assert.equal(readFileSync(path, 'utf8'), SECRET, what);
      const now = statSync(path);
      assert.deepEqual([now.uid, now.mode, now.ino], [uid, mode, ino], what);
    },
  };
}

/** Puts a link where the entry was, and gives back what puts the entry back. */
function plant(entry: string, target: string): () => void {
  const aside = `${entry}.aside`;
  const isThere = lstatSync(entry, { throwIfNoEntry: false }) !== undefined;
  if (isThere) renameSync(entry, aside);
  symlinkSync(target, entry);
  return () => {
    rmSync(entry);
    if (isThere) renameSync(aside, entry);
  };
}

suite('links', { concurrency: AT_ONCE }, () => {
  test('the database follows none, under whichever of its names, and says so in one sentence', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    shop.bringDatabase();
    const victim = makeVictim(shop);
    const first = await shop.run();
    await first.stop();
    const elsewhere = join(shop.root, 'elsewhere');
    mkdirSync(elsewhere);
    for (const name of [
      'postgres.log',
      'postgres.password',
      'postgres',
      'postgres/PG_VERSION',
      'postgres/postmaster.pid',
      'locks',
      'locks/service',
      'locks/change',
      'locks/users',
      'database-is-elsewhere.txt',
    ]) {
      const entry = join(shop.dataDir, name);
      const isFolder = name === 'locks' || name === 'postgres';
      const restore = plant(entry, isFolder ? elsewhere : victim.path);
      const { said } = await shop.run();
      const sentence = `${entry} is a link, and Kassa follows none: put there what it leads to, or delete it.`;
      assert.deepEqual(said, { name: 'DatabaseUnavailable', message: sentence });
      victim.check(name);
      restore();
    }
    // What is written anew takes the place of a link, and leaves alone what that led to.
    plant(join(shop.dataDir, 'locks', 'service.pid'), victim.path);
    plant(join(shop.dataDir, 'postgres.log.1'), victim.path);
    writeFileSync(join(shop.dataDir, 'postgres.log'), Buffer.alloc(11 * 1024 * 1024, 'x\n'));
    assert.equal(shop.postmaster(), undefined, 'no refusal left a Postgres running');
    const last = await shop.run();
    assert.deepEqual(await ask(last.url, 'SELECT 1 AS one'), [{ one: 1 }]);
    assert.equal(statSync(join(shop.dataDir, 'postgres.log.1')).size, 11 * 1024 * 1024);
    await last.stop();
    victim.check('service.pid, postgres.log.1');
  });

  test('the service writes its address and its sandbox in place of links, not through them', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const victim = makeVictim(shop);
    mkdirSync(shop.dataDir, { mode: 0o700 });
    for (const name of ['address.json', 'sandbox.json']) plant(join(shop.dataDir, name), victim.path);
    const env = { DATABASE_URL: await cloneDatabase(), KASSA_DATA_DIR: shop.dataDir, KASSA_SANDBOX: 'on' };
    const service = await serveKassa(t, { env });
    for (const name of ['address.json', 'sandbox.json']) {
      const entry = lstatSync(join(shop.dataDir, name));
      assert.deepEqual([entry.isFile(), entry.mode & 0o777], [true, 0o600], name);
    }
    assert.notEqual(service.secretKey, '');
    await service.stop();
    victim.check('address.json, sandbox.json');

    // One that came to be there later is not followed either, and said to be in the way.
    const file = join(shop.dataDir, 'sandbox.json');
    rmSync(file);
    symlinkSync(victim.path, file);
    const isLink = /sandbox\.json is a link, and Kassa follows none: /;
    const again = await serveKassa(t, { env });
    assert.equal(again.secretKey, '');
    await until('the reason to be told', () => /the sandbox cannot be used/.test(again.err()));
    assert.match(again.err(), isLink);
    const { code, err } = await runKassa(['trigger', 'payment.created'], { env });
    assert.equal(code, 1);
    assert.match(err, isLink);
    await again.stop();
    victim.check('sandbox.json');
  });

  test('the bank follows none', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const victim = makeVictim(shop);
    const data = join(shop.root, 'bank');
    mkdirSync(data, { mode: 0o700 });
    const words = ['bank', '--port', '0', '--data', data];
    for (const name of ['key', 'lock', 'book.sqlite', 'book.sqlite-wal']) {
      const restore = plant(join(data, name), victim.path);
      const { code, err } = await runKassa(words);
      const sentence = `kassa: ${join(data, name)} is a link, and Kassa follows none: put there what it leads to, or delete it.\n`;
      assert.deepEqual({ code, err }, { code: 1, err: sentence });
      victim.check(name);
      restore();
    }
    plant(join(data, 'address'), victim.path);
    const bank = launchKassa(words);
    t.after(() => bank.child.kill('SIGKILL'));
    await until('its banner', () => bank.out().endsWith('\n\n') || bank.child.exitCode !== null);
    bank.child.kill('SIGTERM');
    assert.equal((await bank.ended).code, 0);
    victim.check('address');
  });
});

suite('folders of others', { concurrency: AT_ONCE }, () => {
  const user = listIdentities().find(({ uid }) => uid !== undefined);

  const idsOf = (pid: number): string[] =>
    (/^Uid:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '').split(/\s+/);

  /** What a start in this folder is refused with. */
  async function refusal(shop: Workshop, dataDir: string): Promise<string> {
    const { said } = await shop.run({ dataDir });
    assert.equal(said.name, 'DatabaseUnavailable', said.message);
    return said.message ?? '';
  }

  test('in a folder of another user root is that user, and a link there gains nothing', async (t) => {
    const shop = new Workshop(user ?? { name: 'nobody', ...(isRoot && { uid: 65_534, gid: 65_534 }) });
    t.after(() => shop.close());
    // Who is not root is nobody else, and has no more rights than the kernel gives.
    if (!isRoot) return assert.match(await refusal(shop, '/kassa-of-root'), /cannot be used \((?:EACCES|EROFS) at /);
    if (user?.uid === undefined)
      return assert.match(await refusal(shop, shop.dataDir), /belongs to the user nobody, who cannot read the program/);
    const { uid, gid } = user;
    const victim = makeVictim(shop);
    const env = { KASSA_DATA_DIR: shop.dataDir, HOME: shop.root };
    const service = await serveKassa(t, { env });
    const ids = Array.from({ length: 4 }, () => String(uid));
    assert.deepEqual(idsOf(service.pid), ids);
    await service.client.create();
    const triggered = await runKassa(['trigger', 'payment.created'], { env });
    assert.equal(triggered.code, 0, triggered.err);
    await service.stop();
    for (const name of ['', 'postgres', 'postgres.log', 'postgres.password', 'locks', 'locks/service', 'sandbox.json'])
      assert.equal(lstatSync(join(shop.dataDir, name)).uid, uid, name);

    const asUser = (script: string): void => void execFileSync('sh', ['-c', script], { uid, gid, cwd: shop.root });
    asUser('mv data/postgres.log data/aside');
    asUser(`for name in postgres.log address.json; do ln -s ${victim.path} data/$name; done`);
    const refused = await runKassa(['serve'], { env: { ...env, PORT: '0' } });
    assert.equal(refused.code, 1);
    assert.match(refused.err, /^kassa: \S+\/data\/postgres\.log is a link, and Kassa follows none: [^\n]+\n$/);
    victim.check('postgres.log');
    asUser('mv data/aside data/postgres.log');
    const again = await serveKassa(t, { env });
    await again.stop();
    victim.check('address.json');

    // Beside a database of one's own, root stays root, and leaves the folder alone.
    const other = await serveKassa(t, { env: { ...env, DATABASE_URL: await cloneDatabase(), KASSA_SANDBOX: 'on' } });
    assert.deepEqual(idsOf(other.pid), ['0', '0', '0', '0']);
    assert.equal(other.secretKey, '');
    await until('the reason to be told', () => /"why":"Root uses nothing in .+ belongs to the user/.test(other.err()));
    assert.equal(other.err().split('the sandbox cannot be used').length, 2, other.err());
    assert.equal(lstatSync(join(shop.dataDir, 'address.json'), { throwIfNoEntry: false }), undefined);
    await other.stop();
  });

  test('root refuses what is its own where others could exchange it, and whom the machine does not know', async (t) => {
    const shop = new Workshop(isRoot ? { name: 'nobody', uid: 65_534, gid: 65_534 } : undefined);
    t.after(() => shop.close());
    const folder = join(shop.root, 'folder');
    const inner = join(folder, 'data');
    mkdirSync(folder, { mode: 0o755 });
    if (!isRoot) {
      // It is for root alone to be careful: an ordinary user risks only what is that user's.
      chmodSync(folder, 0o777);
      const kassa = await shop.run({ dataDir: inner });
      assert.equal(kassa.said.started, true, kassa.said.message);
      return kassa.stop();
    }
    const below = "run Kassa as a normal user, or use a folder that is root's alone, all the way.";
    const because = (foreign: string): string => `since others may write to ${foreign}: ${below}`;
    assert.equal(await refusal(shop, folder), `Root does not work in ${folder}, ${because(shop.root)}`);
    assert.equal(await refusal(shop, inner), `Root does not work in ${inner}, ${because(shop.root)}`);
    chownSync(shop.root, 0, 0);
    chmodSync(folder, 0o777);
    assert.equal(await refusal(shop, folder), `Root does not work in ${folder}, ${because(folder)}`);
    chmodSync(folder, 0o755);
    chownSync(folder, 4_242_424, 4_242_424);
    assert.equal(
      await refusal(shop, folder),
      `Root writes nothing into a folder of somebody else, and ${folder} belongs to the user 4242424, whom this machine does not know: run Kassa as that user, or use a folder of root's.`,
    );
    assert.equal(lstatSync(inner, { throwIfNoEntry: false }), undefined, 'and nothing was made');
  });
});
