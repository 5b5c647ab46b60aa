// What axe finds wrong with a page, by WCAG 2.2 AA and its best practices. Most rules read the document alone: they are
// applied once to each state of a page, and after that only the rules that a color scheme or a width can break, which
// costs a fraction. Before a release all rules are applied every time.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page, ViewportSize } from 'playwright-core';
import { isRelease } from './depth.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const ALL_RULES = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
} as const;
const LOOK_RULES = { type: 'rule', values: ['color-contrast', 'target-size'] } as const;

// A frame is a document of its own, and is looked at as such. Nobody reads the selectors.
const OPTIONS = { resultTypes: ['violations'], preload: false, iframes: false, selectors: false };

type Place = Page | Frame;

async function runAxe(place: Place, runOnly: object, within = ''): Promise<string[]> {
  // Not as a script of the page, which its policy would forbid; once for a document, since it is large.
  if (!(await place.evaluate(`'axe' in window`))) await place.evaluate(AXE);
  const results = await place.evaluate(
    `axe.run(${JSON.stringify(within)} || document, ${JSON.stringify({ ...OPTIONS, runOnly })})`,
  );
  const { violations } = results as { violations: { id: string; help: string; nodes: { html: string }[] }[] };
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** By all rules, as the page is now. `within`: only a part of a very long page, unless it is before a release. */
export const findAxeViolations = (place: Place, within?: string): Promise<string[]> =>
  runAxe(place, ALL_RULES, isRelease ? undefined : within);

/** By the rules that a color scheme or a width can break; before a release by all. */
export const findLookViolations = (place: Place): Promise<string[]> =>
  runAxe(place, isRelease ? ALL_RULES : LOOK_RULES);

const PRESSED = 'button, a.button, summary, a[href]';

/** What every rule for a pointer does, done to all at once: as if it were over each. */
const HOVER = `(async () => {
  const name = 'as-if-hovered';
  const copy = (list) => {
    for (let index = list.cssRules.length - 1; index >= 0; index -= 1) {
      const rule = list.cssRules[index];
      if (rule.selectorText?.includes(':hover')) {
        const selector = rule.selectorText.replaceAll(':hover', '.' + name);
        list.insertRule(selector + ' { ' + rule.style.cssText + ' }', index + 1);
      } else if (rule.cssRules?.length > 0 && list.insertRule) copy(rule);
    }
  };
  if (!window.isHoverCopied) for (const sheet of document.styleSheets) copy(sheet);
  window.isHoverCopied = true;
  for (const element of document.querySelectorAll('*')) element.classList.add(name);
  await Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})));
  return document.querySelector('${PRESSED}') !== null;
})()`;
const LEAVE = `document.querySelectorAll('*').forEach((element) => element.classList.remove('as-if-hovered'))`;

/** What cannot be read of a button or a link while the pointer is over it. */
async function findHoverViolations(place: Place): Promise<string[]> {
  const hasAny = await place.evaluate(HOVER);
  const found = hasAny ? await runAxe(place, { type: 'rule', values: ['color-contrast'] }, PRESSED) : [];
  await place.evaluate(LEAVE);
  return found.map((what) => `under the pointer: ${what}`);
}

export type Look = { readonly colorScheme: 'light' | 'dark'; readonly viewport?: ViewportSize };

/**
 * By all rules in the first look, also under the pointer, and by those of a look in the others, with what else the caller
 * finds in each. The page is left in the last look.
 */
export async function findInLooks(
  page: Page,
  looks: readonly Look[],
  { places = () => [page], findMore }: { places?: () => Place[]; findMore?: () => Promise<string[]> } = {},
): Promise<string[]> {
  const found: string[] = [];
  for (const [index, { colorScheme, viewport }] of looks.entries()) {
    if (viewport) await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const wrong = (await findMore?.()) ?? [];
    for (const place of places())
      if (index > 0) wrong.push(...(await findLookViolations(place)));
      else wrong.push(...(await findAxeViolations(place)), ...(await findHoverViolations(place)));
    found.push(...wrong.map((what) => `${[colorScheme, viewport?.width].join(' ').trim()}: ${what}`));
  }
  return found;
}
