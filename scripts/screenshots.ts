// Takes a picture of every state of the checkout, the demo shop and the console, on a phone and on a desktop, light and
// dark, for people to look at; services of its own are started for it. `npm run screenshots -- [folder] [part]`; without a
// folder a new temporary one, which is printed; a part of their names takes those alone. `npm run screenshots --
// docs/images` takes the few that the documents show instead.
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { print, runByHand, unlessAborted } from '../proof/by-hand.ts';
import { startEmbeddedDatabase } from '../src/database/embedded.ts';
import { CHECKOUT_STATES, openWorld } from '../test/browser/checkout-states.ts';
import type { World } from '../test/browser/checkout-states.ts';
import { launchBrowser, openPage, PHONE } from '../test/support/browser.ts';
import { takeConsolePictures } from './console-screenshots.ts';

type Picture = {
  readonly file: string;
  readonly state: string;
  readonly device: BrowserContextOptions;
  /** What is on the screen, and not the whole page. */
  readonly isCropped?: boolean;
};

const DOCUMENTS = resolve(dirname(import.meta.dirname), 'docs', 'images');
const STILL = { reducedMotion: 'reduce' } as const;
const DESKTOP = { ...STILL, viewport: { width: 1280, height: 900 } };
const DEVICES: readonly (readonly [width: string, device: BrowserContextOptions])[] = [
  ['390', { ...PHONE, ...STILL }],
  ['1280', DESKTOP],
];
/** How many pages are open at once; a page mostly waits. */
const AT_ONCE = 3;
const documentPictures: readonly Picture[] = [
  { file: 'checkout-phone.png', state: 'form-ready', device: { ...PHONE, ...STILL, deviceScaleFactor: 1.5 } },
  {
    file: 'checkout-desktop-dark.png',
    state: 'form-ready',
    device: { ...STILL, viewport: { width: 1080, height: 800 }, colorScheme: 'dark' },
  },
  {
    file: 'challenge.png',
    state: 'challenge-dialog',
    device: { ...STILL, viewport: { width: 1000, height: 860 } },
    isCropped: true,
  },
  { file: 'demo-order.png', state: 'demo-order', device: DESKTOP, isCropped: true },
];

const allPictures: readonly Picture[] = CHECKOUT_STATES.flatMap(({ name }) =>
  DEVICES.flatMap(([width, device]) =>
    (['light', 'dark'] as const).map((colorScheme) => ({
      file: `${name}-${width}-${colorScheme}.png`,
      state: name,
      device: { ...device, colorScheme },
    })),
  ),
);

/** A dialog lies over the screen, and not over the whole page. */
const hasDialog = async (page: Page): Promise<boolean> => (await page.locator('dialog[open]').count()) > 0;

let hasFailed = false;

async function take(browser: Browser, world: World, picture: Picture, folder: string): Promise<void> {
  const page = await openPage(browser, picture.device);
  const state = CHECKOUT_STATES.find(({ name }) => name === picture.state);
  try {
    await state?.show(page, world);
    if (picture.isCropped) await page.evaluate('scrollTo(0, 0)');
    const fullPage = !picture.isCropped && !(await hasDialog(page));
    await page.screenshot({ path: join(folder, picture.file), fullPage, caret: 'hide' });
  } catch (error) {
    console.error(`${picture.file}: ${String(error)}`);
    hasFailed = true;
  } finally {
    state?.hide?.(world);
    await page.context().close();
  }
}

const [named, part = ''] = process.argv.slice(2);
const folder = named === undefined ? await mkdtemp(join(tmpdir(), 'kassa-screenshots-')) : resolve(named);
await mkdir(folder, { recursive: true });
const isForDocuments = folder === DOCUMENTS;
const waiting = (isForDocuments ? documentPictures : allPictures).filter(({ file }) => file.includes(part));

async function takeAll(): Promise<void> {
  const database = await startEmbeddedDatabase({ dataDir: join(tmpdir(), 'data') });
  const browser = await launchBrowser();
  const world = await openWorld(database.url);
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await take(browser, world, next, folder);
  };
  // One after the other: together they are more than two cores bear, and what is slow is not what people see.
  await takeConsolePictures(browser, world.service, { folder, part, isForDocuments });
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await browser.close();
  await world.close();
  await database.stop();
  print(`The pictures are in ${folder}`);
}

await runByHand('screenshots', async (signal) => {
  await unlessAborted(signal, takeAll());
  return hasFailed ? 1 : 0;
});
