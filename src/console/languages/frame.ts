// What stands around every page, and what all of them say, in every language.
import { speak } from './texts.ts';
import { da } from './frame/da.ts';
import { de } from './frame/de.ts';
import { en } from './frame/en.ts';
import { es } from './frame/es.ts';
import { fi } from './frame/fi.ts';
import { fr } from './frame/fr.ts';
import { nb } from './frame/nb.ts';
import { nl } from './frame/nl.ts';
import { pl } from './frame/pl.ts';
import { sv } from './frame/sv.ts';

export const frameTexts = speak<typeof en>({ en, sv, nb, da, fi, de, fr, nl, es, pl });
