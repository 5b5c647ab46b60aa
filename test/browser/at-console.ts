// A browser at the console of the Kassa that files share: pages are lent, and opened as somebody who is signed in already.
import { after, before } from 'node:test';
import type { TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import type { Visitor } from '../support/console.ts';
import { openLender } from '../support/lent-contexts.ts';
import type { Lender } from '../support/lent-contexts.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

export type AtConsole = {
  readonly service: SharedService;
  /** Passkeys are made for a name. */
  readonly site: string;
  /** A page of their own, until the test ends; without a visitor, nobody is signed in. */
  readonly open: (
    t: TestContext,
    visitor: Visitor | undefined,
    path: string,
    options?: BrowserContextOptions,
  ) => Promise<Page>;
};

/** To be called once by a test file; what it gives can be called by its tests. */
export function atConsole(): () => AtConsole {
  let service: SharedService;
  let browser: Browser;
  let lender: Lender;
  before(async () => {
    service = shareService();
    browser = await openBrowser();
    lender = openLender(browser, [service.url, siteOf(service)]);
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });
  return () => ({
    service,
    site: siteOf(service),
    open: async (t, visitor, path, options) => {
      const page = await lender.lend(options);
      const context = page.context();
      t.after(() => lender.takeBack(context));
      const [name = '', value = ''] = visitor?.cookie.split('=') ?? [];
      if (visitor) await context.addCookies([{ name, value, url: siteOf(service) }]);
      await page.goto(`${siteOf(service)}${path}`);
      return page;
    },
  });
}

const siteOf = ({ url }: SharedService): string => url.replace('127.0.0.1', 'localhost');
