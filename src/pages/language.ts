// The languages of pages, and the choice between them: by the visitor's setting or by their browser.

/** One entry for each, by its own name; its texts are two files in texts. */
const ENTRIES = {
  en: { name: 'English', locale: 'en-GB', countries: [] },
  sv: { name: 'Svenska', locale: 'sv-SE', countries: ['SWE'] },
  nb: { name: 'Norsk', locale: 'nb-NO', countries: ['NOR'] },
  da: { name: 'Dansk', locale: 'da-DK', countries: ['DNK'] },
  fi: { name: 'Suomi', locale: 'fi-FI', countries: ['FIN'] },
  de: { name: 'Deutsch', locale: 'de-DE', countries: ['DEU', 'AUT'] },
  fr: { name: 'Français', locale: 'fr-FR', countries: ['FRA'] },
  nl: { name: 'Nederlands', locale: 'nl-NL', countries: ['NLD'] },
  es: { name: 'Español', locale: 'es-ES', countries: ['ESP'] },
  pl: { name: 'Polski', locale: 'pl-PL', countries: ['POL'] },
} as const;

export type Language = keyof typeof ENTRIES;
type Entry = {
  readonly name: string;
  readonly locale: string;
  /** Countries where it is likely, by three-letter codes. */
  readonly countries: readonly string[];
};

const KNOWN: Readonly<Record<Language, Entry>> = ENTRIES;
export const LANGUAGES = Object.keys(KNOWN) as readonly Language[];

// Browsers and shops use three codes for Norwegian; all of them mean the same here.
const OTHER_NAMES: Readonly<Record<string, Language>> = { no: 'nb', nn: 'nb' };
// Enough for all languages that a browser names.
const LONGEST_HEADER = 500;

export const localeOf = (language: Language): string => KNOWN[language].locale;

export const nameOf = (language: Language): string => KNOWN[language].name;

/** The country in which a reader of the language most likely lives. */
export const countryOfLanguage = (language: Language): string | undefined => KNOWN[language].countries[0];

/** The language of a consumer, when only the country is known. */
export const languageOfCountry = (country = ''): Language =>
  LANGUAGES.find((language) => KNOWN[language].countries.includes(country)) ?? 'en';

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

/** The chosen language, else the best match for the browser, else English. */
export function readLanguage(chosen: string | undefined, acceptLanguage: string | undefined): Language {
  for (const tag of [chosen ?? '', ...preferencesOf(acceptLanguage ?? '')]) {
    const language = languageOfTag(tag);
    if (language !== undefined) return language;
  }
  return 'en';
}
