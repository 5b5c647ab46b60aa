// A real Chromium for tests: the machine's own, or Debian's package where there is none and we may install it. A run starts
// one for all of its files. Pages are opened in contexts of their own, so that nothing is shared, and everything ends
// with the test.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, BrowserServer, Frame, LaunchOptions, Page } from 'playwright-core';
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

const requireChromium = (): string =>
  requireProgram({
    find: findChromium,
    packages: ['chromium-headless-shell', 'chromium'],
    with: ['fonts-liberation'],
    neededBy: 'the browser tests need',
    otherwise: ', or set CHROMIUM_PATH to a Chromium',
  });

const launchOptions = (): LaunchOptions => ({
  executablePath: requireChromium(),
  args: process.getuid?.() === 0 ? [...FLAGS, '--no-sandbox'] : FLAGS,
});

/** The browser of a whole run, which its files find by their environment. */
export const serveBrowser = (): Promise<BrowserServer> => chromium.launchServer(launchOptions());

/** A browser for one test file, the run's or one of its own; close it after, which ends only what is its own. */
export function openBrowser(): Promise<Browser> {
  const shared = process.env['TEST_BROWSER_URL'];
  return shared === undefined ? chromium.launch(launchOptions()) : chromium.connect(shared);
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

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds wrong on a page or in a frame, by WCAG 2.2 AA and its best practices; empty when nothing. */
export async function findAxeViolations(page: Page | Frame): Promise<string[]> {
  // Not as a script of the page, which its policy would forbid; once for a document, since it is large.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(AXE);
  const results = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)}, resultTypes: ['violations'], preload: false })`,
  );
  const { violations } = results as { violations: { id: string; help: string; nodes: { html: string }[] }[] };
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
