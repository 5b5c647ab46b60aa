// Styles and scripts of pages, built once per process, at content-addressed URLs that browsers can cache forever. A
// release has them prebuilt. In a source checkout, scripts are bundled from TypeScript on the first page request, in a
// child process, so that there is no build step.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type * as Esbuild from 'esbuild';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export type Asset = {
  readonly type: string;
  readonly text: string;
  /** Twelve hex digits that change with the text. */
  readonly version: string;
};

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  js: 'text/javascript',
  html: 'text/html',
  json: 'application/json',
};
// What phones of the last five years run.
const OLDEST_BROWSERS = 'es2021';
const KEPT_FOR_GOOD = 'public, max-age=31536000, immutable';
// Less is not worth the header.
const SMALLEST_TO_COMPRESS = 4_096;
// A page is made for one request: the best compression would take longer than sending what it saves.
const PAGE_QUALITY = 5;

type Coding = 'br' | 'gzip' | 'identity';

const versionOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

export const assetOf = (kind: string, text: string): Asset => ({
  type: `${TYPES[kind] ?? 'text/plain'}; charset=utf-8`,
  text,
  version: versionOf(text),
});

const kindOf = (name: string): string => /[^.]*$/.exec(name)?.[0] ?? '';

/** Files of one kind, as they are, as one text. */
export function readAsset(...files: readonly [URL, ...URL[]]): Asset {
  return assetOf(kindOf(files[0].pathname), files.map((file) => readFileSync(file, 'utf8')).join('\n'));
}

export type Sources = {
  readonly folder: URL;
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** The name that all styles together are given. */
  readonly style: string;
};

export type Bundle = Pick<Sources, 'folder'> & {
  /** Scripts, each with all that it imports, and the styles as one: small, by name. Only once they are made. */
  readonly assets: () => ReadonlyMap<string, Asset>;
  /** Makes them, in a process of its own. */
  readonly make: () => Promise<void>;
  /** Makes them, and compresses them, off this thread, so that nobody has to wait for it. */
  readonly warmUp: () => Promise<void>;
};

const loadEsbuild = (): typeof Esbuild => createRequire(import.meta.url)('esbuild') as typeof Esbuild;

/** Where a release has what was bundled from a folder, by name. */
export const builtIn = (folder: URL): URL => new URL('built/', folder);

export function bundleAssets({ folder, scripts, styles, style }: Sources): Bundle {
  const options = {
    entryPoints: [...scripts, ...styles].map((name) => fileURLToPath(new URL(name, folder))),
    bundle: true,
    minify: true,
    write: false,
    outdir: fileURLToPath(folder),
    format: 'iife',
    target: OLDEST_BROWSERS,
    charset: 'utf8',
    logLevel: 'silent',
  } as const satisfies Esbuild.BuildOptions;
  let made: ReadonlyMap<string, Asset> | undefined;
  let making: Promise<void> | undefined;

  const read = ({ outputFiles }: Esbuild.BuildResult<{ write: false }>): ReadonlyMap<string, Asset> => {
    const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
    const ofScripts = scripts
      .map((name) => name.replace(/\.ts$/, '.js'))
      .map((name) => [name, assetOf('js', texts.get(name) as string)] as const);
    return new Map([...ofScripts, [style, assetOf('css', styles.map((name) => texts.get(name) as string).join(''))]]);
  };

  const build = async (): Promise<void> => {
    const built = builtIn(folder);
    if (existsSync(built)) {
      const names = [...scripts.map((name) => name.replace(/\.ts$/, '.js')), style];
      made = new Map(names.map((name) => [name, readAsset(new URL(name, built))]));
      return;
    }
    const esbuild = loadEsbuild();
    try {
      made = read(await esbuild.build(options));
    } finally {
      making = undefined;
      // Its process has nothing more to do.
      await esbuild.stop();
    }
  };
  const assets = (): ReadonlyMap<string, Asset> => {
    if (made === undefined) throw new Error(`the scripts and styles of ${folder.pathname} are not made yet`);
    return made;
  };
  const make = async (): Promise<void> => {
    if (made === undefined) await (making ??= build());
  };
  const warmUp = async (): Promise<void> => {
    await make();
    await Promise.all(Array.from(assets().values(), (asset) => bytesOf(asset, 'br')));
  };
  return { folder, assets, make, warmUp };
}

/** Requests wait until the assets are built, which happens once, soon after a start. */
export function waitForAssets(app: FastifyInstance, { make }: Pick<Bundle, 'make'>): void {
  app.addHook('onRequest', make);
}

/** The compression that the client accepts. */
export function codingOf(request: FastifyRequest): Coding {
  const accepted = request.headers['accept-encoding'] ?? '';
  if (/\bbr\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/.test(accepted)) return 'br';
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/.test(accepted) ? 'gzip' : 'identity';
}

function sendCompressed(reply: FastifyReply, coding: Coding, bytes: Buffer): FastifyReply {
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.header('vary', 'accept-encoding').send(bytes);
}

// As well as it can be done, off this thread, once. The largest take a second each and are done one after the other, since
// names are looked up and passwords hashed by the same few threads.
const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];
const compressors: Readonly<Record<Coding, (text: string) => Promise<Buffer>>> = {
  br: (text) => toBrotli(text),
  gzip: (text) => toGzip(text),
  identity: async (text) => Buffer.from(text),
};
const PAGE = { params: { [constants.BROTLI_PARAM_QUALITY]: PAGE_QUALITY } };
const compressed = new Map<string, Promise<Buffer>>();
const LARGE_LENGTH = 262_144;
let compressingLarge: Promise<unknown> = Promise.resolve();

function bytesOf({ version, text }: Asset, coding: Coding): Promise<Buffer> {
  const key = `${version} ${coding}`;
  const known = compressed.get(key);
  if (known) return known;
  const compress = (): Promise<Buffer> => compressors[coding](text);
  const isLarge = coding !== 'identity' && text.length > LARGE_LENGTH;
  const bytes = isLarge ? compressingLarge.then(compress) : compress();
  if (isLarge) compressingLarge = bytes.catch(() => undefined);
  compressed.set(key, bytes);
  return bytes;
}

/**
 * Sends an asset; under an address that carries its version, a browser keeps it for good. Asked for by the version of
 * another process, in the middle of an upgrade, it gives its own and lets nobody keep it.
 */
export const sendVersion = (
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
  version: string,
): Promise<FastifyReply> => sendAsset(request, reply, asset, version === asset.version ? KEPT_FOR_GOOD : 'no-store');

export async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
  cacheControl = KEPT_FOR_GOOD,
): Promise<FastifyReply> {
  const tag = `"${asset.version}"`;
  reply.headers({ etag: tag, 'cache-control': cacheControl });
  if (request.headers['if-none-match'] === tag) return reply.code(304).send();
  const coding = codingOf(request);
  const bytes = await bytesOf(asset, coding);
  reply.header('content-type', asset.type);
  return sendCompressed(reply, coding, bytes);
}

/** Sends a dynamic page, compressed off this thread. The caller has set its headers. */
export async function sendPage(request: FastifyRequest, reply: FastifyReply, page: string): Promise<FastifyReply> {
  const coding = page.length < SMALLEST_TO_COMPRESS ? 'identity' : codingOf(request);
  const bytes = await (coding === 'br' ? toBrotli(page, PAGE) : compressors[coding](page));
  reply.header('content-type', 'text/html; charset=utf-8');
  return sendCompressed(reply, coding, bytes);
}
