// Goal: the code and the documents say things in the usual words. Method: the glossary lists retired words with what to
// say instead; a pattern for each is tried on the folders that are free of all of them. That list only grows.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { describeFinding, expectNone, find, readSources, root, sourceOf } from './source.ts';
import type { Finding, Source } from './source.ts';

const GLOSSARY = 'docs/internals/glossary.md';

const HEADER_ROWS = 2;

type Retired = { readonly pattern: RegExp; readonly refuses: string; readonly passes: string };

const RETIRED: Readonly<Record<string, Retired>> = {
  whoever: { pattern: /\bwhoever\b/i, refuses: '// Whoever asks.', passes: '// Whomever, who and ever.' },
  standing: {
    pattern: /\bstanding|Standing/,
    refuses: 'const lastStanding = 1;',
    passes: '// An outstanding amount.',
  },
  doors: { pattern: /\b[dD]oors?\b|[a-z]Doors?\b/, refuses: '// Both doors.', passes: '// Indoors.' },
  'ways in': { pattern: /\bways in\b(?! which)/i, refuses: '// All ways in.', passes: '// Two ways in which.' },
  'the how manieth': { pattern: /\bhow manieth\b/i, refuses: '// The how manieth it is.', passes: '// How many.' },
  'forget what is over': {
    pattern: /\bforgets? what is over\b/i,
    refuses: "'Forget what is over'",
    passes: '// Forget it; it is over.',
  },
  'look, as a noun': {
    pattern: /(?:\b(?:an?|the|one|each|every|another|its|their|next|first|last)|(?<!\blet)['’]s) look\b(?![- ]up)/i,
    refuses: "// The merchant's look, at the next look.",
    passes: "// Let's look at a look-up.",
  },
  'act, as a noun': {
    pattern:
      /\b(?:an|the|each|every|this|that|another|no) act\b|\b(?:the|all|no|those|these|which) acts\b|\bacts? of\b/i,
    refuses: '// Each act.',
    passes: '// This acts at once; each fact, an action.',
  },
  'told, tell': {
    // To tell one thing from another is another word, and a person may be asked to tell us.
    pattern: /\b(?:told|tells?)\b(?! us\b)(?![^.;]{0,60}\b(?:apart|from)\b)/i,
    refuses: '// The log tells it.',
    passes: '// Tell us. Nobody can tell the two apart, or one from the other.',
  },
};

// Paths that are free of all of them: folders with what is in them, and files.
const CLEAN = [
  'CONTRIBUTING.md',
  'README.md',
  'deploy/container',
  'deploy/grafana',
  'deploy/helm',
  'docs/README.md',
  'docs/decisions.md',
  'docs/integrate/bank.md',
  'docs/integrate/checkout.md',
  'docs/integrate/ci.md',
  'docs/integrate/client.md',
  'docs/integrate/clock.md',
  'docs/integrate/demo.md',
  'docs/integrate/dialects.md',
  'docs/integrate/listen.md',
  'docs/integrate/moving-over.md',
  'docs/integrate/payments.md',
  'docs/integrate/quick-start.md',
  'docs/integrate/subscriptions.md',
  'docs/integrate/test-cards.md',
  'docs/integrate/testing.md',
  'docs/internals/architecture.md',
  'docs/internals/embedded-postgres.md',
  'docs/internals/events.md',
  'docs/internals/performance.md',
  'docs/internals/records',
  'docs/internals/store.md',
  'docs/operate',
  'examples/ci',
  'examples/jest',
  'examples/node-test',
  'examples/playwright',
  'examples/vitest',
  'scripts/client',
  'src/api/request-log',
  'src/api/schemas',
  'src/console/requests',
  'src/console/sandbox',
  'src/docs',
  'src/merchants',
  'src/ops',
  'src/outbound',
  'src/payments',
  'src/schema',
  'src/server',
  'src/store/audit',
  'src/store/books/figures',
  'src/store/books/payouts',
  'src/store/books/verify',
  'src/store/connections',
  'src/store/lists/listing',
  'src/store/merchants',
  'src/store/people',
  'src/store/purge',
  'src/store/request-log',
  'src/store/store.ts',
  'test/soak',
  'web/console/base',
];

const isClean = (path: string): boolean => CLEAN.some((each) => path === each || path.startsWith(`${each}/`));

/** The words of the glossary, each with what to say instead. */
function readAdvice(glossary: string): Map<string, string> {
  const [, table = ''] = glossary.split('## Retired words');
  const rows = Array.from(table.matchAll(/^\| (.+) \| (.+) \|$/gm), ([, word = '', say = '']) => [word, say] as const);
  return new Map(rows.slice(HEADER_ROWS));
}

const advice = readAdvice(readFileSync(join(root, GLOSSARY), 'utf8'));

const judge = (source: Source): Finding[] =>
  Object.entries(RETIRED).flatMap(([word, { pattern }]) =>
    find(source, 'text', pattern, `Retired (${word}); say: ${advice.get(word)}.`),
  );

describe('retired words', () => {
  test('are those of the glossary', () => {
    assert.deepEqual([...advice.keys()], Object.keys(RETIRED));
  });

  test('are in no folder that is clean', () => {
    const sources = readSources().filter(({ path }) => isClean(path));
    expectNone(sources.flatMap(judge).map(describeFinding));
  });

  test('are refused in folders that are there', () => {
    expectNone(CLEAN.filter((each) => !existsSync(join(root, each))).map((each) => `${each} is not there.`));
  });

  for (const [word, { refuses, passes }] of Object.entries(RETIRED))
    test(`${word}: refused, and nothing else is`, () => {
      assert.equal(judge(sourceOf('src/a.ts', refuses))[0]?.advice, `Retired (${word}); say: ${advice.get(word)}.`);
      expectNone(judge(sourceOf('src/a.ts', passes)).map(describeFinding));
    });
});
