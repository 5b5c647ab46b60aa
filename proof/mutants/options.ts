// What can be asked of the proof of mutants on the command line.
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { BadOption } from '../by-hand.ts';
import type { Wanted } from './choose.ts';

export type Options = Wanted & {
  readonly list: boolean;
  readonly workers: number;
  /** Test files for a defect, and the time after which no other is begun. */
  readonly most: number;
  readonly limitMs: number;
  readonly testPart: string | undefined;
  readonly coverage: string | undefined;
  readonly json: string | undefined;
  readonly alsoRelease: boolean;
  readonly from: { readonly checkout: string; readonly command: string } | undefined;
};

const HIGHEST = 1_000_000;

export const HELP = `Plants small defects in the sources, one at a time, and tells which of them the check or a test
catches: an operator, a bound, a missing await, two fields that changed places, a merchant that is not asked for.
Each is tried in a copy of the checkout, by the test files that run its line. Exit code 1 when any has survived.

Usage: npm run proof:mutants -- [options]

Options:
  --seed N          Which defects; a random one by default, and printed.
  --count N         How many (200), of each kind as many as of any other.
  --in PART         Only in files of src that have this in their paths.
  --only ID,ID      These, instead of a sample. A defect has the same id as long as its lines stay as they are.
  --list            Print them, and plant none.
  --coverage FILE   Which lines each test file runs: read from the file, or written to it by a run of all tests first
                    where there is none. TEST_COVERAGE=FILE npm test -- PART writes the same.
  --files PART      Only test files that have this in their paths.
  --most N          At most so many test files for a defect (12), those that are most about it.
  --limit SECONDS   No other test file for a defect after this time (90).
  --also-release    Try those that survive by what only a release runs as well; FILE.release has the coverage.
  --workers N       Defects at once (one for each core).
  --json FILE       Write what came of each.
  --from CHECKOUT   Plant them in an earlier commit instead, with its own packages: several in one run, which is
                    halved where it fails. What is no longer there is told.
  --command TEXT    What runs the tests of that commit, and ends with 0 when all have passed.
  --help            Show this.

It works in a temporary folder (TMPDIR says where) and on free ports, and removes what it made.`;

const TEXTS = [
  'seed',
  'count',
  'in',
  'only',
  'coverage',
  'files',
  'most',
  'limit',
  'workers',
  'json',
  'from',
  'command',
];
const FLAGS = ['list', 'also-release', 'help'];

function parse(args: readonly string[]): Readonly<Record<string, string | boolean | undefined>> {
  const entry = (type: 'string' | 'boolean') => (name: string) => [name, { type }] as const;
  const options = Object.fromEntries([...TEXTS.map(entry('string')), ...FLAGS.map(entry('boolean'))]);
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new BadOption(`${(error as Error).message.split('. ')[0]}. npm run proof:mutants -- --help tells more.`);
  }
}

/** The options, or undefined when help was asked for. */
export function readOptions(args: readonly string[]): Options | undefined {
  const values = parse(args);
  if (values['help'] === true) return undefined;
  const text = (name: string): string | undefined => values[name] as string | undefined;
  const number = (name: string, usual: number): number => {
    const value = Number(text(name) ?? usual);
    if (!Number.isInteger(value) || value < 1 || value > HIGHEST)
      throw new BadOption(`--${name} is ${text(name)}; it must be a whole number from 1 to ${HIGHEST}.`);
    return value;
  };
  const [checkout, command] = [text('from'), text('command')];
  if ((checkout === undefined) !== (command === undefined)) throw new BadOption('--from and --command go together.');
  return {
    seed: number('seed', randomInt(1, HIGHEST)),
    count: number('count', 200),
    part: text('in'),
    only: text('only')
      ?.split(',')
      .map((id) => id.trim()),
    list: values['list'] === true,
    workers: number('workers', availableParallelism()),
    most: number('most', 12),
    limitMs: number('limit', 90) * 1_000,
    testPart: text('files'),
    coverage: text('coverage'),
    json: text('json'),
    alsoRelease: values['also-release'] === true,
    from: checkout === undefined || command === undefined ? undefined : { checkout, command },
  };
}
