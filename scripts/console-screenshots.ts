// Pictures of the console: every state on a phone and on a desktop, light and dark, or the few that the documents show.
// A state is reached once and pictured in all four ways.
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { CONSOLE_STATES, showState } from '../test/browser/console-states.ts';
import { openConsoleWorld } from '../test/browser/console-world.ts';
import { openPage } from '../test/support/browser.ts';
import type { Service } from '../test/support/service.ts';

/** Payments of the last weeks, so that there are figures and the list is a full page. */
const SAMPLE = 900;
const WIDTHS = { 390: { width: 390, height: 844 }, 1280: { width: 1280, height: 900 } } as const;

type Shot = {
  readonly file: string;
  readonly width: keyof typeof WIDTHS;
  readonly colorScheme: 'light' | 'dark';
  readonly isCropped: boolean;
};

const documentShots: Readonly<Record<string, readonly Shot[]>> = {
  payments: [{ file: 'console-payments.png', width: 1280, colorScheme: 'light', isCropped: true }],
  payment: [{ file: 'console-payment.png', width: 1280, colorScheme: 'light', isCropped: true }],
  overview: [{ file: 'console-overview.png', width: 1280, colorScheme: 'dark', isCropped: true }],
};

const allShots = (name: string): readonly Shot[] =>
  ([390, 1280] as const).flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({
      file: `console-${name}-${width}-${colorScheme}.png`,
      width,
      colorScheme,
      isCropped: false,
    })),
  );

async function shoot(page: Page, folder: string, { file, width, colorScheme, isCropped }: Shot): Promise<void> {
  await page.setViewportSize(WIDTHS[width]);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.evaluate('scrollTo(0, 0)');
  // A dialog lies over the screen, and not over the whole page.
  const hasDialog = (await page.locator('dialog[open]').count()) > 0;
  await page.screenshot({ path: join(folder, file), fullPage: !isCropped && !hasDialog, caret: 'hide' });
}

/** `part`: of the names of those that are wanted; all have ''. */
type Wanted = { readonly folder: string; readonly part: string; readonly isForDocuments: boolean };

export async function takeConsolePictures(
  browser: Browser,
  service: Service,
  { folder, part, isForDocuments }: Wanted,
): Promise<void> {
  const wanted = CONSOLE_STATES.map((state) => ({
    state,
    shots: (isForDocuments ? (documentShots[state.name] ?? []) : allShots(state.name)).filter(({ file }) =>
      file.includes(part),
    ),
  })).filter(({ shots }) => shots.length > 0);
  if (wanted.length === 0) return;
  const world = await openConsoleWorld(service, SAMPLE);
  const page = await openPage(browser, { timezoneId: 'Europe/Stockholm' });
  for (const { state, shots } of wanted) {
    try {
      await page.setViewportSize(WIDTHS[1280]);
      await showState(page, world, state);
      for (const shot of shots) await shoot(page, folder, shot);
    } catch (error) {
      console.error(`console, ${state.name}: ${String(error)}`);
      process.exitCode = 1;
    }
  }
  await page.context().close();
  await world.close();
}
