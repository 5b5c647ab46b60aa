// Lays out what a release holds, as the folder that npm packs: the built program, what it reads at run time, the pages'
// assets and the guides built ahead, what others import, and a manifest that asks for what runs and for nothing that builds
// or tests.
import { globSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle as checkout } from '../../src/checkout/assets.ts';
import { bundle as console } from '../../src/console/assets.ts';
import { bundle as demo } from '../../src/demo/assets.ts';
import { commit } from '../../src/ops/version.ts';
import { DOCS, GUIDES_FILE, renderGuides } from '../../src/docs/site/guides.ts';
import { builtIn } from '../../src/pages/asset.ts';
import { IMPORTS, buildImports, exportsOf } from '../build-imports.ts';
import { buildProgram } from '../build-program.ts';

export const root = join(import.meta.dirname, '../..');

// What the program reads beside its sources, and what people read.
const FILES = [
  'src/**/*.{sql,css,js,txt,json}',
  'texts/*.json',
  'web/checkout/checkout.d.ts',
  'bin/*.js',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'NOTICE',
  'SECURITY.md',
  'openapi.json',
  'docs/README.md',
  'docs/{integrate,operate,reference}/*.md',
];

// What goes into the pages, which are built; and what builds them.
const BUILT_IN = new Set(['@simplewebauthn/browser', 'esbuild', 'marked']);

// What the manifest says to those who work on it.
const LEFT_OUT = new Set(['scripts', 'devDependencies', 'allowScripts', 'private']);

type Manifest = Readonly<Record<string, unknown>> & {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
};

const readManifest = async (): Promise<Manifest> =>
  JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest;

/** The manifest of a release: no scripts, nothing for development, and exact versions as in the checkout. */
function releaseManifest(manifest: Manifest): object {
  const isNeeded = ([name]: readonly [string, unknown]): boolean => !BUILT_IN.has(name);
  return {
    ...Object.fromEntries(Object.entries(manifest).filter(([name]) => !LEFT_OUT.has(name))),
    // As npm calls it; the metric kassa_build_info tells it.
    ...(commit && { gitHead: commit }),
    exports: {
      ...Object.fromEntries(IMPORTS.map((name) => [`./${name}`, exportsOf(name)])),
      './openapi.json': './openapi.json',
      './package.json': './package.json',
    },
    dependencies: Object.fromEntries(Object.entries(manifest.dependencies).filter(isNeeded)),
  };
}

async function writeIn(folder: string, file: string, text: string): Promise<void> {
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** The scripts and styles of the pages, each in the folder in which the program looks for it. */
async function stagePages(folder: string): Promise<void> {
  for (const { make, assets, folder: sources } of [checkout, console, demo]) {
    await make();
    const built = fileURLToPath(builtIn(sources)).slice(root.length + 1);
    for (const [name, { text }] of assets()) await writeIn(folder, join(built, name), text);
  }
}

/** The guides rendered, and the pictures that they show. */
async function stageGuides(folder: string): Promise<void> {
  const sections = await renderGuides();
  const built = fileURLToPath(builtIn(DOCS)).slice(root.length + 1);
  await writeIn(folder, join(built, GUIDES_FILE), JSON.stringify(sections));
  for (const picture of new Set(sections.flatMap(({ guides }) => guides).flatMap(({ pictures }) => pictures)))
    await cp(join(root, 'docs/images', picture), join(folder, 'docs/images', picture));
}

export async function stageRelease(folder: string): Promise<Manifest> {
  const manifest = await readManifest();
  await buildProgram(join(folder, 'dist'), join(root, 'dist'));
  await buildImports(folder);
  await stagePages(folder);
  await stageGuides(folder);
  for (const file of FILES.flatMap((pattern) => globSync(pattern, { cwd: root })))
    await cp(join(root, file), join(folder, file), { recursive: true });
  await writeIn(folder, 'package.json', `${JSON.stringify(releaseManifest(manifest), null, 2)}\n`);
  return manifest;
}
