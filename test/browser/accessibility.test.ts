// Goal: everybody can use the checkout in every state it can be in: nothing that axe knows of is wrong, on a phone of 320
// pixels and on a desktop, in the light and in the dark, and nothing is wider than the screen. Method: a real Chromium
// goes through the list of all states.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { findAxeViolations } from '../support/browser.ts';
import { CHECKOUT_STATES } from './checkout-states.ts';
import { DESKTOP, findCut, NARROW, openStates, ourFrames, SCHEMES } from './look-at-states.ts';

const openState = openStates();

/** Frames are documents of their own, each with its landmarks; axe takes them for one when it is in several of them. */
async function findViolations(page: Page): Promise<string[]> {
  const frames = ourFrames(page);
  const found: string[] = [];
  for (const frame of frames) found.push(...(await findAxeViolations(frame)));
  return frames.length === 1 ? found : found.filter((violation) => !violation.startsWith('landmark-unique:'));
}

// Colours do not depend on the width, so most states are looked at light and wide, then dark and narrow. Those with the
// most parts, some of which only one width has, are looked at in all four ways.
const MANIFOLD = new Set(['form-unfolded', 'form-errors', 'challenge-dialog', 'embedded-auto', 'demo', 'demo-order']);
const WAYS = SCHEMES.flatMap((colorScheme) => [DESKTOP, NARROW].map((viewport) => ({ colorScheme, viewport })));
const waysOf = (name: string) =>
  WAYS.filter(
    ({ colorScheme, viewport }) => MANIFOLD.has(name) || (colorScheme === 'light') === (viewport === DESKTOP),
  );

/** What the states that were looked at say of themselves. */
const seen = new Map<string, string | null>();

for (const { name } of CHECKOUT_STATES)
  test(`${name}: axe finds nothing, and nothing is wider than the screen`, async (t) => {
    const page = await openState(t, name);
    seen.set(name, await page.getAttribute('body', 'data-state'));
    for (const { colorScheme, viewport } of waysOf(name)) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      const found = [...(await findCut(page)), ...(await findViolations(page))];
      assert.deepEqual(found, [], `${colorScheme}, ${viewport.width} pixels wide`);
    }
  });

test('the list of states reaches what its names say', () => {
  const expected: Readonly<Record<string, string>> = {
    form: 'open',
    paid: 'paid',
    pending: 'pending',
    expired: 'expired',
    terminated: 'terminated',
    unavailable: 'unavailable',
    bank: 'challenge',
    'after-bank': 'challenge-finished',
    'fault-database-away': 'fault',
  };
  for (const [name, state] of Object.entries(expected)) assert.equal(seen.get(name), state, name);
});
