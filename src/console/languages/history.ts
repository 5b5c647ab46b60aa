// Who did what with a payment, in every language.
import { speak } from './texts.ts';
import { da } from './history/da.ts';
import { de } from './history/de.ts';
import { en } from './history/en.ts';
import { es } from './history/es.ts';
import { fi } from './history/fi.ts';
import { fr } from './history/fr.ts';
import { nb } from './history/nb.ts';
import { nl } from './history/nl.ts';
import { pl } from './history/pl.ts';
import { sv } from './history/sv.ts';

export const historyTexts = speak<typeof en>({ en, sv, nb, da, fi, de, fr, nl, es, pl });
