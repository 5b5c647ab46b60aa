// The styles and scripts of the console, each at an address that changes with its content.
import { readdirSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { NOT_FOUND } from '../server/answer.ts';
import { sendAnswer } from '../server/errors.ts';
import { bundleAssets, sendVersion } from '../pages/asset.ts';

const FOLDER = new URL('../../web/console/', import.meta.url);
const STYLE = 'console.css';
const BASE = 'base.css';

export const bundle = bundleAssets({
  folder: FOLDER,
  scripts: ['console.ts'],
  // The parts come after what every page has, so that theirs holds where both say something.
  styles: [
    BASE,
    ...readdirSync(FOLDER)
      .filter((file) => file.endsWith('.css') && file !== BASE)
      .toSorted(),
  ],
  style: STYLE,
});

export const assetUrl = (root: string, name: 'console.js' | typeof STYLE): string =>
  `${root}/console/assets/${bundle.assets().get(name)?.version ?? ''}/${name}`;

export function routeConsoleAssets(app: FastifyInstance): void {
  app.get('/console/assets/:version/:file', async (request, reply) => {
    const { version, file } = request.params as { version: string; file: string };
    const asset = bundle.assets().get(file);
    return asset ? sendVersion(request, reply, asset, version) : sendAnswer(reply, NOT_FOUND);
  });
}
