// The style of a merchant's colour. It depends only on six hex digits, so it needs no lookup and browsers can cache it
// forever. A colour with too little contrast is made lighter or darker, and the text on it is black or white.

type Rgb = readonly [red: number, green: number, blue: number];

// The page's own grounds, as web/checkout/base.css has them.
const LIGHT_GROUND: Rgb = [255, 255, 255];
const DARK_GROUND: Rgb = [24, 32, 29];
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
// WCAG contrast of controls and text; a little more for text, since the page background is not quite as light or dark.
const LEAST_CONTRAST = 3;
const LEAST_CONTRAST_OF_TEXT = 5;
const STEPS = 20;

/** The relative luminance of WCAG. */
function luminanceOf(colour: Rgb): number {
  const [red, green, blue] = colour.map((byte) => {
    const part = byte / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrastOf(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const mix = (colour: Rgb, other: Rgb, share: number): Rgb =>
  colour.map((byte, index) => Math.round(byte + ((other[index] ?? 0) - byte) * share)) as unknown as Rgb;

/** The colour, or the nearest one with enough contrast. */
function visibleOn(ground: Rgb, colour: Rgb, least = LEAST_CONTRAST): Rgb {
  const away = luminanceOf(ground) > 0.5 ? BLACK : WHITE;
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = mix(colour, away, step / STEPS);
    if (contrastOf(mixed, ground) >= least) return mixed;
  }
  return away;
}

export const readRgb = (digits: string): Rgb =>
  [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as unknown as Rgb;

const toHex = (colour: Rgb): string => `#${colour.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

function rulesOn(ground: Rgb, colour: Rgb): string {
  const shown = visibleOn(ground, colour);
  const text = contrastOf(shown, WHITE) >= contrastOf(shown, BLACK) ? WHITE : BLACK;
  const link = visibleOn(ground, colour, LEAST_CONTRAST_OF_TEXT);
  return `{--primary-color:${toHex(shown)};--button-text-color:${toHex(text)};--link-color:${toHex(link)}}`;
}

/** For six hex digits. A shop's theme, which is set on the root element, takes precedence. */
export function styleOfColour(digits: string): string {
  const colour = readRgb(digits);
  const [light, dark] = [rulesOn(LIGHT_GROUND, colour), rulesOn(DARK_GROUND, colour)];
  const isDark = `@media (prefers-color-scheme:dark){:root:not([data-theme='light'])${dark}}`;
  return `:root${light}${isDark}:root[data-theme='dark']${dark}`;
}
