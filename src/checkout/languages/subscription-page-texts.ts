// The page on which a consumer sees and ends a subscription, in every language of the checkout.
import { da } from './subscription-page/da.ts';
import type { Language } from '../../pages/language.ts';
import { de } from './subscription-page/de.ts';
import { en } from './subscription-page/en.ts';
import { es } from './subscription-page/es.ts';
import { fi } from './subscription-page/fi.ts';
import { fr } from './subscription-page/fr.ts';
import { nb } from './subscription-page/nb.ts';
import { nl } from './subscription-page/nl.ts';
import { pl } from './subscription-page/pl.ts';
import { sv } from './subscription-page/sv.ts';
import type { SubscriptionPageTexts } from './subscription-page/texts.ts';

export const SUBSCRIPTION_PAGE_TEXTS: Readonly<Record<Language, SubscriptionPageTexts>> = {
  en,
  sv,
  nb,
  da,
  fi,
  de,
  fr,
  nl,
  es,
  pl,
};
