// Reads the hot statements from their files, once, when the program starts.
import { readFileSync } from 'node:fs';
import type { Statement } from './pool.ts';

export function readStatement(name: string): Statement {
  const text = readFileSync(new URL(`statements/${name}.sql`, import.meta.url), 'utf8');
  return { name, text };
}
