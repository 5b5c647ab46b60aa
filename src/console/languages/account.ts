// A person's own pages, in every language.
import { speak } from './texts.ts';
import { da } from './account/da.ts';
import { de } from './account/de.ts';
import { en } from './account/en.ts';
import { es } from './account/es.ts';
import { fi } from './account/fi.ts';
import { fr } from './account/fr.ts';
import { nb } from './account/nb.ts';
import { nl } from './account/nl.ts';
import { pl } from './account/pl.ts';
import { sv } from './account/sv.ts';

export const accountTexts = speak<typeof en>({ en, sv, nb, da, fi, de, fr, nl, es, pl });
