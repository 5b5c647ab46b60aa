// Charging, refunding and cancelling, and why it could not be done, in every language.
import { speak } from './texts.ts';
import { da } from './acts/da.ts';
import { de } from './acts/de.ts';
import { en } from './acts/en.ts';
import { es } from './acts/es.ts';
import { fi } from './acts/fi.ts';
import { fr } from './acts/fr.ts';
import { nb } from './acts/nb.ts';
import { nl } from './acts/nl.ts';
import { pl } from './acts/pl.ts';
import { sv } from './acts/sv.ts';

export const actsTexts = speak<typeof en>({ en, sv, nb, da, fi, de, fr, nl, es, pl });
