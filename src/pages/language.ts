// The languages that pages are written in, and which of them somebody reads: what they chose, or what their browser asks
// for.

export const LANGUAGES = ['en', 'sv', 'nb', 'da', 'fi', 'de', 'fr', 'nl', 'es', 'pl'] as const;
export type Language = (typeof LANGUAGES)[number];

const LOCALES: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  sv: 'sv-SE',
  nb: 'nb-NO',
  da: 'da-DK',
  fi: 'fi-FI',
  de: 'de-DE',
  fr: 'fr-FR',
  nl: 'nl-NL',
  es: 'es-ES',
  pl: 'pl-PL',
};

/** Each language by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  sv: 'Svenska',
  nb: 'Norsk',
  da: 'Dansk',
  fi: 'Suomi',
  de: 'Deutsch',
  fr: 'Français',
  nl: 'Nederlands',
  es: 'Español',
  pl: 'Polski',
};

// Browsers and shops say Norwegian in three ways; whoever reads one reads the others.
const OTHER_NAMES: Readonly<Record<string, Language>> = { no: 'nb', nn: 'nb' };
// Enough for all languages that a browser names.
const LONGEST_HEADER = 500;

export const localeOf = (language: Language): string => LOCALES[language];

/** The language of a tag like sv, sv-SE or nb_NO, in any case. */
function languageOfTag(tag: string): Language | undefined {
  const primary = (/^[a-z]+/i.exec(tag.trim())?.[0] ?? '').toLowerCase();
  return LANGUAGES.find((language) => language === primary) ?? new Map(Object.entries(OTHER_NAMES)).get(primary);
}

/** The languages of an Accept-Language header, the most wanted first. */
function preferencesOf(acceptLanguage: string): string[] {
  return acceptLanguage
    .slice(0, LONGEST_HEADER)
    .split(',')
    .map((preference) => {
      const [tag = '', ...parameters] = preference.split(';');
      const quality = parameters.map((text) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(text)?.[1]).find(Boolean);
      return { tag, weight: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** What is chosen, else the best of what the browser asks for that there is, else English. */
export function readLanguage(chosen: string | undefined, acceptLanguage: string | undefined): Language {
  for (const tag of [chosen ?? '', ...preferencesOf(acceptLanguage ?? '')]) {
    const language = languageOfTag(tag);
    if (language !== undefined) return language;
  }
  return 'en';
}
