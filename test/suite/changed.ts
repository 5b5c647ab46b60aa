// Which files a change can reach: those that import a changed file, directly or through others, and those that name it in
// a string, as files do whose text is read or built. A changed file that nothing imports or names can reach everything:
// better too many tests than one too few.
import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { root } from '../../proof/program.ts';
import { reachedFrom } from './imports.ts';
import type { Sources } from './imports.ts';

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');

/** Against a commit, with what is not committed. */
const listChanged = (since: string): string[] => [
  ...git('diff', '--name-only', '--relative', since),
  ...git('ls-files', '--others', '--exclude-standard'),
];

// What is said about the project in words, and judged by the check.
const WORDS = /^(?:CHANGELOG|CONTRIBUTING|SECURITY|LICENSE|NOTICE)|^test\/tidy\//;

/** Undefined when it can be anything. */
export function reachedByChanges(sources: Sources, since: string): ReadonlySet<string> | undefined {
  const begin: string[] = [];
  for (const changed of listChanged(since).filter((path) => !WORDS.test(path))) {
    // All languages are read by who has the type of English.
    const name = basename(changed).replace(/\.[a-z]{2}\.json$/, '.en.json');
    const isNamed = (text: string): boolean => text.includes(`${name}'`) || text.includes(`${name}\``);
    const naming = Array.from(sources)
      .filter(([, { text }]) => isNamed(text))
      .map(([path]) => path);
    if (!sources.has(changed) && naming.length === 0) return undefined;
    begin.push(changed, ...naming);
  }
  return reachedFrom(sources, begin);
}
