// What the server wrote into the page for its script: where the payment stands, and the texts in the page's language.
// It is read anew each time, because a swap of the page changes all of it.
import type english from '../../texts/checkout.en.json';

type ScriptTexts = (typeof english)['script'];

/** A text that is no group of them. */
export type TextName = Exclude<keyof ScriptTexts, 'errors' | 'nationalNumber'>;
export type FieldError = keyof ScriptTexts['errors'];

export const byId = (id: string): HTMLElement | null => document.getElementById(id);

export const pageData = (): DOMStringMap => document.body.dataset;

export const isOpen = (): boolean => pageData()['state'] === 'open';

export const isEmbedded = (): boolean => pageData()['mode'] === 'embedded';

export function readJson(id: string): unknown {
  try {
    return JSON.parse(byId(id)?.textContent ?? 'null') as unknown;
  } catch {
    return null;
  }
}

const texts = (): Partial<ScriptTexts> => readJson('texts') ?? {};

const fill = (text: string | undefined, values: Readonly<Record<string, string>>): string =>
  (text ?? '').replace(/\{(\w+)\}/g, (braced, name: string) => values[name] ?? braced);

export const say = (name: TextName, values: Readonly<Record<string, string>> = {}): string =>
  fill(texts()[name], values);

/** What is wrong with a field. An example that nobody has is left out together with its braces. */
export const sayError = (name: FieldError, example = ''): string => fill(texts().errors?.[name], { example });

export const nationalNumberLabel = (country: string): string | undefined =>
  (texts().nationalNumber as Readonly<Record<string, string>> | undefined)?.[country];
