// Which lines of src a test file runs, for proof:mutants: measured in the worker when TEST_COVERAGE names a file, into
// which each test file adds a line of JSON. What runs in another process is not seen.
import { appendFileSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root } from '../../proof/program.ts';

// What a line of the file holds.
export type Coverage = {
  readonly testFile: string;
  readonly tookMs: number;
  /** Lines by file of src. */
  readonly files: Readonly<Record<string, readonly number[]>>;
};

type Block = { readonly startOffset: number; readonly endOffset: number; readonly count: number };

const into = process.env['TEST_COVERAGE'];
const SOURCES = pathToFileURL(join(root, 'src', '/')).href;

let session: Session | undefined;

async function openSession(): Promise<Session> {
  const opened = new Session();
  opened.connect();
  await opened.post('Profiler.enable');
  await opened.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return opened;
}

/**
 * Lines of which a part ran, each place being told by its innermost block. What runs when a module is loaded is left out:
 * it runs for whichever file happens to be the first of its worker.
 */
function linesOf(url: string, blocks: readonly Block[]): number[] {
  const text = readFileSync(fileURLToPath(url), 'utf8');
  const counts = new Int32Array(text.length);
  const isModule = ({ startOffset, endOffset }: Block): boolean => startOffset === 0 && endOffset >= text.length;
  const outerFirst = blocks.toSorted((a, b) => b.endOffset - b.startOffset - (a.endOffset - a.startOffset));
  for (const block of outerFirst) if (!isModule(block)) counts.fill(block.count, block.startOffset, block.endOffset);
  const lines: number[] = [];
  let offset = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const hasRun = counts.subarray(offset + line.search(/\S|$/), offset + line.length).some((count) => count > 0);
    if (hasRun) lines.push(index + 1);
    offset += line.length + 1;
  }
  return lines;
}

/** Runs the file; its tests are measured until the last of them has ended. */
export async function measureFile(testFile: string, run: () => Promise<unknown>): Promise<void> {
  if (into === undefined) {
    await run();
    return;
  }
  session ??= await openSession();
  const measured = session;
  const startedAt = performance.now();
  await measured.post('Profiler.takePreciseCoverage');
  await run();
  after(async () => {
    const { result } = await measured.post('Profiler.takePreciseCoverage');
    const files: Record<string, number[]> = {};
    for (const { url, functions } of result) {
      if (!url.startsWith(SOURCES)) continue;
      const lines = linesOf(
        url,
        functions.flatMap(({ ranges }) => ranges),
      );
      if (lines.length > 0) files[`src/${url.slice(SOURCES.length)}`] = lines;
    }
    const coverage: Coverage = { testFile, tookMs: Math.round(performance.now() - startedAt), files };
    appendFileSync(into, `${JSON.stringify(coverage)}\n`);
  });
}
