// `npm run site -- --out FOLDER`: the documentation as pages that any web server can send, or that are opened from the
// folder. The same as /docs of a running service, but for what only a service has: its address, its demo shop, its console.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CSS, JS } from '../src/docs/site/assets.ts';
import { DOCS, loadGuides } from '../src/docs/site/guides.ts';
import { searchIndex } from '../src/docs/site/search-index.ts';
import { renderSite } from '../src/docs/site/site.ts';
import type { Links } from '../src/docs/site/frame.ts';
import type { Document } from '../src/api/openapi/document.ts';

const root = join(import.meta.dirname, '..');

const fileOf = (path: string): string => {
  if (path === '') return 'index.html';
  return path.startsWith('images/') ? path : `${path}.html`;
};

/** Addresses are relative, so that the folder can stand anywhere. */
function linksFrom(path: string): Links {
  const from = posix.dirname(fileOf(path));
  const to = (file: string): string => posix.relative(from, file);
  const up = posix.relative(from, '.');
  return {
    page: (other) => to(fileOf(other)),
    root: up === '' ? '' : `${up}/`,
    css: to('page.css'),
    js: to('page.js'),
    index: to('search.js'),
    openapi: to('openapi.json'),
  };
}

/** Writes every file of the site, and tells which. */
export async function writeSite(out: string): Promise<string[]> {
  const document = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8')) as Document;
  const sections = await loadGuides();
  const { pages } = await renderSite({ document, sections, own: {}, linksFrom });
  const texts = new Map([
    ...Array.from(pages, ([path, text]) => [fileOf(path), text] as const),
    ['page.css', CSS.text],
    ['page.js', JS.text],
    ['search.js', searchIndex(sections, document, fileOf)],
    ['openapi.json', JSON.stringify(document)],
  ]);
  for (const [file, text] of texts) {
    await mkdir(dirname(join(out, file)), { recursive: true });
    await writeFile(join(out, file), text);
  }
  const pictures = new Set(sections.flatMap(({ guides }) => guides).flatMap((guide) => guide.pictures));
  await mkdir(join(out, 'images'), { recursive: true });
  for (const name of pictures) await cp(fileURLToPath(new URL(`images/${name}`, DOCS)), join(out, 'images', name));
  return [...texts.keys(), ...Array.from(pictures, (name) => `images/${name}`)];
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } });
  if (values.out === undefined) throw new Error('Say where to: npm run site -- --out FOLDER');
  const files = await writeSite(resolve(values.out));
  console.log(`${files.length} files in ${resolve(values.out)}: open index.html`);
}
