// The sandbox, in every language.
import { speak } from './texts.ts';
import { da } from './sandbox/da.ts';
import { de } from './sandbox/de.ts';
import { en } from './sandbox/en.ts';
import { es } from './sandbox/es.ts';
import { fi } from './sandbox/fi.ts';
import { fr } from './sandbox/fr.ts';
import { nb } from './sandbox/nb.ts';
import { nl } from './sandbox/nl.ts';
import { pl } from './sandbox/pl.ts';
import { sv } from './sandbox/sv.ts';

export const sandboxTexts = speak<typeof en>({ en, sv, nb, da, fi, de, fr, nl, es, pl });
