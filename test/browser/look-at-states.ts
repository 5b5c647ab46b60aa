// Looking at the states of the checkout one by one, each in a browser context of its own: what a test file needs that
// goes through all of them or some.
import { after, before } from 'node:test';
import type { TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { cloneDatabase } from '../support/database.ts';
import { openLender } from '../support/lent-contexts.ts';
import type { Lender } from '../support/lent-contexts.ts';
import { CHECKOUT_STATES, openWorld } from './checkout-states.ts';
import type { World } from './checkout-states.ts';
import { namesOf } from './paying-page.ts';

export const SCHEMES = ['light', 'dark'] as const;
export const DESKTOP = { width: 1280, height: 900 };
export const NARROW = { width: 320, height: 640 };

let world: World;

type OpenState = (t: TestContext, name: string, options?: BrowserContextOptions) => Promise<Page>;

/** To be called once by a test file. What it gives opens a page in a state, which ends with the test. */
export function openStates(): OpenState {
  let browser: Browser;
  let lender: Lender;
  before(async () => {
    world = await openWorld(await cloneDatabase());
    browser = await openBrowser();
    lender = openLender(browser, namesOf(world.service.url));
  });
  after(async () => {
    await browser?.close();
    await world?.close();
  });
  return async (t, name, options = {}) => {
    const state = CHECKOUT_STATES.find((one) => one.name === name);
    if (state === undefined) throw new Error(`there is no state ${name}`);
    const page = await lender.lend({ viewport: DESKTOP, ...options });
    t.after(async () => {
      state.hide?.(world);
      await lender.takeBack(page.context());
    });
    await state.show(page, world);
    return page;
  };
}

/** The pages and frames that are ours, and not the shop's around them. */
export const ourFrames = (page: Page): Frame[] =>
  page.frames().filter((frame) => frame.url().startsWith('http') && !frame.url().startsWith(world.site.origin));

/**
 * What does not fit: a page that scrolls sideways, and words that are cut off or stand outside. What is meant for those
 * who listen is one pixel large, and code may scroll in a box of its own.
 */
const FIND_CUT = `(() => {
  const root = document.documentElement;
  const found = root.scrollWidth > root.clientWidth ? ['the page is ' + root.scrollWidth + ' wide'] : [];
  for (const element of document.body.querySelectorAll('*')) {
    const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    if (!isText || element.closest('.visually-hidden, script, noscript, option, pre, svg')) continue;
    if (!element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) continue;
    const { left, right, width, height } = element.getBoundingClientRect();
    if (width <= 1 || height <= 1) continue;
    const { overflowX, overflowY, display } = getComputedStyle(element);
    const isCut = display !== 'inline' &&
      ((overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1) ||
        (overflowY === 'hidden' && element.scrollHeight > element.clientHeight + 1) ||
        (element.localName === 'button' && element.scrollWidth > element.clientWidth + 1));
    // What is all the way out on the left is put there, as links are that come in with the focus.
    const isOutside = (left < -1 && right > 0) || right > root.clientWidth + 1;
    if ((isCut || isOutside) && !element.closest('code, .code')) found.push(element.outerHTML.slice(0, 160));
  }
  return found;
})()`;

export const findCut = async (page: Page): Promise<string[]> =>
  (await Promise.all(ourFrames(page).map((frame) => frame.evaluate<string[]>(FIND_CUT)))).flat();
