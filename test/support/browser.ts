// A real Chromium for tests: the machine's own, or Debian's package where there is none and we may install it. A process
// starts one for all test files that it runs, since a start costs more than most tests do. Pages are opened in contexts
// of their own, so that nothing is shared, and everything ends with the file.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, BrowserContextOptions, LaunchOptions, Page } from 'playwright-core';
import { countContext } from './counts.ts';
import { requireProgram } from './debian-package.ts';

// The first is Chromium without windows, which takes a third less of the processor for the same pages.
const KNOWN = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

// Of all features that are off, those that Playwright wants off, because the last such flag is the only one that counts;
// and the pages that fill the address bar of every window, which nobody sees and which cost as much as the page itself.
const WITHOUT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'IsolateOrigins',
  'site-per-process',
];

// The browser's own services would look for hosts that a closed network does not have.
const FLAGS = [
  `--disable-features=${WITHOUT.join(',')}`,
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-site-isolation-trials',
  // The tabs of a context share a process.
  '--renderer-process-limit=1',
  // A page lives for a second: optimizing its scripts takes longer than they run, and threads that collect garbage take
  // more of the processor than they save.
  '--js-flags=--no-opt --no-maglev --max-lazy --single-threaded-gc',
];

const TIMEOUT_MS = 180_000;

const findChromium = (): string | undefined =>
  [process.env['CHROMIUM_PATH'] ?? '', ...KNOWN].find((path) => path !== '' && existsSync(path));

/** Its path; installed where it is not there and may be. */
export const requireChromium = (): Promise<string> =>
  requireProgram({
    find: findChromium,
    packages: ['chromium-headless-shell', 'chromium'],
    with: ['fonts-liberation'],
    neededBy: 'the browser tests need',
    otherwise: ', or set CHROMIUM_PATH to a Chromium',
  });

const launchOptions = async (): Promise<LaunchOptions> => ({
  executablePath: await requireChromium(),
  args: process.getuid?.() === 0 ? [...FLAGS, '--no-sandbox'] : FLAGS,
});

/** A browser of one's own, for a script that closes it and ends. */
export const launchBrowser = async (): Promise<Browser> => chromium.launch(await launchOptions());

let ofProcess: Promise<Browser> | undefined;

/** Runs until the process exits, which ends it. One that crashed is replaced. */
async function startForProcess(): Promise<Browser> {
  const browser = await launchBrowser();
  browser.once('disconnected', () => (ofProcess = undefined));
  return browser;
}

/** The browser of this process, for one test file: `close` closes what the file opened in it, and the browser runs on. */
export async function openBrowser(): Promise<Browser> {
  const browser = await (ofProcess ??= startForProcess());
  const contexts = new Set<BrowserContext>();
  return Object.assign(Object.create(browser) as Browser, {
    async newContext(options?: BrowserContextOptions): Promise<BrowserContext> {
      countContext();
      const context = await browser.newContext(options);
      contexts.add(context);
      context.once('close', () => contexts.delete(context));
      return context;
    },
    async close(): Promise<void> {
      await Promise.all(Array.from(contexts, (context) => context.close()));
    },
  });
}

/** After the last file of a process. */
export async function closeBrowser(): Promise<void> {
  await (await ofProcess)?.close();
}

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};

/** A page in a context of its own. Whatever the page complains of, and whatever it asks of strangers, is collected. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  return context.newPage();
}
