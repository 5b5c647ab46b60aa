// What the check says of a defect: the compiler, asked about the file and those that import it, and the lint, which is
// asked about many files at once, each with a defect of its own, because it takes seconds to begin. Format, style and
// dead code are not asked: what they find in a defect is how it was planted.
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import type { Compiler } from './compiler.ts';
import { plantIn } from './copy.ts';
import type { Mutant } from './mutant.ts';

const run = promisify(execFile);
// A whole output of the lint, with one finding for each of hundreds of files.
const LARGEST_OUTPUT_BYTES = 64 * 1024 * 1024;
const IMPORT = /\bfrom '(\.[^']+)'/g;

/** Which files of src import this one. */
export function readImporters(folder: string): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const file of globSync('src/**/*.ts', { cwd: folder }).toSorted())
    for (const [, imported = ''] of readFileSync(join(folder, file), 'utf8').matchAll(IMPORT)) {
      const path = normalize(join(dirname(file), imported));
      importers.set(path, [...(importers.get(path) ?? []), file]);
    }
  return importers;
}

const without = (found: readonly string[], known: readonly string[]): string | undefined =>
  found.find((each) => !known.includes(each));

type Tools = {
  readonly folder: string;
  readonly compiler: Compiler;
  readonly importers: ReadonlyMap<string, readonly string[]>;
  readonly onProgress: (text: string) => void;
  readonly signal: AbortSignal;
};

function refusedByCompiler(mutant: Mutant, { folder, compiler, importers }: Tools): string | undefined {
  const { file } = mutant;
  if (!file.endsWith('.ts')) return undefined;
  const files = [file, ...(importers.get(file) ?? [])];
  const before = files.map((each) => compiler.complaintsAbout(each));
  const takeOut = plantIn(folder, mutant);
  if (takeOut === undefined) throw new Error(`the lines of ${mutant.id} are not in ${file}`);
  compiler.update([file]);
  try {
    for (const [index, each] of files.entries()) {
      const complaint = without(compiler.complaintsAbout(each), before[index] ?? []);
      if (complaint !== undefined) return complaint;
    }
    return undefined;
  } finally {
    takeOut();
    compiler.update([file]);
  }
}

type Finding = { readonly filename: string; readonly code?: string; readonly message: string };

async function lint({ folder, signal }: Tools, files: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const tool = join(folder, 'node_modules/oxlint/bin/oxlint');
  const given = { cwd: folder, maxBuffer: LARGEST_OUTPUT_BYTES, signal };
  // It ends with 1 when it finds anything.
  const { stdout } = await run(process.execPath, [tool, '--format=json', ...files], given).catch((error: unknown) => {
    const { stdout: said } = error as { stdout?: string };
    if (!said) throw error;
    return { stdout: said };
  });
  const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly Finding[] };
  const found = new Map<string, string[]>(files.map((file) => [file, []]));
  for (const { filename, code, message } of diagnostics) found.get(filename)?.push(`${code ?? 'lint'} ${message}`);
  return found;
}

/** In rounds in which no file has two. */
function dealRounds(mutants: readonly Mutant[]): Mutant[][] {
  const rounds: Mutant[][] = [];
  for (const mutant of mutants) {
    const free = rounds.find((round) => round.every(({ file }) => file !== mutant.file));
    if (free) free.push(mutant);
    else rounds.push([mutant]);
  }
  return rounds;
}

/** What the check says, by the id of the defect; those that pass are not in it. */
export async function findRefused(mutants: readonly Mutant[], tools: Tools): Promise<ReadonlyMap<string, string>> {
  const refused = new Map<string, string>();
  const typed = mutants.filter(({ file }) => file.endsWith('.ts'));
  for (const [index, mutant] of typed.entries()) {
    tools.signal.throwIfAborted();
    tools.onProgress(`compiler: ${index} of ${typed.length}`);
    const complaint = refusedByCompiler(mutant, tools);
    if (complaint !== undefined) refused.set(mutant.id, complaint);
    // The compiler answers in this very thread; a signal wants to be heard.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const compiling = typed.filter(({ id }) => !refused.has(id));
  if (compiling.length === 0) return refused;
  tools.onProgress('lint');
  const before = await lint(tools, [...new Set(compiling.map(({ file }) => file))]);
  for (const round of dealRounds(compiling)) {
    const planted = round.map((mutant) => plantIn(tools.folder, mutant));
    const after = await lint(
      tools,
      round.map(({ file }) => file),
    );
    for (const takeOut of planted) takeOut?.();
    for (const { id, file } of round) {
      const finding = without(after.get(file) ?? [], before.get(file) ?? []);
      if (finding !== undefined) refused.set(id, finding);
    }
  }
  return refused;
}
