// What can be wrong with a page for those who see it or use the keyboard, found in the page itself: what is wider than the
// screen or cut off, and what the Tab key does not reach or reaches unseen.
import type { Page } from 'playwright-core';

/** Controls that are shown, each once; of radios with one name the keyboard reaches one. */
const CONTROLS = `(() => {
  const dialog = document.querySelector('dialog[open]');
  const names = new Set();
  return [...(dialog ?? document).querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]')].filter((control) => {
    const isShown = control.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
    if (control.disabled || !isShown) return false;
    if (control.type !== 'radio') return true;
    const isFirst = !names.has(control.name);
    names.add(control.name);
    return isFirst;
  });
})()`;

const NAME_OF = `(control) => control.outerHTML.replace(/\\s+/g, ' ').slice(0, 120)`;

/** A page that scrolls sideways, and controls that are outside of the screen or of what cuts them off. */
const FIND_HIDDEN = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const found = scrollWidth > clientWidth ? ['the page is ' + scrollWidth + ' wide'] : [];
  for (const control of ${CONTROLS}) {
    const { left, right, width } = control.getBoundingClientRect();
    if (width <= 1 || control.matches('.skip')) continue;
    for (let around = control.parentElement; around; around = around.parentElement) {
      const { overflowX } = getComputedStyle(around);
      if (overflowX === 'auto' || overflowX === 'scroll') break;
      const cut = around.getBoundingClientRect();
      if ((overflowX === 'hidden' || overflowX === 'clip') && (left < cut.left - 1 || right > cut.right + 1))
        found.push('cut off: ' + (${NAME_OF})(control));
    }
  }
  return found;
})()`;

export const findHidden = (page: Page): Promise<string[]> => page.evaluate<string[]>(FIND_HIDDEN);

const WATCH_FOCUS = `(() => {
  window.reached = new Set();
  window.unseen = new Set();
  document.addEventListener('focusin', ({ target }) => {
    window.reached.add(target);
    const { outlineStyle, outlineWidth } = getComputedStyle(target);
    if (outlineStyle === 'none' || parseFloat(outlineWidth) === 0) window.unseen.add(target);
  });
  const controls = ${CONTROLS};
  // A field for a date has a stop for each of its parts.
  return controls.length + 8 * controls.filter(({ type }) => type === 'datetime-local').length + 2;
})()`;

const FIND_UNREACHED = `(() => {
  const isReached = (control) => control.type === 'radio'
    ? [...window.reached].some(({ name }) => name === control.name)
    : window.reached.has(control);
  const nameOf = ${NAME_OF};
  return [
    ...${CONTROLS}.filter((control) => !isReached(control)).map((control) => 'not reached: ' + nameOf(control)),
    ...[...window.unseen].map((control) => 'reached unseen: ' + nameOf(control)),
  ];
})()`;

const TAB = { type: 'rawKeyDown', key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 } as const;

/** Goes round the page with the Tab key. What holds the focus keeps it from the others, so a trap is found as well. */
export async function findUnreached(page: Page): Promise<string[]> {
  const stops = await page.evaluate<number>(WATCH_FOCUS);
  // By the protocol of the browser, which keeps them in order: a press that is waited for costs three times as much.
  const session = await page.context().newCDPSession(page);
  await Promise.all(Array.from({ length: stops }, () => session.send('Input.dispatchKeyEvent', TAB)));
  await session.detach();
  return page.evaluate<string[]>(FIND_UNREACHED);
}
