// HTML templates that escape all interpolated values.

export type Html = { readonly html: string };
type Value = Html | string | number | false | undefined | readonly Value[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const NEEDS_ESCAPING = /[&<>"']/;
const escapeHtml = (text: string): string =>
  NEEDS_ESCAPING.test(text) ? text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign) : text;

function toText(value: Value): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  if ('html' in value) return value.html;
  return value.map(toText).join('');
}

// Each place of the source gives the same strings, however often it is asked.
const tidied = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Removes the indentation of the source; interpolated values keep theirs. */
function tidy(strings: TemplateStringsArray): readonly string[] {
  const known = tidied.get(strings);
  if (known) return known;
  const made = strings.map((piece) => piece.replaceAll(/\n\s+/g, '\n'));
  tidied.set(strings, made);
  return made;
}

export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const pieces = tidy(strings);
  let text = pieces[0] ?? '';
  for (const [at, value] of values.entries()) text += toText(value) + (pieces[at + 1] ?? '');
  return { html: text };
}
