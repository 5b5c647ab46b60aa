// The keys of the API, in every language.
import { speak } from './texts.ts';
import { da } from './keys/da.ts';
import { de } from './keys/de.ts';
import { en } from './keys/en.ts';
import { es } from './keys/es.ts';
import { fi } from './keys/fi.ts';
import { fr } from './keys/fr.ts';
import { nb } from './keys/nb.ts';
import { nl } from './keys/nl.ts';
import { pl } from './keys/pl.ts';
import { sv } from './keys/sv.ts';

export const keysTexts = speak<typeof en>({ en, sv, nb, da, fi, de, fr, nl, es, pl });
