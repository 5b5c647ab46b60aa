// The people of a merchant and their roles, in every language.
import { speak } from './texts.ts';
import { da } from './team/da.ts';
import { de } from './team/de.ts';
import { en } from './team/en.ts';
import { es } from './team/es.ts';
import { fi } from './team/fi.ts';
import { fr } from './team/fr.ts';
import { nb } from './team/nb.ts';
import { nl } from './team/nl.ts';
import { pl } from './team/pl.ts';
import { sv } from './team/sv.ts';

export const teamTexts = speak<typeof en>({ en, sv, nb, da, fi, de, fr, nl, es, pl });
