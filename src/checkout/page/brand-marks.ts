// The marks of card brands, drawn here in a few shapes: they say at a glance which cards are taken, and which one is being
// typed. Each stands beside words that say the same, so that screen readers skip them.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';

const word = (text: string, fill: string, length: number, italic = false): string =>
  `<text x="16" y="13.6" fill="${fill}" font-family="Arial,Helvetica,sans-serif" font-size="9" font-weight="700"` +
  `${italic ? ' font-style="italic"' : ''} text-anchor="middle" textLength="${length}">${text}</text>`;

const circles = (left: string, middle: string, right: string): string =>
  `<circle cx="12.5" cy="10" r="6" fill="${left}"/><circle cx="19.5" cy="10" r="6" fill="${right}"/>` +
  `<path d="M16 5.13a6 6 0 0 1 0 9.74 6 6 0 0 1 0-9.74" fill="${middle}"/>`;

const WHITE = '#fff';
const MARKS: Readonly<Record<string, readonly [ground: string, drawing: string]>> = {
  visa: [WHITE, word('VISA', '#1434cb', 22, true)],
  mastercard: [WHITE, circles('#eb001b', '#ff5f00', '#f79e1b')],
  maestro: [WHITE, circles('#eb001b', '#7375cf', '#00a2e5')],
  amex: ['#006fcf', word('AMEX', WHITE, 24)],
};

const markOf = (brand: string): Html => ({
  html: `<svg class="mark mark-${brand}" width="32" height="20" aria-hidden="true"><use href="#mark-${brand}"/></svg>`,
});

/** Drawn once in a page, and used wherever a mark is shown. */
export const BRAND_MARKS: Html = {
  html:
    '<svg hidden aria-hidden="true">' +
    Object.entries(MARKS)
      .map(
        ([brand, [ground, drawing]]) =>
          `<symbol id="mark-${brand}" viewBox="0 0 32 20"><rect x=".5" y=".5" width="31" height="19" rx="3.5" ` +
          `fill="${ground}" stroke="#8886"/>${drawing}</symbol>`,
      )
      .join('') +
    '</svg>',
};

/** Beside the choice of a card: of the methods that the shop left on, those that have one. */
export function takenMarks(methods: readonly string[]): Html {
  const brands = methods.map((name) => name.toLowerCase()).filter((brand) => brand in MARKS);
  return html`<span class="marks">${brands.map(markOf)}</span>`;
}

/** Beside the number: the page's script names the brand, which shows its mark, or its name where there is none. */
export const TYPED_MARK: Html = html`<span class="brand" data-brand="" aria-hidden="true"
  >${Object.keys(MARKS).map(markOf)}<span class="brand-name"></span
></span>`;
