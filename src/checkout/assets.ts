// What the checkout's pages load: one style, one script for the page and one for the page after the bank's, and the
// script that a shop loads.
import { readdirSync } from 'node:fs';
import { bundleAssets, readAsset } from '../pages/asset.ts';
import type { Asset } from '../pages/asset.ts';
import type { Frame } from './view.ts';

const FOLDER = new URL('../../web/checkout/', import.meta.url);

export const bundle = bundleAssets({
  folder: FOLDER,
  scripts: ['page.ts', 'challenge-finished.ts', 'checkout.ts'],
  styles: readdirSync(FOLDER)
    .filter((file) => file.endsWith('.css'))
    .toSorted(),
  style: 'page.css',
});

/** By the name in their address. */
export const { assets } = bundle;

export const shopScript = (): Asset => assets().get('checkout.js') as Asset;
export const shopScriptTypes: Asset = {
  ...readAsset(new URL('checkout.d.ts', FOLDER)),
  type: 'text/plain; charset=utf-8',
};

const addressOf = (root: string, name: string): string =>
  `${root}/checkout/assets/${assets().get(name)?.version ?? ''}/${name}`;

export const addressesOf = (root: string): Frame['assets'] => ({
  css: addressOf(root, 'page.css'),
  js: addressOf(root, 'page.js'),
});

/** The page after the bank's has a script of its own. */
export const afterChallengeAssets = (root: string): Frame['assets'] => ({
  css: addressOf(root, 'page.css'),
  js: addressOf(root, 'challenge-finished.js'),
});
