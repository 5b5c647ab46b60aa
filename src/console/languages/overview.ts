// The overview, in every language.
import { speak } from './texts.ts';
import { da } from './overview/da.ts';
import { de } from './overview/de.ts';
import { en } from './overview/en.ts';
import { es } from './overview/es.ts';
import { fi } from './overview/fi.ts';
import { fr } from './overview/fr.ts';
import { nb } from './overview/nb.ts';
import { nl } from './overview/nl.ts';
import { pl } from './overview/pl.ts';
import { sv } from './overview/sv.ts';

export const overviewTexts = speak<typeof en>({ en, sv, nb, da, fi, de, fr, nl, es, pl });
