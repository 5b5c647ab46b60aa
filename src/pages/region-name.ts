// What a country is called in a language.
import { localeOf } from './language.ts';
import type { Language } from './language.ts';

// Cached, since creating it takes longer than using it a thousand times.
const kept = new Map<Language, Intl.DisplayNames>();

/** By the two letters of ISO 3166; the letters where the language has no name for it. */
export function regionName(letters: string, language: Language): string {
  const names = kept.get(language) ?? new Intl.DisplayNames([localeOf(language)], { type: 'region' });
  kept.set(language, names);
  return names.of(letters) ?? letters;
}
