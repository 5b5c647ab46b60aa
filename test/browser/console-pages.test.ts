// Goal: everybody can use every page of the console: nothing that axe knows of is wrong, light and dark, nothing is cut off
// on a phone or on a desktop, and the keyboard alone reaches every control and shows where it is. Method: a real Chromium
// goes through the list of all states.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { findInLooks } from '../support/axe.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { depth, isRelease } from '../support/depth.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';
import { findHidden, findUnreached } from './console-look.ts';
import { CONSOLE_STATES, showState } from './console-states.ts';
import { openConsoleWorld } from './console-world.ts';
import type { ConsoleWorld } from './console-world.ts';

// Of each kind of page the state with most on it.
const DAILY: ReadonlySet<string> = new Set([
  'sign-in-refused',
  'not-here',
  'payments',
  'payments-none-found',
  'payment',
  'payment-unpaid',
  'charge',
  'refund',
  'cancel',
  'erase',
  'overview',
  'webhooks',
  'webhook',
  'keys',
  'requests',
  'sandbox-sure',
  'team',
  'audit',
  'settings',
  'account',
  'password',
  'prove',
  'second-factor',
]);

// Colours do not depend on the width, so a page is looked at light and wide, then dark and narrow; the daily run looks once
// at each address.
const WAYS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

describe('the pages of the console', () => {
  let service: SharedService;
  let world: ConsoleWorld;
  let browser: Browser;
  let page: Page;
  before(async () => {
    service = shareService();
    browser = await openBrowser();
    world = await openConsoleWorld(service);
    page = await openPage(browser, { reducedMotion: 'reduce' });
  });
  after(async () => {
    await page?.context().close();
    await browser?.close();
    await world?.close();
    await service?.close();
  });

  /** Whose other states are looked at in one way, and by keyboard where a dialog is in the way. */
  const seen = new Set<string>();

  for (const state of CONSOLE_STATES.filter(({ name }) => isRelease || DAILY.has(name)))
    test(`${state.name}: by axe, by width and by keyboard`, async () => {
      await page.setViewportSize(WAYS[0].viewport);
      await showState(page, world, state);
      const address = state.path(world);
      const isNew = !seen.has(address);
      seen.add(address);
      const ways = isNew ? WAYS.slice(0, depth({ daily: 1, release: 2 })) : WAYS.slice(1);
      const inLooks = await findInLooks(page, ways, { findMore: () => findHidden(page) });
      const found = inLooks.filter((what) => !state.isCovering || !what.includes(': target-size:'));
      await page.setViewportSize(WAYS[0].viewport);
      const hasDialog = (await page.locator('dialog[open]').count()) > 0;
      if (isNew || hasDialog) found.push(...(await findUnreached(page)));
      assert.deepEqual(found, []);
    });
});
