// When the documentation is generated, and with which priority.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assetOf } from '../../pages/asset.ts';
import type { Asset } from '../../pages/asset.ts';
import type { Site } from './make-site.ts';
import { openSite } from './served.ts';

function siteSaying(text: string): Site {
  const pages = new Map([['', assetOf('html', text)]]);
  const description = assetOf('json', `"${text}"`);
  return { description, index: description, plain: pages, withKey: pages, missing: '', pictures: new Set() };
}

/** A site whose generation the test controls. */
function openMade() {
  const makings: { isAwaited: boolean; end: (site: Site) => void; fail: (error: Error) => void }[] = [];
  const site = openSite(
    () => 'http://kassa.example',
    {},
    (_of, isAwaited) =>
      new Promise((end, fail) => {
        makings.push({ isAwaited, end, fail });
      }),
  );
  return { site, makings };
}

const textOf = async (page: Promise<Asset | undefined>): Promise<string | undefined> => (await page)?.text;

test('what is made while nobody waits is made once, in the background', async () => {
  const { site, makings } = openMade();
  const warm = site.warmUp();
  assert.deepEqual(
    makings.map(({ isAwaited }) => isAwaited),
    [false],
  );
  makings[0]?.end(siteSaying('first'));
  await warm;
  assert.equal(await textOf(site.page('', false)), 'first');
  await site.warmUp();
  assert.equal(makings.length, 1);
});

test('a request while it is made in the background does not wait for that', async () => {
  const { site, makings } = openMade();
  const warm = site.warmUp();
  const [page, description] = [site.page('', false), site.description()];
  assert.deepEqual(
    makings.map(({ isAwaited }) => isAwaited),
    [false, true],
  );
  makings[1]?.end(siteSaying('soon'));
  assert.equal(await textOf(page), 'soon');
  assert.equal(await textOf(description), '"soon"');
  makings[0]?.end(siteSaying('late'));
  await warm;
  assert.equal(await textOf(site.page('', false)), 'soon');
  assert.equal(makings.length, 2);
});

test('what failed is tried again when it is asked for again', async () => {
  const { site, makings } = openMade();
  const page = site.page('', false);
  makings[0]?.fail(new Error('no memory'));
  await assert.rejects(page, /no memory/);
  const again = site.page('', false);
  makings[1]?.end(siteSaying('again'));
  assert.equal(await textOf(again), 'again');
});

test('one that failed in the background does not affect a request made meanwhile', async () => {
  const { site, makings } = openMade();
  const warm = site.warmUp();
  const page = site.page('', false);
  makings[0]?.fail(new Error('took too long'));
  await assert.rejects(warm, /took too long/);
  makings[1]?.end(siteSaying('soon'));
  assert.equal(await textOf(page), 'soon');
  assert.equal(await textOf(site.page('', false)), 'soon');
  assert.equal(makings.length, 2);
});
