// A full disk. Goal: whoever starts Kassa on one reads where it is, how much is free and what to do, and not what initdb or
// Postgres said; any other fault of theirs is quoted. Method: programs that play initdb and Postgres say it and fail, for
// nobody may fill the disk of the machine; they write what the real ones write on a file system that is too small.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { createCluster } from '../../src/database/cluster.ts';
import { openDataFolder } from '../../src/database/data-folder.ts';
import { bringUpServer } from '../../src/database/server.ts';
import { explainDatabaseError } from '../../src/start/explain.ts';
import { Workshop } from './workshop.ts';

const INITDB = `creating configuration files ... ok
initdb: error: could not write to file "pg_wal/xlogtemp.61": No space left on device
initdb: removing contents of data directory`;
const POSTGRES = `FATAL:  could not write lock file "postmaster.pid": No space left on device`;

/** A program that only complains. */
function complaining(shop: Workshop, complaint: string): string {
  const program = join(shop.root, 'program');
  writeFileSync(program, `#!/bin/sh\ncat >&2 <<'END'\n${complaint}\nEND\nexit 1\n`);
  chmodSync(program, 0o755);
  return program;
}

const sentence = (home: string, failed: string): RegExp =>
  new RegExp(
    `^The disk of ${home} has no space left, with [\\d.]+ [MGT]B of [\\d.]+ [MGT]B free, and ${failed}\\. Free up space, ` +
      'or set KASSA_DATA_DIR to a folder on another disk\\. [^\\n]*$',
  );

test('a disk that is full for a new database is named, and what initdb said is left out', async (t) => {
  const shop = new Workshop();
  t.after(() => shop.close());
  const initdb = complaining(shop, INITDB);
  const folder = await openDataFolder(shop.dataDir, shop.sharedHome);
  const binaries = { initdb, postgres: initdb, pgCtl: initdb };
  await assert.rejects(createCluster(folder, binaries), {
    name: 'DatabaseUnavailable',
    message: sentence(folder.home, 'a new database could not be created'),
  });
  complaining(shop, 'initdb: error: invalid locale settings');
  await assert.rejects(
    createCluster(folder, binaries),
    /could not be created\. Output of initdb:\ninitdb: error: invalid locale/,
  );
});

test('a disk that is full for a Postgres that starts is named as well', async (t) => {
  const shop = new Workshop();
  t.after(() => shop.close());
  const postgres = complaining(shop, POSTGRES);
  const folder = await openDataFolder(shop.dataDir, shop.sharedHome);
  mkdirSync(folder.cluster);
  const binaries = { initdb: postgres, postgres, pgCtl: postgres };
  await assert.rejects(
    bringUpServer(folder, async () => binaries, 'secret'),
    {
      name: 'DatabaseUnavailable',
      message: sentence(folder.home, 'its Postgres did not start'),
    },
  );
  complaining(shop, 'FATAL:  invalid value for parameter');
  await assert.rejects(
    bringUpServer(folder, async () => binaries, 'secret'),
    /From its log \(.+\):\nFATAL: {2}invalid value/,
  );
});

test('so is one on which Postgres runs and cannot write', () => {
  const dataDir = join(import.meta.dirname, 'none');
  const full = Object.assign(new Error('could not extend file "base/5/1259"'), { code: '53100' });
  const embedded = explainDatabaseError(full, readConfig({ KASSA_DATA_DIR: dataDir })) as Error;
  assert.match(embedded.message, sentence(dataDir, 'its Postgres cannot write'));
  const own = explainDatabaseError(full, readConfig({ DATABASE_URL: 'postgres://u:secret@db.example/kassa' })) as Error;
  assert.match(own.message, /^The disk of the database \S*db\.example\S* is full: free up space\.$/);
});
