// The texts that a language has in common with English: words that it has borrowed, or that mean the same in both.
import type { Language } from '../../src/pages/language.ts';

export const SAME_AS_ENGLISH: Readonly<Record<Exclude<Language, 'en'>, readonly string[]>> = {
  sv: ['Team', 'Test', 'Passkeys'],
  nb: ['Team', 'Live', 'Test'],
  da: ['Webhooks', 'Team', 'Live', 'Test', 'Menu', 'E-mail'],
  fi: [],
  de: ['Webhooks', 'Team', 'Live', 'Test', 'Code', 'Passkeys'],
  fr: ['Webhooks', 'Console', 'Test', 'Menu', 'Code', 'E-mail', 'Sessions', 'Pages'],
  nl: ['Webhooks', 'Team', 'Console', 'Live', 'Test', 'Menu', 'Code', 'E-mail', 'Passkeys'],
  es: ['Webhooks'],
  pl: ['Test', 'Menu', 'E-mail'],
};
