// The settings of a merchant, in every language.
import { speak } from './texts.ts';
import { da } from './settings/da.ts';
import { de } from './settings/de.ts';
import { en } from './settings/en.ts';
import { es } from './settings/es.ts';
import { fi } from './settings/fi.ts';
import { fr } from './settings/fr.ts';
import { nb } from './settings/nb.ts';
import { nl } from './settings/nl.ts';
import { pl } from './settings/pl.ts';
import { sv } from './settings/sv.ts';

export const settingsTexts = speak<typeof en>({ en, sv, nb, da, fi, de, fr, nl, es, pl });
