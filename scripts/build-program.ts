// Builds the program: what src/main.ts loads, as a few files of JavaScript. They start in half the time of the hundreds
// of files that they are made of. Packages stay outside. What lies beside the sources (statements, migrations, styles)
// stays there, and is found from where the built files are.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import type * as Esbuild from 'esbuild';

const root = join(import.meta.dirname, '..');
const esbuild = createRequire(import.meta.url)('esbuild') as typeof Esbuild;
// What runs as a thread of its own is loaded by its address, and so is built as a file of its own.
const WORKERS = ['checkout/invoice/print-worker.ts', 'docs/site/site-worker.ts'];
const WORKER_URL = /new URL\('\.\/(?<name>[\w-]+)\.ts', import\.meta\.url\)/g;
const OWN_URL = /\bimport\.meta\.url\b/g;

/** A source as the built program has it: it still knows where it was, to find what lies beside it. */
async function readSource(path: string, out: string): Promise<string> {
  const way = JSON.stringify(relative(out, path).replaceAll('\\', '/'));
  const whereItWas = `new URL(${way}, import.meta.url).href`;
  const parts = (await readFile(path, 'utf8')).split(WORKER_URL);
  // Every second part is the name of a worker.
  return parts
    .map((part, at) =>
      at % 2 === 1 ? `new URL('./${part}.js', import.meta.url)` : part.replaceAll(OWN_URL, whereItWas),
    )
    .join('');
}

/** Puts main.js and what it loads into the folder; `runsIn` is where it will run, if that is another one. */
export async function buildProgram(folder: string, runsIn = folder): Promise<void> {
  const out = resolve(runsIn);
  const sources = join(root, 'src');
  await esbuild.build({
    entryPoints: ['main.ts', ...WORKERS].map((file) => join(sources, file)),
    entryNames: '[name]',
    chunkNames: '[hash]',
    outdir: resolve(folder),
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node24',
    charset: 'utf8',
    logLevel: 'warning',
    plugins: [
      {
        name: 'where sources are',
        setup: (build) =>
          build.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
            loader: 'ts',
            contents: await readSource(path, out),
          })),
      },
    ],
  });
}
