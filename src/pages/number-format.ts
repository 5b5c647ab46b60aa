// Cached number formats, by language and options: creating one takes longer than using it a thousand times.
import { localeOf } from './language.ts';
import type { Language } from './language.ts';

const kept = new Map<string, Intl.NumberFormat>();

export function numberFormat(language: Language, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const format = kept.get(key) ?? new Intl.NumberFormat(localeOf(language), options);
  kept.set(key, format);
  return format;
}
