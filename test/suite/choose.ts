// Which test files a run takes, and in which order.
import { globSync } from 'node:fs';
import { BadOption } from '../../proof/by-hand.ts';
import { root } from '../../proof/program.ts';
import { reachedByChanges } from './changed.ts';
import { reachedFrom, readSources } from './imports.ts';

/** Files that the check runs. */
const CHECKED = 'test/tidy/';
/** What only a release, a deployment or another machine can break. */
const RELEASE = 'test/release/';
// What goes through more of its breadth before a release imports this.
const DEPTH = 'test/support/depth.ts';

// What takes longest begins; the table at the end of a run says whether that still holds.
const LONGEST_FIRST: readonly string[] = [
  'test/fault/',
  'test/acquirers/',
  'test/start/',
  'test/database/',
  'test/browser/',
];

function rankOf(file: string): number {
  // They need no Kassa, and some of them stop the clock: they come before one is started in their process.
  if (file.startsWith('src/')) return -1;
  const rank = LONGEST_FIRST.findIndex((start) => file.startsWith(start));
  return rank === -1 ? LONGEST_FIRST.length : rank;
}

export type Choice = {
  readonly patterns: readonly string[];
  readonly release: boolean;
  readonly changedSince?: string;
};

/** By a part of their paths, by what changed, or all of the daily run or of the one before a release. */
export function chooseFiles({ patterns, release, changedSince }: Choice): string[] {
  const all = globSync('{src,test}/**/*.test.ts', { cwd: root }).toSorted();
  const inOrder = (files: readonly string[]): string[] => files.toSorted((one, other) => rankOf(one) - rankOf(other));
  if (patterns.length > 0) {
    const unmatched = patterns.filter((pattern) => !all.some((file) => file.includes(pattern)));
    if (unmatched.length > 0) throw new BadOption(`No test file has ${unmatched.join(' or ')} in its path.`);
    return inOrder(all.filter((file) => patterns.some((pattern) => file.includes(pattern))));
  }
  const sources = readSources();
  const deeper = release ? reachedFrom(sources, [DEPTH]) : undefined;
  const ofRun = all.filter((file) =>
    deeper ? file.startsWith(RELEASE) || deeper.has(file) : !file.startsWith(RELEASE) && !file.startsWith(CHECKED),
  );
  const reached = changedSince === undefined ? undefined : reachedByChanges(sources, changedSince);
  return inOrder(reached ? ofRun.filter((file) => reached.has(file)) : ofRun);
}
