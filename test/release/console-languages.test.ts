// Goal: every page of the console can be read in every language, on a phone and on a desk: nothing is wider than the
// screen, and no text is missing or left with its braces. Method: all pages are read in each language; a real Chromium
// walks over them in those with the longest words, at both widths; forms of money with their script.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { LANGUAGES } from '../../src/pages/language.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { inviteTo } from '../support/console.ts';
import { depth } from '../support/depth.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const WIDTHS = [1280, 390] as const;
// What fits in these fits in the others: those with the longest words and sentences.
const WIDEST = new Set<string>(depth({ daily: ['de'], release: ['en', 'de', 'fi', 'fr'] }));

/** What is wrong with the page at its width, by what people see of it. */
const LOOK = `(() => {
  const text = document.body.innerText;
  const names = [...document.querySelectorAll('[aria-label], [title], [placeholder]')].flatMap((element) =>
    ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name)).filter((name) => name !== null),
  );
  const bare = [...document.querySelectorAll('button, summary, th, label, h1, h2, a.button')].filter(
    (element) => element.offsetParent !== null && !element.textContent.trim() && !element.getAttribute('aria-label'),
  );
  return {
    tooWide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    braces: [text, ...names].flatMap((each) => each.match(/\\{[a-zA-Z]+\\}|undefined|\\[object/g) ?? []),
    empty: bare.map((element) => element.outerHTML.slice(0, 120)),
  };
})()`;

async function findFaults(page: Page, where: string): Promise<string[]> {
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const { tooWide, braces, empty } = (await page.evaluate(LOOK)) as {
      tooWide: number;
      braces: string[];
      empty: string[];
    };
    if (tooWide > 0) faults.push(`${where} at ${width}: ${tooWide} pixels too wide`);
    faults.push(...[...braces, ...empty].map((what) => `${where}: ${what}`));
  }
  return faults;
}

describe('the console in every language', () => {
  let service: SharedService;
  let browser: Browser;
  before(async () => {
    service = shareService();
    browser = await openBrowser();
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  test('all pages, on a phone and on a desk', async (t) => {
    const { merchant, client } = await service.openShop();
    const paymentId = await client.createReserved(1_234_500);
    const charged = await client.createReserved(99_000);
    await client.refund(await client.charge(charged, 50_000), 10_000);
    const unpaid = await client.create();
    const { webhookId } = (await client.must(201, 'POST', '/v1/webhooks', {
      url: 'https://shop.example/hook',
    })) as {
      webhookId: string;
    };
    const { link } = await inviteTo(service, merchant.id, 'admin');
    const page = await openPage(browser, { viewport: { width: 1280, height: 900 }, timezoneId: 'Europe/Helsinki' });
    t.after(() => page.context().close());
    await page.goto(link);
    await page.waitForURL(/\/console\/\d+\//);
    const home = `/console/${merchant.id}`;
    const pages = [
      '/console/account',
      '/console/account/password',
      `${home}/overview`,
      `${home}/payments`,
      `${home}/payments?state=created&method=CARD&least=1`,
      `${home}/payments/${paymentId}`,
      `${home}/payments/${charged}`,
      `${home}/payments/${paymentId}/charge`,
      `${home}/payments/${charged}/refund`,
      `${home}/payments/${paymentId}/erase`,
      `${home}/payments/${unpaid}`,
      `${home}/payments/${unpaid}/terminate`,
      `${home}/requests`,
      `${home}/webhooks`,
      `${home}/webhooks/${webhookId}`,
      `${home}/keys`,
      `${home}/sandbox`,
      `${home}/team`,
      `${home}/audit`,
      `${home}/settings`,
      '/console/sign-in',
    ];
    const faults: string[] = [];
    const titles = new Map<string, Set<string>>();
    for (const language of LANGUAGES) {
      await page.goto(`${service.url}/console/account`);
      await page.locator('select[name=language]').selectOption(language);
      await Promise.all([page.waitForURL(/account$/), page.locator('form[action$="/language"] button').click()]);
      for (const path of pages) {
        const answer = await page.request.get(service.url + path);
        const html = await answer.text();
        const where = `${path.replace(home, '')} in ${language}`;
        if (answer.status() !== 200) faults.push(`${where}: ${answer.status()}`);
        // Who is signed in reads the page of signing in as the browser asks.
        const lang = path === '/console/sign-in' ? 'en' : language;
        if (!html.includes(`<html lang="${lang}"`)) faults.push(`${where}: ${html.slice(0, 80)}`);
        // What scripts are handed has its braces.
        const said = html.replaceAll(/\sdata-[a-z-]+="[^"]*"/g, '');
        faults.push(
          ...(said.match(/\{[a-zA-Z]+\}|>undefined|"undefined"|\[object/g) ?? []).map((what) => `${where}: ${what}`),
        );
        titles.set(path, (titles.get(path) ?? new Set()).add(/<h1[^>]*>(?<text>[^<]*)/.exec(html)?.[1] ?? ''));
        if (!WIDEST.has(language)) continue;
        await page.goto(service.url + path);
        faults.push(...(await findFaults(page, where)));
      }
    }
    assert.deepEqual(faults, []);
    // A page that is not translated has the same heading everywhere.
    for (const path of [`${home}/overview`, `${home}/keys`, `${home}/payments/${paymentId}/charge`])
      assert.ok((titles.get(path)?.size ?? 0) >= 8, `${path}: ${[...(titles.get(path) ?? [])].join(', ')}`);
  });

  test('the form of a charge speaks as its page does, with the script', async (t) => {
    const { merchant, client } = await service.openShop();
    const paymentId = await client.createReserved(1_234_500);
    const { link } = await inviteTo(service, merchant.id, 'operator');
    const page = await openPage(browser, { locale: 'de-DE' });
    t.after(() => page.context().close());
    await page.goto(link);
    await page.waitForURL(/\/console\/\d+\//);
    await page.goto(`${service.url}/console/${merchant.id}/payments/${paymentId}/charge`);
    await page.getByLabel('Ein Betrag').check();
    await page.getByLabel('Betrag in SEK').fill('99999');
    await page.getByText('Nur 12.345,00 SEK sind übrig.').waitFor();
    await page.getByLabel('Betrag in SEK').fill('345,5');
    await page.getByText(/11\.999,50\u00a0SEK bleiben reserviert\./).waitFor();
    await page.getByRole('button', { name: 'Weiter' }).click();
    await page.getByRole('button', { name: '345,50 SEK einziehen' }).click();
    await page.getByText('345,50 SEK eingezogen.').waitFor();
  });
});
