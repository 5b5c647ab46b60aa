// Which files of the project import which, as their text says: enough to know what a change can reach.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from '../../proof/program.ts';

const IMPORT = /\bfrom '(\.[^']+)'|\bimport\(?\s*'(\.[^']+)'|new URL\('(\.[^']+)', import\.meta\.url\)/g;

export type Sources = ReadonlyMap<string, { readonly text: string; readonly imports: readonly string[] }>;

export function readSources(): Sources {
  const paths = globSync('{src,test,client,testing,proof,scripts,web,examples}/**/*.{ts,js}', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  });
  return new Map(
    paths.map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const imports = Array.from(text.matchAll(IMPORT), ([, ...groups]) =>
        normalize(join(dirname(path), groups.find((group) => group !== undefined) ?? '')),
      );
      return [path, { text, imports }];
    }),
  );
}

/** These files and all that import them, directly or through others. */
export function reachedFrom(sources: Sources, paths: readonly string[]): ReadonlySet<string> {
  const importersOf = new Map<string, string[]>();
  for (const [path, { imports }] of sources)
    for (const imported of imports) importersOf.set(imported, [...(importersOf.get(imported) ?? []), path]);
  const reached = new Set(paths);
  // What is added meanwhile comes up as well.
  for (const path of reached) for (const importer of importersOf.get(path) ?? []) reached.add(importer);
  return reached;
}
