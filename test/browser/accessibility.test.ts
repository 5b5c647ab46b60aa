// Goal: everybody can use the checkout in every state it can be in: nothing that axe knows of is wrong, on a phone of 320
// pixels and on a desktop, in the light and in the dark, and nothing is wider than the screen. Method: a real Chromium
// goes through the list of all states.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { findInLooks } from '../support/axe.ts';
import { depth } from '../support/depth.ts';
import { CHECKOUT_STATES } from './checkout-states.ts';
import { DESKTOP, findCut, NARROW, openStates, ourFrames, SCHEMES } from './look-at-states.ts';

const openState = openStates();

// Most of what axe knows of depends neither on the colors nor on the width; before a release a state is looked at in all
// four ways.
const LOOKS = depth({
  daily: [{ colorScheme: 'light', viewport: DESKTOP }] as const,
  release: SCHEMES.flatMap((colorScheme) => [DESKTOP, NARROW].map((viewport) => ({ colorScheme, viewport }))),
});

// One of each kind of page, and of each part that only some have; before a release all. The pages of the demo shop are
// looked at where they are used, in demo.test.ts.
const DAILY = new Set([
  'form-errors',
  'form-company-invoice',
  'declined',
  'challenge-dialog',
  'after-bank',
  'paid',
  'terminated',
  'fault-wrong-key',
  'embedded',
  'subscription-consent',
  'subscription-needs-card',
]);
const STATES = depth({ daily: CHECKOUT_STATES.filter(({ name }) => DAILY.has(name)), release: CHECKOUT_STATES });

/** Frames are documents of their own, each with its landmarks; axe takes them for one when it is in several of them. */
async function findViolations(page: Page): Promise<string[]> {
  const frames = ourFrames(page);
  const found = await findInLooks(page, LOOKS, { places: () => frames, findMore: () => findCut(page) });
  return frames.length === 1 ? found : found.filter((violation) => !violation.includes(': landmark-unique:'));
}

/** What the states that were looked at say of themselves. */
const seen = new Map<string, string | null>();

for (const { name } of STATES)
  test(`${name}: axe finds nothing, and nothing is wider than the screen`, async (t) => {
    const page = await openState(t, name);
    seen.set(name, await page.getAttribute('body', 'data-state'));
    assert.deepEqual(await findViolations(page), []);
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
  for (const [name, state] of Object.entries(expected)) if (seen.has(name)) assert.equal(seen.get(name), state, name);
  assert.equal(seen.size, STATES.length);
});
