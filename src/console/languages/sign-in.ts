// Signing in, by whatever way, and what is told when that cannot be, in every language.
import { speak } from './texts.ts';
import { da } from './sign-in/da.ts';
import { de } from './sign-in/de.ts';
import { en } from './sign-in/en.ts';
import { es } from './sign-in/es.ts';
import { fi } from './sign-in/fi.ts';
import { fr } from './sign-in/fr.ts';
import { nb } from './sign-in/nb.ts';
import { nl } from './sign-in/nl.ts';
import { pl } from './sign-in/pl.ts';
import { sv } from './sign-in/sv.ts';

export const signInTexts = speak<typeof en>({ en, sv, nb, da, fi, de, fr, nl, es, pl });
