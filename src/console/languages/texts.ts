// How the console's texts are kept: a folder for each area, a file in it for each language, of which English says what
// texts there are. A language that lacks a text, or one of its words in braces, does not compile, and neither does a page
// that leaves a brace empty.
import type { FastifyRequest } from 'fastify';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { localeOf, readLanguage } from '../../pages/language.ts';
import type { Language } from '../../pages/language.ts';
import { numberFormat } from '../../pages/number-format.ts';
import { fillIn, formFor } from '../../../web/shared/fill-in.ts';
import type { Forms } from '../../../web/shared/fill-in.ts';

declare const braces: unique symbol;
type BracesIn<Given extends string> = Given extends `${string}{${infer Name}}${infer Rest}`
  ? Name | BracesIn<Rest>
  : never;
type With<Name extends string> = (Name extends string ? (text: `${string}{${Name}}${string}`) => void : never) extends (
  text: infer All,
) => void
  ? All
  : never;
type Text<Name extends string> = [Name] extends [never] ? string : With<Name> & string & { readonly [braces]?: Name };
/** By the forms that a language has for numbers; {count} is the number. */
type Counted<Name extends string> = { readonly other: Text<Name> } & {
  readonly [form in Exclude<Intl.LDMLPluralRule, 'other'>]?: string;
};

/** What every language has to have, by what English has. */
export type TextsOf<English> = English extends string
  ? Text<BracesIn<English>>
  : English extends { readonly one: string; readonly other: infer Other extends string }
    ? Counted<BracesIn<Other>>
    : { readonly [Name in keyof English]: TextsOf<English[Name]> };

/** The texts of an area, by the language of whoever looks. */
export const speak =
  <English>(languages: Readonly<Record<Language, TextsOf<English>>>) =>
  (language: Language): TextsOf<English> =>
    languages[language];

type NamesIn<Given> = Given extends { readonly [braces]?: infer Name }
  ? unknown extends Name
    ? string
    : Extract<Name, string>
  : string;
type ValuesOf<Given, Value> = Readonly<Record<NamesIn<Given>, Value>>;

export const fill = <Given extends string>(text: Given, values: ValuesOf<Given, string | number>): string =>
  fillIn(text, values);

/** With links, times and the like in it. What stands around them is escaped as any other text. */
export function fillHtml<Given extends string>(text: Given, values: ValuesOf<Given, Html | string | number>): Html {
  const given: Readonly<Record<string, Html | string | number>> = values;
  const pieces = text.split(/\{(\w+)\}/);
  return html`${pieces.map((piece, at) => (at % 2 === 0 ? piece : (given[piece] ?? '')))}`;
}

export const showCount = (count: number, language: Language): string => numberFormat(language).format(count);

/** The form that a number asks for, to be filled in. */
export const formOf = <Given extends Forms>(forms: Given, number: number, language: Language): Given['other'] =>
  formFor(forms, number, localeOf(language));

/** The same with the number in it. */
export const sayCount = <Given extends Forms>(
  forms: Given,
  number: number,
  language: Language,
  more: Partial<ValuesOf<Given['other'], string | number>> = {},
): string =>
  fillIn(formOf(forms, number, language), {
    count: showCount(number, language),
    ...(more as Readonly<Record<string, string | number>>),
  });

/** The word for what an acquirer or an earlier version may have named; itself where there is none. */
export const wordOf = (words: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(words, name) ? (words[name] ?? name) : name;

/** What a person has chosen, else what their browser asks for. */
export const languageFor = ({ headers }: FastifyRequest, chosen?: string): Language =>
  readLanguage(chosen, headers['accept-language']);
