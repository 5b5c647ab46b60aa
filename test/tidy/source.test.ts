// Goal: the style rules see code as code and comments as comments; a mistake here would make rules blind or noisy.
// Method: a table of small texts, each with the one view in which its word `mark` must be seen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { find, readSources, sourceOf } from './source.ts';

const cases: readonly (readonly [text: string, seenIn: 'code' | 'comments' | 'neither'])[] = [
  ['const mark = 1;', 'code'],
  ['// mark', 'comments'],
  ['/* a\n mark */', 'comments'],
  ["'mark'", 'neither'],
  ['"it\'s mark"', 'neither'],
  ["'\\' mark'", 'neither'],
  ["'// no comment'; mark", 'code'],
  ['`mark`', 'neither'],
  ['`a ${mark} b`', 'code'],
  ['`a ${{ a: 1 }} mark`', 'neither'],
  ['`a ${`${1} mark`} b`', 'neither'],
  ['`${1}`; mark', 'code'],
  ['/[/"]mark/.test(x)', 'neither'],
  ['x.replace(/"/g, 1); mark', 'code'],
  ['a / mark / b', 'code'],
  ["(a + b) / 2; mark; '/'", 'code'],
];

for (const [text, seenIn] of cases) {
  test(`mark is seen in ${seenIn}: ${JSON.stringify(text)}`, () => {
    const source = sourceOf('src/a.ts', text);
    assert.equal(source.code.includes('mark'), seenIn === 'code');
    assert.equal(source.comments.includes('mark'), seenIn === 'comments');
    assert.equal(source.code.length, text.length);
    assert.equal(source.comments.length, text.length);
  });
}

test('a finding carries the line of the word, not of the white space before it', () => {
  const [finding] = find(sourceOf('src/a.ts', 'a;\n\n  mark;'), 'code', /\s*mark/, 'say it otherwise');
  assert.deepEqual(finding, { path: 'src/a.ts', line: 3, advice: 'say it otherwise' });
});

test('the walk finds the program, its tests and its papers', () => {
  const paths = new Set(readSources().map((source) => source.path));
  for (const path of ['src/main.ts', 'test/tidy/source.ts', 'package.json', 'CONTRIBUTING.md', '.ci/run']) {
    assert.ok(paths.has(path), `${path} was not read`);
  }
});
