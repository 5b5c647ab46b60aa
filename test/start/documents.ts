// The documents of the project, and what is in them: links, headings, lines for a shell.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../proof/program.ts';

export type Document = { readonly path: string; readonly text: string };

export const readDocument = (path: string): Document => ({ path, text: readFileSync(join(root, path), 'utf8') });

export const listDocuments = (): Document[] =>
  ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...globSync('docs/**/*.md', { cwd: root })]
    .toSorted()
    .map(readDocument);

/** The targets of links and pictures, outside of code. */
export function linksOf({ text }: Document): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '');
  return Array.from(prose.matchAll(/\]\(([^()\s]+)\)/g), ([, target]) => target as string);
}

/** The names by which the headings of a document can be linked. */
export const anchorsOf = ({ text }: Document): string[] =>
  Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\d\s-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The lines that the document gives to type into bash, in order. */
export const scriptOf = ({ text }: Document): string =>
  Array.from(text.matchAll(/^```bash\n([\s\S]*?)^```$/gm), ([, lines = '']) => lines).join('\n');
