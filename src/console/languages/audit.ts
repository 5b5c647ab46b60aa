// The audit, in every language.
import { speak } from './texts.ts';
import { da } from './audit/da.ts';
import { de } from './audit/de.ts';
import { en } from './audit/en.ts';
import { es } from './audit/es.ts';
import { fi } from './audit/fi.ts';
import { fr } from './audit/fr.ts';
import { nb } from './audit/nb.ts';
import { nl } from './audit/nl.ts';
import { pl } from './audit/pl.ts';
import { sv } from './audit/sv.ts';

export const auditTexts = speak<typeof en>({ en, sv, nb, da, fi, de, fr, nl, es, pl });
