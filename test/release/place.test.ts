// Where the programs and the data may lie: below folders that Postgres' user cannot enter, and in installs that lack
// the package's links, its right to execute, or the right to mend either.
import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createCluster } from '../../src/database/cluster.ts';
import { locatePackage } from '../../src/database/binaries.ts';
import { openDataFolder } from '../../src/database/data-folder.ts';
import { AT_ONCE, Workshop, ask, isRoot, listIdentities } from '../database/workshop.ts';
import type { Identity } from '../database/workshop.ts';

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));

/** A clone as `npm ci --ignore-scripts` leaves it on a poor disk: no library links, nothing executable. */
async function makeClone(shop: Workshop, identity: Identity): Promise<{ clone: string; module: string; lib: string }> {
  const { native, name } = await locatePackage();
  const clone = join(shop.root, 'clone');
  const copy = join(clone, 'node_modules', name, 'native');
  mkdirSync(dirname(copy), { recursive: true });
  for (const part of ['database', 'folders'])
    cpSync(join(SOURCES, part), join(clone, 'src', part), { recursive: true });
  writeFileSync(join(clone, 'package.json'), '{"type":"module"}');
  // Everything of the package but its links.
  cpSync(dirname(native), dirname(copy), { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
  for (const program of readdirSync(join(copy, 'bin'))) chmodSync(join(copy, 'bin', program), 0o644);
  symlinkSync(fileURLToPath(new URL('..', import.meta.resolve('pg'))), join(clone, 'node_modules', 'pg'));
  if (identity.uid !== undefined) {
    const entries = readdirSync(clone, { recursive: true, encoding: 'utf8' }).map((entry) => join(clone, entry));
    for (const path of [clone, ...entries]) {
      if (!lstatSync(path).isSymbolicLink()) chownSync(path, identity.uid, identity.gid ?? 0);
    }
  }
  return { clone, module: join(clone, 'src', 'database', 'embedded.ts'), lib: join(copy, 'lib') };
}

/** The copies of the programs in a folder, each with its inode, which a new copy would change. */
function readCopies(home: string): string[] {
  const entries = existsSync(home) ? readdirSync(home) : [];
  const copies = entries.filter((entry) => entry.includes('-18.'));
  return copies.map((entry) => `${entry} ${statSync(join(home, entry)).ino}`);
}

suite('the place of programs and data', { concurrency: AT_ONCE }, () => {
  for (const identity of listIdentities()) {
    const asRoot = isRoot && identity.uid === undefined;

    // Goal: a clone below a mode-700 folder works, the data inside it, links and rights missing; a second start finds the
    // data, also from another name of the folder. Method: such a clone. As root, programs and data must have gone
    // elsewhere, and a text file says where; as an ordinary user everything stays in its place. A link in
    // place of the folder is refused, whoever made it.
    test(`a bare clone below a closed folder runs, as ${identity.name}`, async (t) => {
      const shop = new Workshop(identity);
      t.after(() => shop.close());
      const { clone, module } = await makeClone(shop, identity);
      chmodSync(clone, 0o700);
      const dataDir = join(clone, '.kassa');
      const first = await shop.run({ identity, module, dataDir });
      await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
      const pointer = join(dataDir, 'database-is-elsewhere.txt');
      assert.equal(existsSync(pointer), asRoot);
      assert.equal(existsSync(join(dataDir, 'postgres')), !asRoot);
      const copied = readCopies(shop.sharedHome);
      assert.equal(copied.length, asRoot ? 1 : 0);
      const { said } = await shop.run({ identity, module, dataDir });
      assert.match(said.message ?? '', /in use by a running Kassa/);
      const tool = await shop.run({ identity, module, dataDir, way: 'use' });
      assert.equal(tool.url, first.url);
      await tool.stop();
      await first.kill();
      const second = await shop.run({ identity, module, dataDir });
      assert.equal(second.said.started, false, second.said.message);
      await second.stop();
      const link = join(shop.root, 'another-name');
      symlinkSync(dataDir, link);
      const { said: refused } = await shop.run({ identity, module, dataDir: link });
      const sentence = `${link} is a link, and Kassa follows none: name the folder that it leads to.`;
      assert.deepEqual(refused, { name: 'DatabaseUnavailable', message: sentence });
      symlinkSync(clone, join(shop.root, 'another-clone'));
      const third = await shop.run({ identity, module, dataDir: join(shop.root, 'another-clone', '.kassa') });
      assert.equal(third.said.started, true, third.said.message);
      assert.deepEqual(await ask(third.url, 'SELECT answer FROM kept'), [{ answer: 42 }]);
      await third.stop();
      assert.deepEqual(readCopies(shop.sharedHome), copied, 'the programs were copied once');
      if (asRoot) assert.ok(readFileSync(pointer, 'utf8').includes(`\n${shop.sharedHome}/data-`));
    });

    // Goal: a read-only install without links runs from a copy, and starters at the same instant make it once. Method: take
    // away the right to write (root has it all the same, and mends in place).
    test(`a read-only install without links runs, as ${identity.name}`, async (t) => {
      const shop = new Workshop(identity);
      t.after(() => shop.close());
      const { module, lib } = await makeClone(shop, identity);
      chmodSync(lib, 0o555);
      const tools = await Promise.all([1, 2].map(() => shop.run({ identity, module, way: 'use' })));
      for (const tool of tools) assert.deepEqual(await ask(tool.url, 'SELECT 1 AS one'), [{ one: 1 }]);
      for (const tool of tools) await tool.stop();
      const copied = readCopies(shop.dataDir);
      assert.equal(copied.length, asRoot ? 0 : 1);
      const again = await shop.run({ identity, module });
      assert.equal(again.said.started, true, again.said.message);
      await again.stop();
      assert.deepEqual(readCopies(shop.dataDir), copied, 'the programs were copied once');
      chmodSync(lib, 0o755);
    });
  }

  // Goal: root may start what an ordinary user made, and that user again after root. Method: by turns, where we are root;
  // an ordinary user plays both parts.
  test('the data folder of an ordinary user is used by root and stays the user’s', async (t) => {
    const user = listIdentities().at(-1)!;
    const shop = new Workshop(user);
    t.after(() => shop.close());
    for (const identity of [user, listIdentities()[0]!, user]) {
      const kassa = await shop.run({ identity });
      assert.equal(kassa.said.started, true, kassa.said.message);
      await kassa.stop();
    }
  });

  // Goal: a failed initdb (a full disk) is told and leaves nothing that hinders the next start. Method: an initdb that
  // writes something, complains and fails; then the real one.
  test('a failed initdb is told and leaves nothing', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const initdb = join(shop.root, 'initdb');
    writeFileSync(
      initdb,
      '#!/bin/sh\necho half > "${1#--pgdata=}/PG_VERSION"\necho "No space left on device" >&2\nexit 1\n',
    );
    chmodSync(initdb, 0o755);
    const folder = await openDataFolder(shop.dataDir, shop.sharedHome);
    await assert.rejects(createCluster(folder, { initdb, postgres: initdb, pgCtl: initdb }), {
      name: 'DatabaseUnavailable',
      message: /no space left, with .* free, and a new database could not be created/,
    });
    mkdirSync(`${folder.cluster}.part-left-by-a-killed-start`);
    const kassa = await shop.run();
    assert.equal(kassa.said.started, true, kassa.said.message);
    assert.deepEqual(readdirSync(folder.home).toSorted(), ['locks', 'postgres', 'postgres.log', 'postgres.password']);
    await kassa.stop();
    rmSync(initdb);
  });
});
