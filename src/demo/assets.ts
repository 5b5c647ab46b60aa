// The styles and scripts of the demo shop, each at an address that changes with its content.
import type { FastifyInstance } from 'fastify';
import { bundleAssets, joinAssets, sendVersion } from '../http/asset.ts';
import type { Asset } from '../http/asset.ts';
import { NOT_FOUND, sendAnswer } from '../http/errors.ts';

const SCRIPTS = ['shop.ts', 'checkout-page.ts', 'order.ts'] as const;
const STYLES = ['frame.css', 'shop.css', 'order.css'] as const;
export type Script = (typeof SCRIPTS)[number];

const STYLE = 'demo.css';

const bundled = bundleAssets(new URL('../../web/demo/', import.meta.url), [...SCRIPTS, ...STYLES]);
const ASSETS: ReadonlyMap<string, Asset> = new Map([
  ...bundled,
  [
    STYLE,
    joinAssets(
      'css',
      STYLES.map((name) => bundled.get(name) as Asset),
    ),
  ],
]);

export const assetUrl = (demo: string, name: Script | typeof STYLE): string =>
  `${demo}/assets/${ASSETS.get(name)?.version ?? ''}/${name}`;

export function routeDemoAssets(app: FastifyInstance): void {
  app.get('/demo/assets/:version/:file', { schema: { hide: true } }, async (request, reply) => {
    const { version, file } = request.params as { version: string; file: string };
    const asset = ASSETS.get(file);
    return asset ? sendVersion(request, reply, asset, version) : sendAnswer(reply, NOT_FOUND);
  });
}
