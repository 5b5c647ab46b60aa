// HTML as a template that escapes whatever is put into it, so that nothing can be forgotten.

export type Html = { readonly html: string };
type Value = Html | string | number | false | undefined | readonly Value[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

function toText(value: Value): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  if ('html' in value) return value.html;
  return value.map(toText).join('');
}

export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  // The indentation of the source is nobody's business; what is put in keeps its own.
  const raw = strings.map((piece) => piece.replaceAll(/\n\s+/g, '\n'));
  return { html: String.raw({ raw }, ...values.map(toText)) };
}
