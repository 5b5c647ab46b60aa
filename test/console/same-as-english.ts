// The texts that a language has in common with English: words that it has borrowed, or that mean the same in both.
import type { Language } from '../../src/pages/language.ts';

export const SAME_AS_ENGLISH: Readonly<Record<Exclude<Language, 'en'>, readonly string[]>> = {
  sv: ['Team', 'Test', 'Passkeys', 'Status', 'Operation'],
  nb: ['Team', 'Live', 'Test', 'Status'],
  da: ['Webhooks', 'Team', 'Live', 'Test', 'Menu', 'E-mail', 'Status', 'Operation'],
  fi: [],
  de: ['Sandbox', 'Webhooks', 'Team', 'Live', 'Test', 'Code', 'Passkeys', 'Status', 'Operation'],
  fr: ['Webhooks', 'Console', 'Test', 'Menu', 'Code', 'E-mail', 'Sessions', 'Pages'],
  nl: ['Sandbox', 'Webhooks', 'Team', 'Console', 'Live', 'Test', 'Menu', 'Code', 'E-mail', 'Passkeys', 'Status'],
  es: ['Webhooks'],
  pl: ['Test', 'Menu', 'E-mail', 'Status'],
};
