// Goal: what must hold of the project as a whole: names of files, exact versions, a lockfile that works behind any
// mirror, migrations in an unbroken row. Method: each rule is a function from plain data to complaints, run on the
// project and on bad samples.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { expectNone, lineAt, listPaths, root } from './source.ts';

const KEBAB = /^\.?[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;
const EMPTY_NAMES = /^(?:utils?|helpers?|common|managers?|misc)$/;
const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

const read = (path: string) => readFileSync(join(root, path), 'utf8');

function judgeName(path: string): string[] {
  const segments = path.split('/');
  const file = segments.at(-1) ?? '';
  const complaints: string[] = [];
  for (const segment of segments) {
    const stem = segment.replace(/\..*$/, '');
    if (!KEBAB.test(segment) && segment !== 'README.md') complaints.push(`${path}:1 Name it in kebab-case.`);
    if (stem.split('-').some((word) => EMPTY_NAMES.test(word))) {
      complaints.push(`${path}:1 Name it by what it owns; ${stem} says nothing.`);
    }
  }
  if (/^index\.[tj]s$/.test(file)) complaints.push(`${path}:1 No barrels: import from the file that owns the thing.`);
  return complaints;
}

test('files and folders are in kebab-case and named by what they own', () => {
  expectNone(
    listPaths()
      .filter((path) => /^(?:src|client|testing|test|proof|scripts|bin|web)\//.test(path))
      .flatMap(judgeName),
  );
  const bad = ['src/domain/RefundPayment.ts', 'src/domain/refund_payment.ts', 'src/utils/money.ts'];
  for (const path of [...bad, 'src/server/helpers.ts', 'src/domain/payment-manager.ts', 'src/domain/index.ts']) {
    assert.equal(judgeName(path).length, 1, path);
  }
  for (const path of ['src/domain/refund.ts', 'test/http/refund-twice.test.ts', 'test/README.md'])
    expectNone(judgeName(path));
});

function judgeVersions(manifest: Readonly<Record<string, unknown>>): string[] {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;
  return kinds.flatMap((kind) =>
    Object.entries((manifest[kind] ?? {}) as Readonly<Record<string, string>>)
      .filter(([, version]) => !EXACT.test(version))
      .map(([name, version]) => `package.json: ${kind}.${name} is ${version}; give one exact version.`),
  );
}

test('every dependency has one exact version', () => {
  expectNone(judgeVersions(JSON.parse(read('package.json')) as Record<string, unknown>));
  for (const version of ['^1.2.3', '~1.2.3', '1.x', 'latest', '*', '>=1.2.3', 'file:../a', '1.2']) {
    assert.equal(judgeVersions({ devDependencies: { a: version } }).length, 1, version);
  }
  expectNone(judgeVersions({ dependencies: { a: '1.2.3' }, optionalDependencies: { b: '18.4.0-beta.17' } }));
});

function judgeLockfile(text: string): string[] {
  return Array.from(
    text.matchAll(/"resolved"\s*:|https?:\/\/[\w.-]*registry/g),
    (match) =>
      `package-lock.json:${lineAt(text, match.index)} ` +
      'No address of a package: run npm install again with the .npmrc of this project.',
  );
}

test('the lockfile names contents, not addresses', () => {
  const lockfile = read('package-lock.json');
  expectNone(judgeLockfile(lockfile));
  assert.ok(lockfile.includes('"integrity": "sha512-'));
  assert.equal(judgeLockfile('{\n  "resolved": "https://example.com/a.tgz"\n}').length, 1);
});

function judgeMigrations(names: readonly string[]): string[] {
  const numbers = names.map((name) => Number(/^(\d+)(?:[-_.].*)?\.sql$/.exec(name)?.[1])).toSorted((a, b) => a - b);
  return numbers.flatMap((number, index) => {
    if (number === index + 1) return [];
    return [
      `src/store/schema/migrations: ${index + 1} is missing or doubled (${names.join(', ')}); number them 1, 2, 3, ….`,
    ];
  });
}

test('migrations are numbered from one without gaps', () => {
  const folder = 'src/store/schema/migrations/';
  const names = listPaths()
    .filter((path) => path.startsWith(folder))
    .map((path) => path.slice(folder.length));
  assert.ok(names.length > 0, `${folder} is empty`);
  expectNone(judgeMigrations(names));
  for (const bad of [['002-a.sql'], ['001-a.sql', '003-b.sql'], ['001-a.sql', '001-b.sql'], ['001-a.sql', 'b.sql']]) {
    assert.notEqual(judgeMigrations(bad).length, 0, bad.join());
  }
  expectNone(judgeMigrations(['010.sql', ...Array.from({ length: 9 }, (_, index) => `00${index + 1}-a.sql`)]));
});
