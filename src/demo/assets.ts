// The styles and scripts of the demo shop, each at an address that changes with its content.
import type { FastifyInstance } from 'fastify';
import { bundleAssets, sendVersion, waitForAssets } from '../pages/asset.ts';
import { NOT_FOUND } from '../server/answer.ts';
import { sendAnswer } from '../server/errors.ts';

export type Script = 'shop.js' | 'checkout-page.js' | 'order.js';

const STYLE = 'demo.css';

export const bundle = bundleAssets({
  folder: new URL('../../web/demo/', import.meta.url),
  scripts: ['shop.ts', 'checkout-page.ts', 'order.ts'],
  styles: ['frame.css', 'shop.css', 'order.css'],
  style: STYLE,
});

const { assets } = bundle;

export const assetUrl = (demo: string, name: Script | typeof STYLE): string =>
  `${demo}/assets/${assets().get(name)?.version ?? ''}/${name}`;

export function routeDemoAssets(app: FastifyInstance): void {
  waitForAssets(app, bundle);
  app.get('/demo/assets/:version/:file', async (request, reply) => {
    const { version, file } = request.params as { version: string; file: string };
    const asset = assets().get(file);
    return asset ? sendVersion(request, reply, asset, version) : sendAnswer(reply, NOT_FOUND);
  });
}
