// Reads texts/NAME.LANG.json. A language is loaded with the first page that uses it, since most services need only two or
// three.
import { readFileSync } from 'node:fs';
import type { Language } from './language.ts';

const FOLDER = new URL('../../texts/', import.meta.url);

/** The texts of these files, by language. The check holds that all of them have what English has. */
export function textsIn<Texts>(name: string): (language: Language) => Texts {
  const kept = new Map<Language, Texts>();
  return (language) => {
    const known = kept.get(language);
    if (known !== undefined) return known;
    const texts = JSON.parse(readFileSync(new URL(`${name}.${language}.json`, FOLDER), 'utf8')) as Texts;
    kept.set(language, texts);
    return texts;
  };
}
