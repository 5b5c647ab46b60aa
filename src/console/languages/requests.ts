// The requests to the API, in every language.
import { speak } from './texts.ts';
import { da } from './requests/da.ts';
import { de } from './requests/de.ts';
import { en } from './requests/en.ts';
import { es } from './requests/es.ts';
import { fi } from './requests/fi.ts';
import { fr } from './requests/fr.ts';
import { nb } from './requests/nb.ts';
import { nl } from './requests/nl.ts';
import { pl } from './requests/pl.ts';
import { sv } from './requests/sv.ts';

export const requestsTexts = speak<typeof en>({ en, sv, nb, da, fi, de, fr, nl, es, pl });
