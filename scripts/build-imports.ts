// Builds what others import out of the package, the client and the test kit: each as a module, for those who still
// require() as CommonJS, and its types for both. They run on whatever runs their tests and their shop, not on our Node.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type * as Esbuild from 'esbuild';

const root = join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const esbuild = require('esbuild') as typeof Esbuild;

/** What is imported, by the name of its folder: the file that a shop imports is called the same. */
export const IMPORTS = ['client', 'testing'] as const;
export type Import = (typeof IMPORTS)[number];

const TARGET = 'es2022';
// A module knows where it is by import.meta, CommonJS by another name.
const WHERE = 'kassaModuleUrl';
// The kit uses the very client that a shop imports: an error of either is an error of both.
const CLIENT = '../client/client.ts';

const buildOf = (name: Import, format: 'esm' | 'cjs'): Esbuild.BuildOptions => ({
  entryPoints: [join(root, name, `${name}.ts`)],
  bundle: true,
  write: false,
  platform: 'neutral',
  external: ['node:*', CLIENT],
  target: TARGET,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  format,
  ...(format === 'cjs' && { define: { 'import.meta.url': WHERE } }),
});

/** The program of an import as one text. */
export async function bundleImport(name: Import, format: 'esm' | 'cjs' = 'esm'): Promise<string> {
  const { outputFiles = [] } = await esbuild.build(buildOf(name, format));
  const made = outputFiles[0]?.text ?? '';
  const text = made.replaceAll(CLIENT, CLIENT.replace('.ts', format === 'esm' ? '.js' : '.cjs'));
  return text.includes(WHERE) ? `const ${WHERE} = require('node:url').pathToFileURL(__filename).href;\n${text}` : text;
}

/** The types, as the compiler tells them; they name each other by the file that is run. */
async function writeTypes(folder: string, names: readonly Import[]): Promise<void> {
  const made = await mkdtemp(join(tmpdir(), 'kassa-types-'));
  try {
    const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
    const files = names.map((name) => join(root, name, `${name}.ts`));
    const settings = ['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--strict', '--skipLibCheck'];
    const modules = ['--target', 'es2024', '--module', 'nodenext', '--types', 'node', '--allowImportingTsExtensions'];
    const places = ['--rootDir', root, '--outDir', made];
    execFileSync(process.execPath, [tsc, ...settings, ...modules, ...places, ...files], {
      cwd: root,
      stdio: 'inherit',
    });
    for (const file of globSync('**/*.d.ts', { cwd: made })) {
      const text = readFileSync(join(made, file), 'utf8');
      for (const [ending, run] of [
        ['.d.ts', 'js'],
        ['.d.cts', 'cjs'],
      ] as const) {
        const path = join(folder, file.replace(/\.d\.ts$/, ending));
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text.replaceAll(/(from '\.{1,2}\/[^']+)\.ts'/g, `$1.${run}'`));
      }
    }
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** What the manifest of a release exports of them. */
export const exportsOf = (name: Import): object => ({
  import: { types: `./${name}/${name}.d.ts`, default: `./${name}/${name}.js` },
  require: { types: `./${name}/${name}.d.cts`, default: `./${name}/${name}.cjs` },
});

/** Puts everything that is imported into the folder of a release. */
export async function buildImports(folder: string): Promise<void> {
  for (const name of IMPORTS) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, `${name}.js`), await bundleImport(name, 'esm'));
    await writeFile(join(folder, name, `${name}.cjs`), await bundleImport(name, 'cjs'));
  }
  await writeTypes(folder, IMPORTS);
}
