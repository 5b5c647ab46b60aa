// Goal: the checkout can be read and used at twice the size, in the longest of its languages, and with colours that the
// consumer's system forces on it. Method: a real Chromium goes through the states that have the most to lose.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { depth } from '../support/depth.ts';
import { DESKTOP, findCut, NARROW, openStates, ourFrames, SCHEMES } from '../browser/look-at-states.ts';

const openState = openStates();

const MAGNIFIED = [
  'form-errors',
  'form-company-invoice',
  'declined',
  'challenge-dialog',
  'bank',
  'paid',
  'embedded',
  'demo',
  'demo-order',
];

describe('at twice the size', () => {
  for (const name of MAGNIFIED)
    test(`${name}: nothing is cut or out of reach, whether all is magnified or the text alone`, async (t) => {
      // A screen of 1280 pixels shows half as many when all is magnified.
      const page = await openState(t, name, { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 });
      assert.deepEqual(await findCut(page), []);
      await page.setViewportSize(DESKTOP);
      for (const frame of ourFrames(page)) await frame.evaluate('document.documentElement.style.fontSize = "200%"');
      assert.deepEqual(await findCut(page), []);
    });

  test('the longest words of the languages fit a phone of 320 pixels', async (t) => {
    const page = await openState(t, 'form-errors', { viewport: NARROW });
    const all = ['sv', 'nb', 'da', 'fi', 'de', 'fr', 'nl', 'es', 'pl'];
    for (const language of depth({ daily: ['fi', 'de'], release: all })) {
      await page.locator('#language').selectOption(language);
      await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' });
      await page.locator('[name=consumerType][value=B2B]').check();
      await page.locator('[name=separateBilling]').check();
      await page.locator('#pay').click();
      await page.locator('#form-error:not(:empty)').waitFor();
      assert.deepEqual(await findCut(page), [], language);
    }
  });
});

describe('with forced colours', () => {
  type Look = {
    readonly border: string;
    readonly background: string;
    readonly width: number;
    readonly outline: string;
  };
  const LOOK = `(() => {
    const { borderTopColor, backgroundColor, borderTopWidth, borderTopStyle, outlineStyle } = getComputedStyle(look);
    const width = borderTopStyle === 'none' ? 0 : parseFloat(borderTopWidth);
    return { border: borderTopColor, background: backgroundColor, width, outline: outlineStyle };
  })()`;
  const brandingOf = (page: Page, selector: string): Promise<Look> =>
    page.evaluate(`globalThis.look = document.querySelector('${selector}'); ${LOOK}`);

  for (const colorScheme of SCHEMES)
    test(`${colorScheme}: the button and the fields have an edge, and the focus is seen`, async (t) => {
      const page = await openState(t, 'form', { forcedColors: 'active', colorScheme });
      for (const selector of ['#pay', '#consumer-email', '#consumer-shippingAddress-country']) {
        const { border, background, width, outline } = await brandingOf(page, selector);
        assert.ok(width >= 1 && border !== background, selector);
        await page.locator(selector).focus();
        const focused = await brandingOf(page, selector);
        assert.notEqual(focused.outline, 'none', selector);
        assert.equal(outline, 'none', selector);
      }
      assert.notEqual((await brandingOf(page, '.method:has(:checked)')).outline, 'none');
      assert.equal((await brandingOf(page, '.method:not(:has(:checked))')).outline, 'none');
    });

  test('the button of a page that says one thing, and those of the bank, have an edge', async (t) => {
    const paid = await openState(t, 'paid', { forcedColors: 'active' });
    const looks = [await brandingOf(paid, '#return')];
    const bank = await openState(t, 'bank', { forcedColors: 'active' });
    for (const value of ['approve', 'reject']) looks.push(await brandingOf(bank, `[value=${value}]`));
    for (const { border, background, width } of looks) assert.ok(width >= 1 && border !== background);
  });
});
