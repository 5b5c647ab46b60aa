// What pages load: styles and scripts, made once when the program starts, at addresses that change with their content,
// so that a browser can keep them for good. Scripts are bundled from the TypeScript of the project right here: there is
// no build to run, and nothing built to go stale.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type Asset = {
  readonly type: string;
  readonly text: string;
  /** Twelve hex digits that change with the text. */
  readonly version: string;
};

const TYPES: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript', ts: 'text/javascript' };
// What phones of the last five years run.
const OLDEST_BROWSERS = 'es2021';
const KEPT_FOR_GOOD = 'public, max-age=31536000, immutable';
// Less is not worth the header.
const SMALLEST_TO_COMPRESS = 512;
// A page is made for one request: the best compression would take longer than sending what it saves.
const PAGE_QUALITY = 5;

type Coding = 'br' | 'gzip' | 'identity';

const versionOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

const assetOf = (kind: string, text: string): Asset => ({
  type: `${TYPES[kind] ?? 'text/plain'}; charset=utf-8`,
  text,
  version: versionOf(text),
});

const kindOf = (name: string): string => /[^.]*$/.exec(name)?.[0] ?? '';

/** Files of one kind, as they are, as one text. */
export function readAsset(...files: readonly [URL, ...URL[]]): Asset {
  return assetOf(kindOf(files[0].pathname), files.map((file) => readFileSync(file, 'utf8')).join('\n'));
}

/** Scripts, each with all that it imports, and styles: small, by the name of the file that each is made from. */
export function bundleAssets(folder: URL, names: readonly string[]): ReadonlyMap<string, Asset> {
  const { outputFiles } = buildSync({
    entryPoints: names.map((name) => fileURLToPath(new URL(name, folder))),
    bundle: true,
    minify: true,
    write: false,
    outdir: fileURLToPath(folder),
    format: 'iife',
    target: OLDEST_BROWSERS,
    charset: 'utf8',
    logLevel: 'silent',
  });
  return new Map(
    outputFiles.map(({ path, text }) => {
      const built = basename(path);
      const name = names.find((source) => source.replace(/\.ts$/, '.js') === built) ?? built;
      return [name, assetOf(kindOf(name), text)];
    }),
  );
}

/** Assets of one kind as one. */
export function joinAssets(kind: string, assets: readonly Asset[]): Asset {
  return assetOf(kind, assets.map(({ text }) => text).join(''));
}

function codingOf(request: FastifyRequest): Coding {
  const accepted = request.headers['accept-encoding'] ?? '';
  if (/\bbr\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/.test(accepted)) return 'br';
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/.test(accepted) ? 'gzip' : 'identity';
}

function compress(text: string, coding: Coding, quality: number): Buffer {
  const bytes = Buffer.from(text);
  if (coding === 'br') return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  return coding === 'gzip' ? gzipSync(bytes) : bytes;
}

function sendCompressed(reply: FastifyReply, coding: Coding, bytes: Buffer): FastifyReply {
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.header('vary', 'accept-encoding').send(bytes);
}

const compressed = new Map<string, Buffer>();

/**
 * Sends an asset; under an address that carries its version, a browser keeps it for good. Asked for by the version of
 * another process, in the middle of an upgrade, it gives its own and lets nobody keep it.
 */
export const sendVersion = (
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
  version: string,
): FastifyReply => sendAsset(request, reply, asset, version === asset.version ? KEPT_FOR_GOOD : 'no-store');

export function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
  cacheControl = KEPT_FOR_GOOD,
): FastifyReply {
  const tag = `"${asset.version}"`;
  reply.headers({ etag: tag, 'cache-control': cacheControl });
  if (request.headers['if-none-match'] === tag) return reply.code(304).send();
  const coding = codingOf(request);
  const key = `${asset.version} ${coding}`;
  const bytes = compressed.get(key) ?? compress(asset.text, coding, constants.BROTLI_MAX_QUALITY);
  compressed.set(key, bytes);
  reply.header('content-type', asset.type);
  return sendCompressed(reply, coding, bytes);
}

/** Sends a page that was made for this request. Its headers are set by whoever made it. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: string): FastifyReply {
  const coding = page.length < SMALLEST_TO_COMPRESS ? 'identity' : codingOf(request);
  reply.header('content-type', 'text/html; charset=utf-8');
  return sendCompressed(reply, coding, compress(page, coding, PAGE_QUALITY));
}
