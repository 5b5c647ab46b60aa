// A payment: how it stands, what it is made of, and what happened to it, in every language.
import { speak } from './texts.ts';
import { da } from './payment/da.ts';
import { de } from './payment/de.ts';
import { en } from './payment/en.ts';
import { es } from './payment/es.ts';
import { fi } from './payment/fi.ts';
import { fr } from './payment/fr.ts';
import { nb } from './payment/nb.ts';
import { nl } from './payment/nl.ts';
import { pl } from './payment/pl.ts';
import { sv } from './payment/sv.ts';

export const paymentTexts = speak<typeof en>({ en, sv, nb, da, fi, de, fr, nl, es, pl });
