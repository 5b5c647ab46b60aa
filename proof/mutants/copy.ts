// A copy of a checkout, in which defects are planted: its files as they are now, with the packages of the checkout. What
// others do in the checkout meanwhile is not seen, and nothing is ever written to it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { plant } from './mutant.ts';
import type { Mutant } from './mutant.ts';

const LEFT_OUT = new Set(['node_modules', '.git', '.kassa', 'release']);

export async function copyCheckout(checkout: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of readdirSync(checkout))
    // When a file was written tells whether coverage still knows its lines.
    if (!LEFT_OUT.has(name))
      await cp(join(checkout, name), join(folder, name), { recursive: true, preserveTimestamps: true });
  await symlink(join(checkout, 'node_modules'), join(folder, 'node_modules'));
}

/** Plants it in the copy, and returns what takes it out again; undefined where its lines are not as they were. */
export function plantIn(folder: string, mutant: Mutant): (() => void) | undefined {
  const path = join(folder, mutant.file);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  const planted = plant(text, mutant);
  if (planted === undefined) return undefined;
  writeFileSync(path, planted);
  return () => writeFileSync(path, text);
}
