// Goal: dependencies point one way, so that the domain can be read alone and a layer can be changed without a look at
// those above it. Method: every import of src is held against the table below; what the table does not name is refused.
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { describe, test } from 'node:test';
import { describeFinding, expectNone, lineAt, readSources, sourceOf, type Finding, type Source } from './source.ts';

type Layer = {
  // Layers it may import. Its own files are always allowed.
  readonly may: readonly string[];
  // Layers of which it may know the types, and nothing that runs.
  readonly mayType?: readonly string[];
  // Parts of allowed layers that it may not import all the same.
  readonly not?: readonly string[];
  // Whether it may import packages and node: modules.
  readonly packages?: false;
  readonly because: string;
};

// domain ← store, acquirers ← payments, events ← merchants ← server ← api ← docs, pages ← checkout, console, demo ←
// start ← cli ← main. A layer is a folder of src, a folder in it that the table names, or a file that stands in src itself.
const layers: Readonly<Record<string, Layer>> = {
  domain: { may: [], packages: false, because: 'decisions are pure and know nobody' },
  config: { may: [], because: 'everything can be configured, so the configuration depends on nothing' },
  ops: {
    may: ['outbound'],
    mayType: ['config'],
    because: 'logs, metrics and health serve all, so they know none of them',
  },
  folders: {
    may: [],
    because: 'whose a folder is, and what lies in it, is the same for all who keep something in one',
  },
  database: {
    may: ['folders'],
    because: 'the embedded Postgres is a process to start and stop, whatever is stored in it',
  },
  outbound: { may: [], because: 'it sends requests to other machines and knows nothing of their content' },
  schema: { may: [], because: 'how a schema is written is the same, whatever it describes' },
  'store/connections': {
    may: ['domain', 'ops'],
    because: 'connections, groups and transactions serve whatever is read and written',
  },
  'store/statements': {
    may: ['domain', 'ops', 'store/connections'],
    because: 'what a row is, and how SQL is put together, is the same for every room',
  },
  'store/events': {
    may: ['domain', 'ops', 'store/connections', 'store/statements'],
    because: 'they tell of what is committed, and change no payment',
  },
  'store/merchants': {
    may: ['domain', 'ops', 'store/connections', 'store/statements', 'store/events'],
    because: 'keys and settings stand beside payments',
  },
  'store/people': { may: ['domain', 'ops', 'store/connections'], because: 'who signs in knows no payment' },
  'store/audit': {
    may: ['domain', 'ops', 'store/connections', 'store/statements', 'store/merchants'],
    because: 'it tells of acts, whatever they changed',
  },
  'store/payments': {
    may: ['domain', 'ops', 'store/connections', 'store/statements', 'store/audit'],
    because: 'load and commit, with the audit record of a change',
  },
  'store/books': {
    may: ['domain', 'ops', 'store/connections', 'store/statements', 'store/audit', 'store/payments'],
    because: 'it checks and sums what the others wrote',
  },
  'store/lists': {
    may: ['domain', 'ops', 'store/connections', 'store/statements', 'store/books'],
    because: 'what people look through',
  },
  'store/request-log': {
    may: ['domain', 'ops', 'store/connections', 'store/statements'],
    because: 'it stands beside everything else',
  },
  'store/purge': {
    may: ['domain', 'ops', 'store/connections', 'store/people', 'store/payments'],
    because: 'it deletes what the other rooms own',
  },
  'store/schema': {
    may: ['domain', 'ops', 'store/connections', 'store/merchants'],
    because: 'the tables are there before anything is read',
  },
  'store/sample': {
    may: ['domain', 'ops', 'store/connections', 'store/books', 'store/lists'],
    because: 'many payments at once, as the lists would have them',
  },
  store: {
    may: [
      'domain',
      'ops',
      'store/connections',
      'store/statements',
      'store/events',
      'store/merchants',
      'store/people',
      'store/audit',
      'store/payments',
      'store/books',
      'store/lists',
    ],
    because: 'it opens the rooms, and hands out load and commit',
  },
  acquirers: {
    may: ['domain', 'outbound', 'ops'],
    because: 'they hold money and know amounts, not rows and not requests',
  },
  bank: {
    may: ['domain', 'acquirers', 'folders', 'ops'],
    because: 'it is another machine, and keeps a book of its own',
  },
  payments: { may: ['domain', 'store', 'acquirers', 'ops'], because: 'it is the one path of every change' },
  events: {
    may: ['domain', 'store', 'outbound', 'schema', 'ops'],
    mayType: ['config'],
    because: 'it delivers rows that are committed',
  },
  merchants: {
    may: ['domain', 'store', 'acquirers', 'payments', 'events', 'ops'],
    because:
      'what can be done with merchants, keys, webhooks and acquirers is the same whoever asks, and in which words',
  },
  pages: { may: [], because: 'it is what every page needs, whatever the page shows' },
  server: {
    may: ['domain', 'store', 'acquirers', 'payments', 'pages', 'schema', 'ops'],
    mayType: ['config'],
    because: 'HTTP is the same, whatever is served',
  },
  api: {
    may: ['domain', 'store', 'acquirers', 'payments', 'events', 'merchants', 'server', 'pages', 'schema', 'ops'],
    mayType: ['config'],
    because: 'it turns bytes into commands and results into bytes',
  },
  docs: {
    may: ['domain', 'acquirers', 'server', 'api', 'events', 'pages', 'schema', 'ops'],
    mayType: ['config'],
    because: 'it shows what the description of the API says',
  },
  checkout: {
    may: ['domain', 'store', 'acquirers', 'payments', 'server', 'api', 'pages', 'schema', 'ops'],
    mayType: ['config'],
    not: ['api/operations', 'api/parts'],
    because: "it is the consumer's way in, beside the merchant's",
  },
  demo: {
    may: ['domain', 'store', 'outbound', 'server', 'api', 'docs', 'pages', 'schema', 'ops'],
    mayType: ['config'],
    not: ['api/operations', 'api/parts', 'api/dialects'],
    because: 'it is a shop like any other: what it wants of a payment it asks the API for',
  },
  console: {
    may: ['domain', 'store', 'acquirers', 'payments', 'events', 'merchants', 'server', 'api', 'pages', 'schema', 'ops'],
    mayType: ['config'],
    not: ['api/operations', 'api/parts'],
    because: "it is the way in of the merchant's people",
  },
  'cli/terminal': { may: ['ops', 'config'], because: 'words in and out are the same for every command' },
  start: {
    may: [
      'domain',
      'folders',
      'database',
      'store',
      'acquirers',
      'payments',
      'events',
      'merchants',
      'server',
      'api',
      'docs',
      'checkout',
      'demo',
      'console',
      'ops',
      'config',
    ],
    not: ['api/operations', 'api/parts', 'api/schemas', 'api/dialects'],
    because: 'it wires things together, but what an operation means is not its business',
  },
  testing: {
    may: ['domain', 'database', 'store', 'merchants', 'ops'],
    because: 'it starts programs and fills their databases, and leaves what they do to them',
  },
  'cli/api': {
    may: ['domain', 'folders', 'acquirers', 'events', 'server', 'api', 'ops', 'config', 'start', 'cli/terminal'],
    not: ['api/operations', 'api/parts', 'api/schemas', 'api/dialects'],
    because: 'it asks a Kassa that runs somewhere, as any client does',
  },
  'cli/commands': {
    may: [
      'domain',
      'folders',
      'database',
      'store',
      'outbound',
      'acquirers',
      'bank',
      'payments',
      'events',
      'merchants',
      'server',
      'api',
      'docs',
      'ops',
      'config',
      'start',
      'testing',
      'cli/terminal',
      'cli/api',
    ],
    not: ['api/operations', 'api/parts', 'api/schemas', 'api/dialects'],
    because: 'a command starts things, but what an operation means is not its business',
  },
  cli: { may: ['ops', 'config', 'cli/terminal', 'cli/commands'], because: 'it finds the command that was asked for' },
  main: {
    may: ['cli', 'start'],
    because: 'it hands over what the process was given, and nobody imports it',
  },
};

type Import = { readonly specifier: string; readonly line: number; readonly typeOnly: boolean };

function importsOf(source: Source): Import[] {
  const clause = /\b(?:import|export)\b(\s+type\b)?(?:(?!\b(?:import|export)\b)[^;'"`()])*?\bfrom\s*['"]/g;
  const bare = /\bimport\s*\(?\s*['"]/g;
  return [clause, bare].flatMap((pattern) =>
    Array.from(source.code.matchAll(pattern), (match) => {
      const start = match.index + match[0].length;
      const specifier = /^[^'"]*/.exec(source.text.slice(start))?.[0] ?? '';
      return { specifier, line: lineAt(source.text, start), typeOnly: match[1] !== undefined };
    }),
  );
}

// 'src/api/operations/refund.ts' → 'api'; 'src/store/events/lanes.ts' → 'store/events'; 'src/config.ts' → 'config'.
function layerOf(path: string): string {
  const [, folder = '', inner = ''] = path.split('/');
  return `${folder}/${inner}` in layers ? `${folder}/${inner}` : folder.replace(/\.ts$/, '');
}

function check(source: Source): Finding[] {
  const { path } = source;
  const name = layerOf(path);
  const layer = layers[name];
  const say = (line: number, advice: string): Finding[] => [{ path, line, advice }];
  if (layer === undefined) return say(1, `src/${name} is in no layer: add it to the table of layers.test.ts.`);
  return importsOf(source).flatMap(({ specifier, line, typeOnly }) => {
    if (!specifier.startsWith('.')) {
      if (layer.packages !== false) return [];
      return say(line, `${name} may not import ${specifier}: ${layer.because}.`);
    }
    const target = posix.join(posix.dirname(path), specifier);
    // Rules that the page and the service share, so that both say the same of what somebody types.
    if ((name === 'checkout' || name === 'console') && target.startsWith('web/shared/')) return [];
    // English says which texts there are.
    if (typeOnly && target.startsWith('texts/')) return [];
    if (!target.startsWith('src/')) {
      return say(line, `${specifier} leaves src: the program does not depend on what surrounds it.`);
    }
    const other = layerOf(target);
    // A layer that may import store may import all its rooms; a room imports only those that it names.
    const [whole = other] = other.startsWith('store/') ? other.split('/') : [];
    const allowed =
      other === name ||
      layer.may.includes(other) ||
      (!name.startsWith('store/') && layer.may.includes(whole)) ||
      (typeOnly && layer.mayType?.includes(other));
    const shut = layer.not?.find((part) => target.startsWith(`src/${part}/`));
    if (allowed && shut === undefined) return [];
    const onlyTypes = layer.mayType?.includes(other) ? ' (import type is fine)' : '';
    return say(line, `${name} may not import ${shut ?? other}${onlyTypes}: ${layer.because}.`);
  });
}

// decision: reach-of-a-dialect
test('every import of src follows the table', () => {
  const program = readSources().filter(({ path }) => /^src\/.*\.ts$/.test(path) && !path.endsWith('.test.ts'));
  assert.ok(program.length > 0);
  const findings = program.flatMap(check);
  expectNone(findings.map(describeFinding));
});

/** Files that import each other, over however many others: each circle that a walk along the imports comes upon. */
function findCircles(sources: readonly Source[]): string[] {
  const targets = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source)
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => posix.join(posix.dirname(source.path), specifier)),
    ]),
  );
  const [way, done, circles] = [[] as string[], new Set<string>(), [] as string[]];
  const walk = (path: string): void => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' → '));
    if (done.has(path) || way.includes(path)) return;
    way.push(path);
    for (const next of targets.get(path) ?? []) walk(next);
    way.pop();
    done.add(path);
  };
  for (const { path } of sources) walk(path);
  return circles;
}

test('no file imports one that leads back to it, not even for a type', () => {
  const sample = [
    sourceOf('src/domain/a.ts', "import { b } from './b.ts';"),
    sourceOf('src/domain/b.ts', "import type { A } from './a.ts';"),
  ];
  assert.deepEqual(findCircles(sample), ['src/domain/a.ts → src/domain/b.ts → src/domain/a.ts']);
  expectNone(findCircles(readSources().filter(({ path }) => /^(?:src|web|proof)\/.*\.ts$/.test(path))));
});

test('the table itself has no circle', () => {
  const reach = (name: string, way: readonly string[]): void => {
    assert.ok(!way.includes(name), [...way, name].join(' → '));
    for (const next of layers[name]?.may ?? assert.fail(`${name} is no layer`)) reach(next, [...way, name]);
  };
  for (const name of Object.keys(layers)) reach(name, []);
});

describe('refused', () => {
  const samples: readonly (readonly [path: string, text: string])[] = [
    ['src/domain/refund.ts', "import { load } from '../store/load.ts';"],
    ['src/domain/refund.ts', "import type { Load } from '../store/load.ts';"],
    ['src/domain/refund.ts', "import { randomUUID } from 'node:crypto';"],
    ['src/store/payments/load.ts', "import {\n  operate,\n} from '../../payments/operate.ts';"],
    ['src/store/payments/load.ts', "export { operate } from '../../payments/operate.ts';"],
    ['src/store/payments/load.ts', "const a = await import('../../start/app.ts');"],
    ['src/store/payments/load.ts', "import '../../acquirers/simulator.ts';"],
    ['src/merchants/webhooks.ts', "import { badField } from '../server/problem.ts';"],
    ['src/merchants/webhooks.ts', "import { print } from '../cli/terminal/command.ts';"],
    ['src/payments/operate.ts', "import { refuse } from '../server/errors.ts';"],
    ['src/ops/log.ts', "import { readConfig } from '../config.ts';"],
    ['src/database/start.ts', "import type { Config } from '../config.ts';"],
    ['src/start/service.ts', "import { refund } from '../api/operations/refund-charge.ts';"],
    ['src/start/service.ts', "import { serve } from '../cli/commands/serve.ts';"],
    ['src/start/service.ts', "import { helpOf } from '../cli/terminal/help.ts';"],
    ['src/cli/terminal/help.ts', "import { openPool } from '../../store/pool.ts';"],
    ['src/cli/commands/serve.ts', "import { refund } from '../../api/operations/refund-charge.ts';"],
    ['src/pages/html.ts', "import { buildApp } from '../start/app.ts';"],
    ['src/start/app.ts', "import { start } from '../main.ts';"],
    ['src/start/app.ts', "import { clone } from '../../test/support/clone.ts';"],
    ['src/console/texts.ts', "import english from '../../texts/console.en.json' with { type: 'json' };"],
    ['src/wallet/pay.ts', '// A folder that nobody has thought about.'],
  ];
  for (const [path, text] of samples) {
    test(`${path}: ${text.replaceAll('\n', ' ')}`, () => {
      assert.equal(check(sourceOf(path, text)).length, 1);
    });
  }
});

describe('let pass', () => {
  const samples: readonly (readonly [path: string, text: string])[] = [
    ['src/domain/refund.ts', "import { add } from './money.ts'; // not from '../store/load.ts'"],
    ['src/store/payments/load.ts', "import type { Payment } from '../../domain/payment.ts';\nimport pg from 'pg';"],
    ['src/ops/log.ts', "import type { Config } from '../config.ts';"],
    ['src/console/texts.ts', "import type english from '../../texts/console.en.json';"],
    ['src/payments/operate.ts', 'const text = "import \'../start/app.ts\'";'],
    ['src/start/service.ts', "import { buildServer } from '../server/server.ts';"],
    ['src/start/service.ts', "import { print } from '../ops/print.ts';"],
    ['src/cli/commands/serve.ts', "import { runService } from '../../start/service.ts';"],
  ];
  for (const [path, text] of samples) {
    test(`${path}: ${text.replaceAll('\n', ' ')}`, () => {
      expectNone(check(sourceOf(path, text)).map(describeFinding));
    });
  }
});
