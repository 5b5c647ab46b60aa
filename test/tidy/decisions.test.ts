// Goal: docs/decisions.md is true: every decision has its reason and a test that holds it. Method: a test names what it
// holds in a comment above it, `decision: sum-rule`; the names are the anchors of the page. What judges both is run on
// bad samples as well.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectNone, lineAt, readSources, sourceOf } from './source.ts';
import type { Source } from './source.ts';

const PAGE = 'docs/decisions.md';
// Fewer words are no reason.
const SHORTEST_REASON = 5;

type Decision = { readonly id: string; readonly line: number; readonly decided: string; readonly why: string };
type Naming = { readonly id: string; readonly path: string; readonly line: number; readonly isAboveTest: boolean };

/** As GitHub and the documentation's own site make anchors of headings. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\d\s-]/gu, '')
    .replaceAll(' ', '-');

const decisionsOf = (page: string): Decision[] =>
  Array.from(page.matchAll(/^### (.+)\n((?:(?!#).*\n?)*)/gm), ({ 1: heading = '', 2: body = '', index }) => {
    const [decided = '', why = ''] = body.split('*Why:*');
    return { id: anchorOf(heading), line: lineAt(page, index), decided: decided.trim(), why: why.trim() };
  });

function namingsIn({ path, comments, code }: Source): Naming[] {
  const lines = code.split('\n');
  return Array.from(comments.matchAll(/^ *\/\/ decision: (.*)$/gm)).flatMap(({ 1: names = '', index }) => {
    const line = lineAt(comments, index);
    // Several lines may stand above one test; in the view of the code they are blank.
    const below = lines.slice(line).find((text) => text.trim() !== '') ?? '';
    const isAboveTest = /\b(?:test|describe)\(/.test(below);
    return names.split(', ').map((id) => ({ id, path, line, isAboveTest }));
  });
}

function judge(page: string, namings: readonly Naming[]): string[] {
  const decisions = decisionsOf(page);
  const ids = new Set(decisions.map(({ id }) => id));
  const anchors = Array.from(page.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => anchorOf(heading));
  const named = new Set(namings.map(({ id }) => id));
  const ofPage = decisions.flatMap(({ id, line, decided, why }) => [
    ...(anchors.indexOf(id) === anchors.lastIndexOf(id) ? [] : [`${PAGE}:${line} Two headings are called ${id}.`]),
    ...(decided === '' ? [`${PAGE}:${line} Say what was decided.`] : []),
    ...(why.split(/\s+/).length < SHORTEST_REASON ? [`${PAGE}:${line} Say why, in a sentence after *Why:*.`] : []),
    ...(named.has(id) ? [] : [`${PAGE}:${line} No test holds it: write "// decision: ${id}" above the one that does.`]),
  ]);
  const ofTests = namings.flatMap(({ id, path, line, isAboveTest }) => [
    ...(ids.has(id) ? [] : [`${path}:${line} ${PAGE} has no decision ${id}.`]),
    ...(isAboveTest ? [] : [`${path}:${line} Name a decision right above a test or a describe.`]),
  ]);
  return [...ofPage, ...ofTests];
}

describe('decisions', () => {
  const sources = readSources();

  test('each has its reason and a test that names it', () => {
    const page = sources.find(({ path }) => path === PAGE)?.text ?? '';
    const tests = sources.filter(({ path }) => /^(?:src|test)\/.*\.ts$/.test(path));
    assert.equal(decisionsOf(page).length, page.match(/^### /gm)?.length);
    expectNone(judge(page, tests.flatMap(namingsIn)));
  });

  test('without a reason or a test, and names of no decision, are refused', () => {
    const page = '### Sum rule\n\nAmounts equal their items.\n*Why:* Nobody should pay another sum.\n';
    const code = "  // decision: sum-rule\n  test('a', () => {});\n";
    const judgeBoth = (document: string, text: string) => judge(document, namingsIn(sourceOf('test/a.test.ts', text)));
    expectNone(judgeBoth(page, code));
    expectNone(
      judgeBoth(
        `${page}\n### Two, at \`once\`\n\nNo.\n*Why:* It would be one too many.\n`,
        `// decision: two-at-once\n${code}`,
      ),
    );
    for (const [document, text, complaint] of [
      [page.replace(/\*Why.*/, ''), code, `${PAGE}:1 Say why, in a sentence after *Why:*.`],
      [page.replace('should pay another sum', 'knows'), code, `${PAGE}:1 Say why, in a sentence after *Why:*.`],
      [page.replace('Amounts equal their items.', ''), code, `${PAGE}:1 Say what was decided.`],
      [`## Sum rule\n\n${page}`, code, `${PAGE}:3 Two headings are called sum-rule.`],
      [page, '', `${PAGE}:1 No test holds it: write "// decision: sum-rule" above the one that does.`],
      [
        page,
        `const a = '${code.split('\n')[0]}';`,
        `${PAGE}:1 No test holds it: write "// decision: sum-rule" above the one that does.`,
      ],
      [page, code + code.replace('sum-rule', 'sums'), `test/a.test.ts:3 ${PAGE} has no decision sums.`],
      [page, code.replace('sum-rule', 'sum-rule, sums'), `test/a.test.ts:1 ${PAGE} has no decision sums.`],
      [page, code.replace('test(', 'call('), 'test/a.test.ts:1 Name a decision right above a test or a describe.'],
    ] as const)
      assert.deepEqual(judgeBoth(document, text), [complaint]);
  });
});
