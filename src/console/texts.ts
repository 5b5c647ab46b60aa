// The console's texts from texts/console.LANG.json, and filling in values, links and numbers. The types come from English.
import type { FastifyRequest } from 'fastify';
import type english from '../../texts/console.en.json';
import { html } from '../pages/html.ts';
import type { Html } from '../pages/html.ts';
import { localeOf, readLanguage } from '../pages/language.ts';
import type { Language } from '../pages/language.ts';
import { numberFormat } from '../pages/number-format.ts';
import { textsIn } from '../pages/texts.ts';
import { fillIn, formFor } from '../../web/shared/fill-in.ts';
import type { Forms } from '../../web/shared/fill-in.ts';

export type ConsoleTexts = typeof english;

/** By area, in the reader's language. */
export const consoleTexts = textsIn<ConsoleTexts>('console');

/** `Revoke {name}` with a name in it. */
export const fill = fillIn;

/** With links, times and the like in it. What stands around them is escaped as any other text. */
export function fillHtml(text: string, values: Readonly<Record<string, Html | string | number>>): Html {
  const pieces = text.split(/\{(\w+)\}/);
  return html`${pieces.map((piece, at) => (at % 2 === 0 ? piece : (values[piece] ?? '')))}`;
}

export const showCount = (count: number, language: Language): string => numberFormat(language).format(count);

/** The form that a number asks for, to be filled in. */
export const formOf = (forms: Forms, number: number, language: Language): string =>
  formFor(forms, number, localeOf(language));

/** The same with the number in it. */
export const sayCount = (forms: Forms, number: number, language: Language): string =>
  fillIn(formOf(forms, number, language), { count: showCount(number, language) });

/** The word for what an acquirer may have named; itself where there is none. */
export const wordOf = (words: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(words, name) ? (words[name] ?? name) : name;

/** What a person has chosen, else what their browser asks for. */
export const languageFor = ({ headers }: FastifyRequest, chosen?: string): Language =>
  readLanguage(chosen, headers['accept-language']);
