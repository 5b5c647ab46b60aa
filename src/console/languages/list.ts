// The list of payments, in every language.
import { speak } from './texts.ts';
import { da } from './list/da.ts';
import { de } from './list/de.ts';
import { en } from './list/en.ts';
import { es } from './list/es.ts';
import { fi } from './list/fi.ts';
import { fr } from './list/fr.ts';
import { nb } from './list/nb.ts';
import { nl } from './list/nl.ts';
import { pl } from './list/pl.ts';
import { sv } from './list/sv.ts';

export const listTexts = speak<typeof en>({ en, sv, nb, da, fi, de, fr, nl, es, pl });
