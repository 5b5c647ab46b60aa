// Goal: the style that a reader relies on holds in every file, without anybody having to remember it.
// Method: one rule per idea, each a function from a file to its findings. Every rule carries samples it must refuse and
// samples it must let pass, so that a rule which no longer bites fails as loudly as a file which breaks it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describeFinding, expectNone, find, readSources, sourceOf, type Finding, type Source } from './source.ts';

type Sample = readonly [path: string, text: string];
type Rule = {
  readonly name: string;
  readonly covers: (path: string) => boolean;
  readonly check: (source: Source) => Finding[];
  readonly refuses: readonly [Sample, ...Sample[]];
  readonly passes: readonly Sample[];
};

// A file that is longer owns more than one thing. Most have around 100 lines.
const MAX_LINES = 350;
// Two files beside each other on a laptop; the formatter's width, too.
const MAX_COLUMNS = 124;
// A text for people stays in one piece, so that it can be found by searching for it.
const LONG_TEXT = /'[^']{60,}'|`[^`]{60,}`/;

// What would make a decision depend on when and where it is made.
const IMPURE = new RegExp(
  [
    String.raw`\bDate\.now\b|\bnew Date(?:\(\)|;)|\bMath\.random\b|\bperformance\.|\bcrypto\.`,
    String.raw`\bset(?:Timeout|Interval|Immediate)\b|\bfetch\(|\bprocess\.`,
  ].join('|'),
);

const isCode = (path: string) => /^(?:src|client|testing|test|proof|scripts|bin|web)\/.*\.[tj]s$/.test(path);
const isTest = (path: string) => path.startsWith('test/') || path.endsWith('.test.ts');
const isProgram = (path: string) => path.startsWith('src/') && path.endsWith('.ts') && !isTest(path);
const everyFile = () => true;

const PROGRAM = 'src/domain/refund.ts';
const TEST = 'test/http/refund.test.ts';

const rules: readonly Rule[] = [
  {
    name: 'a file opens with a comment that says what it owns',
    covers: (path) => /^(?:src|client|testing)\/.*\.ts$/.test(path),
    check(source) {
      const opening = /^(?:#![^\n]*\n)?\s*((?:\/\/[^\n]*\n?)+|\/\*[\s\S]*?\*\/)/.exec(source.text)?.[1] ?? '';
      const words = opening.match(/[\p{L}\d'’]+/gu)?.length ?? 0;
      if (words >= 4 && /[.!?](?:\s|\*|$)/.test(opening)) return [];
      return [{ path: source.path, line: 1, advice: 'Open the file with a sentence: what it owns and why it is so.' }];
    },
    refuses: [
      [PROGRAM, "import { a } from './a.ts';\n"],
      [PROGRAM, '// Refunds\nconst a = 1;\n'],
      [PROGRAM, ''],
    ],
    passes: [
      [PROGRAM, '// Decides whether a refund may happen.\nconst a = 1;\n'],
      [PROGRAM, '/** Decides whether a refund\n * may happen. */\n'],
    ],
  },
  {
    name: `no file of the program has more than ${MAX_LINES} lines`,
    // The first schema is one file, so that a table is found where it is looked for.
    covers: (path) =>
      /^(?:src|client|testing)\//.test(path) && path !== 'src/store/schema/migrations/001-first-schema.sql',
    check({ path, text }) {
      const lines = text.trimEnd().split('\n').length;
      if (lines <= MAX_LINES) return [];
      return [{ path, line: MAX_LINES + 1, advice: `${lines} lines: split it by what each part owns.` }];
    },
    refuses: [[PROGRAM, 'a;\n'.repeat(MAX_LINES + 1)]],
    passes: [[PROGRAM, 'a;\n'.repeat(MAX_LINES)]],
  },
  {
    name: `no line has more than ${MAX_COLUMNS} columns, unless an address or a long text makes it so`,
    covers: (path) => /^(?:src|client|testing|test|proof|scripts)\/.*\.(?:ts|js|sql|css)$/.test(path),
    check: ({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        if (line.length <= MAX_COLUMNS || line.includes('://') || LONG_TEXT.test(line)) return [];
        return [{ path, line: index + 1, advice: `${line.length} columns: break the line.` }];
      }),
    refuses: [[PROGRAM, `a;\n${'x'.repeat(MAX_COLUMNS + 1)}\n`]],
    passes: [[PROGRAM, `${'x'.repeat(MAX_COLUMNS)}\n// https://example.com/${'x'.repeat(MAX_COLUMNS)}\n`]],
  },
  {
    name: 'nothing is compressed while everybody waits for it',
    covers: isProgram,
    check: (source) =>
      find(
        source,
        'code',
        /\b(?:brotli|zstd|gzip|gunzip|deflate|inflate|unzip)\w*Sync\b/,
        'Compress off the event loop, or once and keep it.',
      ),
    refuses: [
      [PROGRAM, "import { gzipSync } from 'node:zlib';"],
      [PROGRAM, 'const bytes = zlib.brotliCompressSync(page);'],
      [PROGRAM, 'const bytes = deflateRawSync(page);'],
    ],
    passes: [
      [PROGRAM, "import { gzip } from 'node:zlib';"],
      [TEST, 'const length = gzipSync(text).length;'],
    ],
  },
  {
    name: 'no default exports',
    covers: isCode,
    // node:test finds a reporter by its default export.
    check: (source) =>
      source.path === 'test/suite/reporter.ts'
        ? []
        : find(source, 'code', /\bexport\s+default\b|\bas\s+default\b/, 'Export it by its name.'),
    refuses: [
      [PROGRAM, '\nexport default 1;'],
      [PROGRAM, 'export { a as default };'],
    ],
    passes: [[PROGRAM, "import pg from 'pg'; const a = 'export default'; // export default"]],
  },
  {
    name: 'no enums',
    covers: isCode,
    check: (source) => find(source, 'code', /\benum\s+\w+\s*\{/, 'Use a union of strings.'),
    refuses: [
      [PROGRAM, 'enum Kind { A }'],
      [PROGRAM, 'export const enum Kind { A }'],
    ],
    passes: [[PROGRAM, "const schema = { enum: ['a'] };"]],
  },
  {
    name: 'no decorators',
    covers: isCode,
    check: (source) => find(source, 'code', /@\w+/, 'Call the function where it is needed instead.'),
    refuses: [
      [PROGRAM, '@Injectable()\nclass A {}'],
      [PROGRAM, 'class A { constructor(@Inject() a) {} }'],
    ],
    passes: [[PROGRAM, "/** @see refund */ import { a } from '@fastify/helmet'; const css = `@media print {}`;"]],
  },
  {
    name: 'no namespaces',
    covers: isCode,
    check: (source) => find(source, 'code', /\b(?:namespace|module)\s+[\w.]+\s*\{/, 'A file is a module already.'),
    refuses: [
      [PROGRAM, 'namespace A { }'],
      [PROGRAM, 'declare module A.B { }'],
    ],
    passes: [[PROGRAM, "declare module 'fastify' { interface FastifyRequest { a: 1 } }"]],
  },
  {
    name: 'only config.ts reads the environment, and main.ts hands it over',
    covers: (path) => isProgram(path) && path !== 'src/config.ts' && path !== 'src/main.ts',
    check: (source) => [
      ...find(source, 'code', /\bprocess\s*\.\s*env\b/, 'Take the value as an argument; src/config.ts reads it.'),
      ...find(source, 'code', /\benv\b[^{}=;]*\}\s*=\s*process\b/, 'Take the value as an argument.'),
      ...find(source, 'text', /\benv\b[^{}]*\}\s*from\s*'(?:node:)?process'/, 'Take the value as an argument.'),
    ],
    refuses: [
      [PROGRAM, 'const port = process.env.PORT;'],
      [PROGRAM, 'const { env } = process;'],
      [PROGRAM, "import { env } from 'node:process';"],
    ],
    passes: [
      [PROGRAM, '// process.env is read elsewhere\nconst env = config.env;'],
      ['src/config.ts', 'export const a = process.env;'],
      ['src/main.ts', 'readConfig(process.env);'],
      ['proof/bench/main.ts', 'process.env.PORT'],
    ],
  },
  {
    name: 'only the command line writes to the terminal',
    covers: (path) => isProgram(path) && !path.startsWith('src/cli/') && path !== 'src/main.ts',
    check: (source) => find(source, 'code', /(?<![.\w])console\s*\.\s*\w+/, 'Log through the logger of src/ops.'),
    refuses: [[PROGRAM, 'console.log(1);']],
    passes: [
      [PROGRAM, "import { page } from '../console/page.ts'; app.console.open();"],
      ['src/cli/commands/serve.ts', 'console.log(1);'],
    ],
  },
  {
    name: 'the domain is pure: no clock, no randomness, no timers, no input or output',
    covers: (path) => path.startsWith('src/domain/') && !isTest(path),
    check: (source) =>
      find(
        source,
        'code',
        IMPURE,
        'Take it as an argument: decide(payment, command, at) must give the same answer tomorrow.',
      ),
    refuses: [
      [PROGRAM, 'const at = new Date();'],
      [PROGRAM, 'const at = Date.now();'],
      [PROGRAM, 'const id = crypto.randomUUID();'],
      [PROGRAM, 'setTimeout(f, 1);'],
    ],
    passes: [[PROGRAM, 'const at = new Date(command.at); // not Date.now']],
  },
  {
    name: 'nothing is left for later in a comment',
    covers: (path) => !path.endsWith('.json'),
    check: (source) =>
      find(source, 'comments', /\b(?:TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/, 'Do it now, or describe it in the docs.'),
    refuses: [
      [PROGRAM, `// ${['TO', 'DO'].join('')}: later`],
      ['docs/operate.md', ['FIX', 'ME'].join('')],
    ],
    passes: [[PROGRAM, '// What remains to do is done by the resolver.']],
  },
  {
    name: 'no checker is silenced without a reason',
    covers: isCode,
    check: (source) => [
      ...find(source, 'comments', /@ts-(?:ignore|nocheck)|eslint-disable/, 'Repair the cause, or expect the error.'),
      ...find(source, 'comments', /oxlint-disable(?![^\n]*\s--\s+\S)/, 'Say why, after two dashes.'),
    ],
    refuses: [
      [PROGRAM, '// @ts-ignore'],
      [PROGRAM, '// oxlint-disable-next-line no-console'],
    ],
    passes: [[PROGRAM, '// oxlint-disable-next-line no-console -- the terminal is the output here']],
  },
  {
    name: 'every test runs',
    covers: isTest,
    check: (source) =>
      find(
        source,
        'code',
        /\.\s*(?:only|skip|todo)\s*\(|\b(?:only|skip|todo)\s*:\s*true\b/,
        'Let the test run, or remove it.',
      ),
    refuses: [
      [TEST, "test.only('a', () => {});"],
      [TEST, "test('a', { skip: true }, () => {});"],
      ['src/domain/refund.test.ts', 'it.todo();'],
    ],
    passes: [[TEST, "test('.only( is a word', () => {}); list.skipWhile(a);"]],
  },
  {
    name: 'nothing names the machine, the registry or the tracker behind it',
    covers: everyFile,
    check: (source) => [
      ...find(source, 'text', /(?<![\w.])\/(?:home|Users)\/\w+/, "Use a path relative to the project's root."),
      ...find(source, 'text', /https?:\/\/[\w.-]*registry/, 'Leave the package registry to npm.'),
      ...find(
        source,
        'comments',
        /\b(?:issue|ticket|pull request|PR|GH|fixes|closes)[ -]?#?\d+\b/i,
        'Say the reason itself; a number means nothing without its tracker.',
      ),
    ],
    refuses: [
      [PROGRAM, `const path = '${['', 'home', 'ada', 'kassa'].join('/')}';`],
      ['docs/operate.md', ['https:', '', 'registry.example', 'pg'].join('/')],
      [PROGRAM, `// see ${['issue', 12].join(' ')}`],
    ],
    passes: [[PROGRAM, "const route = '/v1/payments'; // a charge of 12"]],
  },
];

const sources = readSources();

for (const rule of rules) {
  describe(rule.name, () => {
    test('holds in every file', () => {
      const covered = sources.filter((source) => rule.covers(source.path));
      const findings = covered.flatMap((source) => rule.check(source));
      expectNone(findings.map(describeFinding));
    });
    test('refuses its bad samples, and says where and what to do', () => {
      for (const [path, text] of rule.refuses) {
        assert.ok(rule.covers(path), `the rule does not cover ${path}`);
        const [finding] = rule.check(sourceOf(path, text));
        assert.ok(finding, `let pass: ${text.slice(0, 200)}`);
        assert.equal(finding.path, path);
        assert.ok(finding.line >= 1 && finding.advice.length > 0);
      }
    });
    test('lets its good samples pass', () => {
      for (const [path, text] of rule.passes) {
        const findings = rule.covers(path) ? rule.check(sourceOf(path, text)) : [];
        expectNone(findings.map(describeFinding));
      }
    });
  });
}
