// Which defects are planted: of each kind as many as of any other, drawn by the seed from all that could be planted in
// src. What is text for people, tests and migrations are left out: an old migration is there to be run once.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BadOption } from '../by-hand.ts';
import { Random } from '../chaos/random.ts';
import { changesOf } from './changes.ts';
import type { Compiler } from './compiler.ts';
import { merchantChecksOf } from './merchant-checks.ts';
import { KINDS, mutantOf } from './mutant.ts';
import type { Change, Mutant } from './mutant.ts';

const LEFT_OUT = /\.test\.ts$|\.d\.ts$|\/migrations\/|\/(?:documentation|story|examples)\.ts$/;

type Found = { readonly file: string; readonly text: string; readonly change: Change };

/** In an order that is the same everywhere. */
function findAll(root: string, compiler: Compiler, part: string | undefined): Found[] {
  const files = globSync('src/**/*.{ts,sql}', { cwd: root }).toSorted();
  const wanted = files.filter((file) => !LEFT_OUT.test(file) && (part === undefined || file.includes(part)));
  if (wanted.length === 0) throw new BadOption(`No file of src with a place for a defect has ${part} in its path.`);
  return wanted.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const changes = file.endsWith('.sql') ? merchantChecksOf(text) : changesOf(compiler.parse(file));
    return changes.map((change) => ({ file, text, change }));
  });
}

function sample(found: readonly Found[], seed: number, count: number): Found[] {
  const decks = KINDS.map((kind) => {
    const deck = found.filter(({ change }) => change.kind === kind);
    const random = new Random(seed, kind);
    return () => deck.splice(random.between(0, deck.length - 1), 1);
  });
  const chosen: Found[] = [];
  for (let before = -1; chosen.length < count && chosen.length > before;) {
    before = chosen.length;
    chosen.push(...decks.flatMap((draw) => draw()));
  }
  return chosen.slice(0, count);
}

export type Wanted = {
  readonly seed: number;
  readonly count: number;
  /** Only in files of src that have this in their paths. */
  readonly part: string | undefined;
  /** These and no others, instead of a sample. */
  readonly only: readonly string[] | undefined;
};

export function chooseMutants(root: string, compiler: Compiler, { seed, count, part, only }: Wanted): Mutant[] {
  const found = findAll(root, compiler, part);
  const toMutant = ({ file, text, change }: Found): Mutant => mutantOf(file, text, change);
  if (only === undefined) return sample(found, seed, count).map(toMutant);
  const mutants = found.map(toMutant).filter(({ id }) => only.includes(id));
  const missing = only.filter((id) => !mutants.some((mutant) => mutant.id === id));
  if (missing.length > 0)
    throw new BadOption(`There is no defect ${missing.join(' or ')}; its file has changed, perhaps.`);
  return mutants;
}
