// The shop's theme in an embedded checkout. A shop may set colours, the font and the shape of the button, by names from
// a list and with values that the browser takes for such a property; nothing of it can load anything or reach further.

// The name in the theme, and the CSS property that says which values it may have.
const PROPERTIES: Readonly<Record<string, string>> = {
  textColor: 'color',
  linkColor: 'color',
  panelTextColor: 'color',
  panelLinkColor: 'color',
  primaryColor: 'color',
  buttonTextColor: 'color',
  backgroundColor: 'color',
  panelColor: 'color',
  outlineColor: 'color',
  primaryOutlineColor: 'color',
  placeholderColor: 'color',
  buttonRadius: 'border-radius',
  fontFamily: 'font-family',
  buttonFontWeight: 'font-weight',
  buttonTextTransform: 'text-transform',
};
// Of text on the button; white and black are the two ends, one of which always has enough contrast.
const DARK_TEXT = '#000';
const LIGHT_TEXT = '#fff';

const toProperty = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function isHarmless(property: string, value: string): boolean {
  return (
    value.length <= 200 &&
    !/[;{}\\<]|\b(?:url|image|image-set|var|env|attr)\s*\(/i.test(value) &&
    CSS.supports(property, value)
  );
}

/** The relative luminance of WCAG, of any colour that the browser can paint. */
function luminanceOf(color: string): number | undefined {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return undefined;
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((byte) => {
    const part = byte / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// At this luminance black and white text have the same contrast: (L + 0.05)² = 1.05 · 0.05.
const EVEN_LUMINANCE = 0.179;

/** The shop's theme as it came over the window's border: anything may be in it. A new theme replaces the one before. */
export function applyTheme(theme: unknown): void {
  const { style, dataset } = document.documentElement;
  for (const name of Object.keys(PROPERTIES)) style.removeProperty(toProperty(name));
  if (typeof theme !== 'object' || theme === null) return;
  const values = theme as Readonly<Record<string, unknown>>;
  for (const [name, property] of Object.entries(PROPERTIES)) {
    const given = values[name];
    // A bare number is a weight of the font, or the pixels of a radius.
    const value = typeof given === 'number' ? `${given}${name === 'buttonRadius' ? 'px' : ''}` : given;
    if (typeof value === 'string' && isHarmless(property, value)) style.setProperty(toProperty(name), value);
  }
  const primary = style.getPropertyValue('--primary-color');
  if (primary && !style.getPropertyValue('--button-text-color')) {
    const luminance = luminanceOf(primary) ?? 0;
    style.setProperty('--button-text-color', luminance > EVEN_LUMINANCE ? DARK_TEXT : LIGHT_TEXT);
  }
  const scheme = values['colorScheme'];
  if (scheme === 'auto') delete dataset['theme'];
  else dataset['theme'] = scheme === 'dark' ? 'dark' : 'light';
}
