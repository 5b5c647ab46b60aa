// Runs everything that judges the code without running the product: format, lint, types, style, dead code. All steps
// run at once, because together they take as long as the slowest one; a step says one line, and its whole output only
// when it fails. `npm run check -- --fix` lets the formatter and the linter repair what they can first.
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Step = { readonly name: string; readonly args: readonly string[] };
type Outcome = { readonly ok: boolean; readonly output: string; readonly tookMs: number };

const root = dirname(import.meta.dirname);

// Far above the slowest step on a slow machine; it only keeps a tool that hangs from hanging CI.
const STEP_TIMEOUT_MS = 900_000;

// Some tools colour their output as soon as they see CI, pipe or not.
const PLAIN = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined };

// Each tool is started by its own file on this very Node, so neither PATH nor the machine's Node has a say.
function tool(packageName: string, command: string): string {
  const home = join(root, 'node_modules', packageName);
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    readonly bin: string | Readonly<Record<string, string>>;
  };
  const file = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[command];
  if (file === undefined) throw new Error(`${packageName} has no command ${command}`);
  return join(home, file);
}

function run(step: Step): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const startedAt = performance.now();
  const child = spawn(process.execPath, step.args, {
    cwd: root,
    env: PLAIN,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: STEP_TIMEOUT_MS,
  });
  const chunks: Buffer[] = [];
  const finish = (ok: boolean) =>
    resolve({ ok, output: Buffer.concat(chunks).toString().trim(), tookMs: performance.now() - startedAt });
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('error', (error) => {
    chunks.push(Buffer.from(String(error)));
    finish(false);
  });
  child.on('close', (code, signal) => {
    if (signal !== null) chunks.push(Buffer.from(`\nended by ${signal} (limit: ${STEP_TIMEOUT_MS} ms)`));
    finish(code === 0);
  });
  return promise;
}

async function report(step: Step): Promise<boolean> {
  const { ok, output, tookMs } = await run(step);
  const seconds = (tookMs / 1000).toFixed(1);
  console.log(`${step.name.padEnd(10)} ${ok ? 'ok    ' : 'failed'} ${seconds.padStart(6)} s`);
  if (!ok) console.log(`\n${output}\n`);
  return ok;
}

const oxfmt = tool('oxfmt', 'oxfmt');
const oxlint = tool('oxlint', 'oxlint');
const styleTests = globSync('test/tidy/*.test.ts', { cwd: root });
if (styleTests.length === 0) throw new Error('The style test is missing: test/tidy holds no *.test.ts');

const repairs: readonly Step[] = [
  { name: 'lint fix', args: [oxlint, '--fix', '--quiet'] },
  { name: 'format fix', args: [oxfmt, '--write'] },
];
const checks: readonly Step[] = [
  { name: 'format', args: [oxfmt, '--check'] },
  { name: 'lint', args: [oxlint] },
  { name: 'types', args: [tool('typescript', 'tsc'), '-p', '.'] },
  { name: 'web types', args: [tool('typescript', 'tsc'), '-p', 'web'] },
  { name: 'style', args: ['--test', '--test-isolation=none', '--test-reporter=dot', ...styleTests] },
  { name: 'dead code', args: [tool('knip', 'knip'), '--no-progress'] },
];

const unknown = process.argv.slice(2).filter((argument) => argument !== '--fix');
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(' ')}. Use: npm run check [-- --fix]`);
  process.exit(1);
}
if (process.argv.includes('--fix')) {
  // In order: what the linter rewrote is formatted after. What it cannot repair is reported by the check below.
  for (const repair of repairs) await run(repair);
}
const results = await Promise.all(checks.map(report));
process.exitCode = results.every(Boolean) ? 0 : 1;
