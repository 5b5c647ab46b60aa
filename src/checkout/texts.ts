// The checkout's texts, texts/checkout.LANG.json: what consumers read on its pages, on that of a subscription and on
// invoices. English says which texts there are. Those below `script` travel with the page, in #texts, for its script.
import type english from '../../texts/checkout.en.json';
import type { Language } from '../pages/language.ts';
import { textsIn } from '../pages/texts.ts';
import { fillIn } from '../../web/shared/fill-in.ts';

export type CheckoutTexts = typeof english;

/** A heading and what there is to say below it. */
export type Notice = { readonly title: string; readonly text: string };

export const checkoutTexts = textsIn<CheckoutTexts>('checkout');

const named = (app: string, { title, text }: Notice): Notice => ({
  title: fillIn(title, { app }),
  text: fillIn(text, { app }),
});

/** What a consumer reads who pays with an app, such as Swish, with its name in it. */
export function appTexts(language: Language, app: string): CheckoutTexts['app'] {
  const { waiting, declined, ...texts } = checkoutTexts(language).app;
  const filled = Object.entries(texts).map(([name, text]) => [name, fillIn(text, { app })] as const);
  return {
    ...(Object.fromEntries(filled) as typeof texts),
    waiting: named(app, waiting),
    declined: named(app, declined),
  };
}
