// Goal: docs/decisions.md stays true: every decision has its reason, and the tests that hold it are there by the names
// it gives. Method: the page is read as tables, the names are read out of the files it cites; what judges the page is
// held against bad rows as well. Where a test puts something into its name, the page writes `…`.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { expectNone, root } from './source.ts';

const PAGE = 'docs/decisions.md';
const HEADER = ['Question', 'Decision', 'Why', 'Test'];
// Fewer words are no reason.
const SHORTEST_REASON = 5;
// Far below what the page has: it only notices when the page is not read as tables any more.
const FEWEST_ROWS = 90;

type Row = { readonly line: number; readonly cells: readonly string[] };
type Citation = { readonly file: string; readonly names: readonly string[] };

const isLine = (cells: readonly string[]): boolean => cells.every((cell) => /^:?-+:?$/.test(cell));

/** The rows of all tables, with the header of each. */
function rowsOf(page: string): Row[] {
  return page.split('\n').flatMap((text, index) => {
    if (!text.startsWith('|')) return [];
    const inner = text.trim().replace(/^\|/, '').replace(/\|$/, '');
    const cells = inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));
    return isLine(cells) ? [] : [{ line: index + 1, cells }];
  });
}

/** What a cell cites: `file`: "name", "name", and after <br> the next file. Undefined when it is written otherwise. */
function citationsOf(cell: string): Citation[] | undefined {
  const citations: Citation[] = [];
  for (const part of cell.split('<br>')) {
    const [, file, names] = /^`([^`]+)`: "(.+)"$/.exec(part.trim()) ?? [];
    if (file === undefined || names === undefined) return undefined;
    citations.push({ file, names: names.split('", "') });
  }
  return citations;
}

const NAME = /\b(?:test|describe)\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)/g;

/** The names of the tests and their groups, as the page spells them. */
function namesIn(code: string): Set<string> {
  const shown = Array.from(code.matchAll(NAME), ([, quoted = '']) =>
    quoted
      .slice(1, -1)
      .replaceAll(/\$\{[^{}]*\}/g, quoted.startsWith('`') ? '…' : '$&')
      .replaceAll(/\\(.)/g, '$1'),
  );
  // A name of which the test itself gives next to nothing cannot be told from others.
  return new Set(shown.filter((name) => /\w{2}/.test(name)));
}

type ReadNames = (file: string) => ReadonlySet<string> | undefined;

function judgeCitation({ file, names }: Citation, readNames: ReadNames): string[] {
  if (!/^(?:src|test)\/[\w./-]+\.ts$/.test(file)) return [`${file} is no file of tests.`];
  const known = readNames(file);
  if (known === undefined) return [`${file} is not there.`];
  return names.filter((name) => !known.has(name)).map((name) => `${file} has no test or group called "${name}".`);
}

function judgeRow({ cells }: Row, readNames: ReadNames): string[] {
  const [question = '', decision = '', why = '', cited = ''] = cells;
  if (cells.length !== HEADER.length) return [`${cells.length} cells; a row has ${HEADER.join(', ')}.`];
  const citations = citationsOf(cited);
  return [
    ...(question === '' || decision === '' ? ['Say what was asked and what was decided.'] : []),
    ...(why.split(/\s+/).length < SHORTEST_REASON ? ['Say why, in a sentence.'] : []),
    ...(citations ?? []).flatMap((citation) => judgeCitation(citation, readNames)),
    ...(citations === undefined ? ['Cite a test: `file`: "name", "name"; <br> before the next file.'] : []),
  ];
}

const isHeader = ({ cells }: Row): boolean => cells.join() === HEADER.join();

const judge = (page: string, readNames: ReadNames): string[] =>
  rowsOf(page)
    .filter((row) => !isHeader(row))
    .flatMap((row) => judgeRow(row, readNames).map((complaint) => `${PAGE}:${row.line} ${complaint}`));

const known = new Map<string, ReadonlySet<string> | undefined>();

function readNamesOf(file: string): ReadonlySet<string> | undefined {
  const path = join(root, file);
  if (!known.has(file)) known.set(file, existsSync(path) ? namesIn(readFileSync(path, 'utf8')) : undefined);
  return known.get(file);
}

describe('decisions', () => {
  const page = readFileSync(join(root, PAGE), 'utf8');

  test('each has its reason, and tests that are there', () => {
    expectNone(judge(page, readNamesOf));
  });

  test('are all read', () => {
    const rows = rowsOf(page);
    assert.ok(rows.filter((row) => !isHeader(row)).length >= FEWEST_ROWS);
    assert.equal(rows.filter(isHeader).length, page.match(/^\|(?:-+\|)+$/gm)?.length, 'every table has the header');
  });

  test('that nobody tests, or for no reason, are refused', () => {
    const why = 'because it could not be otherwise';
    const here = 'test/tidy/decisions.test.ts';
    const good = `| Q | D | ${why} | \`${here}\`: "are all read", "decisions" |`;
    expectNone(judge(good, readNamesOf));
    for (const [bad, complaint] of [
      [good.replace('are all read', 'are all red'), `${here} has no test or group called "are all red".`],
      [good.replace('are all read', 'are all'), `${here} has no test or group called "are all".`],
      [good.replace(here, 'test/tidy/decision.test.ts'), 'test/tidy/decision.test.ts is not there.'],
      [good.replace(here, 'docs/decisions.md'), 'docs/decisions.md is no file of tests.'],
      [good.replace(why, ''), 'Say why, in a sentence.'],
      [good.replace(why, 'it is so'), 'Say why, in a sentence.'],
      [good.replace('D', ''), 'Say what was asked and what was decided.'],
      [good.replace(/ `.*" /, ' '), 'Cite a test: `file`: "name", "name"; <br> before the next file.'],
      [good.replace(/: ".*" /, ' '), 'Cite a test: `file`: "name", "name"; <br> before the next file.'],
      [good.replace('| D', ''), '3 cells; a row has Question, Decision, Why, Test.'],
    ] as const)
      assert.deepEqual(judge(bad, readNamesOf), [`${PAGE}:1 ${complaint}`], bad);
  });
});

describe('names of tests', () => {
  const cases: readonly (readonly [code: string, names: readonly string[]])[] = [
    [`test('plain', () => {});`, ['plain']],
    [`describe("it's", () => {}); test('it\\'s \\'', f)`, ["it's", "it's '"]],
    [`test(\n  'on the next line',\n`, ['on the next line']],
    ["test(`${dialect}: one ${b ?? 'c'} more`, f)", ['…: one … more']],
    [`test('plain \${b}', f)`, ['plain ${b}']],
    ['test(name, f); test(`${a}: ${b}`, f); latest(1)', []],
  ];
  for (const [code, names] of cases)
    test(`are read out of ${JSON.stringify(code)}`, () => {
      assert.deepEqual([...namesIn(code)], names);
    });
});
