// Goal: a link under a name that Kassa enters or opens is refused before anything is made, also by a root whose database
// will lie elsewhere, for whom it would never be opened. Method: folders with nothing but one such link.
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openDataFolder } from '../../src/database/data-folder.ts';
import { FolderRefused } from '../../src/folders/own-file.ts';

const work = mkdtempSync(join(tmpdir(), 'kassa-folder-'));
after(() => rmSync(work, { recursive: true, force: true }));

describe('a data folder with a link in it', () => {
  for (const name of ['postgres.log', 'postgres', 'locks', 'locks/service', 'locks/change', 'locks/users'])
    test(`${name}: refused, and nothing is made`, async () => {
      const place = mkdtempSync(join(work, 'one-'));
      const [dataDir, shared, victim] = ['data', 'shared', 'victim'].map((each) => join(place, each)) as [
        string,
        string,
        string,
      ];
      const entry = join(dataDir, name);
      mkdirSync(dirname(entry), { recursive: true, mode: 0o700 });
      writeFileSync(victim, 'not to be touched');
      symlinkSync(victim, entry);
      const before = readdirSync(dataDir, { recursive: true });
      await assert.rejects(
        openDataFolder(dataDir, shared),
        new FolderRefused(`${entry} is a link, and Kassa follows none: put there what it leads to, or delete it.`),
      );
      assert.deepEqual(readdirSync(dataDir, { recursive: true }), before);
      assert.equal(existsSync(shared), false);
      assert.equal(readFileSync(victim, 'utf8'), 'not to be touched');
    });
});
