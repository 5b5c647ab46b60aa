// Browser contexts that the tests of a file use one after the other. A new one costs a process of Chromium's that
// compiles every script anew, more than most tests do in it; so a context is kept, emptied when a test gives it back,
// and lent again. No two borrowers ever have the same one. A context that does not open a page or cannot be emptied in any
// sensible time is left, and another one made: nothing else would end that wait.
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { openPage } from './browser.ts';

type Kept = {
  readonly asked: string;
  readonly context: BrowserContext;
  /** Its first page stays, and its process with it. */
  readonly first: Page;
  readonly session: CDPSession;
  isLent: boolean;
};

export type Lender = {
  /** A new page in a context that has nothing of others in it but what the browser cached. */
  lend(options?: BrowserContextOptions): Promise<Page>;
  /** Closes all pages of the context and forgets what they left behind. */
  takeBack(context: BrowserContext): Promise<void>;
};

// They take milliseconds.
const LONGEST_STEP_MS = 120_000;

/** Undefined when it takes too long. */
async function inTime<Value>(step: Promise<Value>): Promise<Value | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), LONGEST_STEP_MS);
  try {
    return await Promise.race([step, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** `origins` are those of pages that store something in the browser. What moves in a page would only be waited for. */
export function openLender(browser: Browser, origins: readonly string[]): Lender {
  const kept = new Set<Kept>();
  const make = async (asked: string, options: BrowserContextOptions): Promise<Kept> => {
    const first = await openPage(browser, options);
    const context = first.context();
    const one = { asked, context, first, session: await context.newCDPSession(first), isLent: true };
    kept.add(one);
    context.once('close', () => kept.delete(one));
    return one;
  };
  const empty = async ({ context, first, session }: Kept): Promise<true> => {
    for (const page of context.pages()) if (page !== first) await page.close();
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.setOffline(false);
    await context.clearCookies();
    await context.clearPermissions();
    for (const origin of origins) await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    return true;
  };
  return {
    async lend(options = {}) {
      const given = { reducedMotion: 'reduce', ...options } as const;
      const asked = JSON.stringify(given);
      const free = [...kept].find((one) => !one.isLent && one.asked === asked);
      if (free) free.isLent = true;
      const page = free && (await inTime(free.context.newPage()));
      return page ?? (await make(asked, given)).context.newPage();
    },
    async takeBack(context) {
      const one = [...kept].find((some) => some.context === context);
      // A test may have closed it: its browser was gone.
      if (!one) return;
      one.isLent = (await inTime(empty(one))) === undefined;
    },
  };
}
