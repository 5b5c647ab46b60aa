// The guides: the documents for shop developers and operators, and the reference pages. Their order and names are those
// of docs/README.md. A release contains them rendered; a checkout renders them when the site is first requested.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { builtIn } from '../../pages/asset.ts';
import type { Guide, Section } from './guide.ts';
import type { SizeOf } from './markdown.ts';

/** Where the documents are, and what was made from them. */
export const DOCS = new URL('../../../docs/', import.meta.url);
export const GUIDES_FILE = 'guides.json';

const TITLES = { integrate: 'Integrate', operate: 'Operate', reference: 'Reference' } as const;
const ROW = /^\| (?<forWhom>[^|]+) \| (?<pages>.+) \|$/gm;
const LINK = /\[(?<name>[^\]]+)\]\((?<path>[\w-]+\/[\w-]+)\.md\)/g;

const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

type Row = { readonly folder: keyof typeof TITLES; readonly forWhom: string; readonly pages: readonly string[][] };

function readMenu(readme: string): Row[] {
  return Array.from(readme.matchAll(ROW), ([, forWhom = '', cell = '']) => {
    const pages = Array.from(cell.matchAll(LINK), ([, name = '', path = '']) => [path, capitalize(name)]);
    const folder = pages[0]?.[0]?.split('/')[0] as Row['folder'];
    return { folder, forWhom: capitalize(forWhom), pages };
  }).filter(({ folder }) => folder in TITLES);
}

// PNG files have their size at a fixed place.
const WIDTH_AT = 16;
const HEIGHT_AT = 20;

async function readSizes(texts: readonly string[]): Promise<SizeOf> {
  const names = texts.flatMap((text) => Array.from(text.matchAll(/\.\.\/images\/([\w-]+\.png)/g), ([, name]) => name));
  const sizes = new Map<string | undefined, ReturnType<SizeOf>>();
  for (const name of new Set(names)) {
    const bytes = await readFile(new URL(`images/${name}`, DOCS));
    sizes.set(name, { width: bytes.readUInt32BE(WIDTH_AT), height: bytes.readUInt32BE(HEIGHT_AT) });
  }
  return (name) => {
    const size = sizes.get(name);
    if (size === undefined) throw new Error(`docs/images has no ${name}`);
    return size;
  };
}

/** Renders every guide. Other requests run between two of them. */
export async function renderGuides(): Promise<Section[]> {
  const { renderGuide } = await import('./markdown.ts');
  const menu = readMenu(await readFile(new URL('README.md', DOCS), 'utf8'));
  const pages = new Set(menu.flatMap((row) => row.pages.map(([path = '']) => path)));
  const texts = new Map<string, string>();
  for (const path of pages) texts.set(path, await readFile(new URL(`${path}.md`, DOCS), 'utf8'));
  const sizeOf = await readSizes([...texts.values()]);
  const sections: Section[] = [];
  for (const row of menu) {
    const guides: Guide[] = [];
    for (const [path = '', name = ''] of row.pages) {
      guides.push(renderGuide(texts.get(path) ?? '', name, { path, pages }, sizeOf));
      await setImmediate();
    }
    sections.push({ title: TITLES[row.folder], forWhom: row.forWhom, guides });
  }
  return sections;
}

export async function loadGuides(): Promise<readonly Section[]> {
  const built = new URL(GUIDES_FILE, builtIn(DOCS));
  if (!existsSync(built)) return renderGuides();
  return JSON.parse(await readFile(built, 'utf8')) as Section[];
}
