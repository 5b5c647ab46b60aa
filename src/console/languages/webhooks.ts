// Webhooks and what was delivered to them, in every language.
import { speak } from './texts.ts';
import { da } from './webhooks/da.ts';
import { de } from './webhooks/de.ts';
import { en } from './webhooks/en.ts';
import { es } from './webhooks/es.ts';
import { fi } from './webhooks/fi.ts';
import { fr } from './webhooks/fr.ts';
import { nb } from './webhooks/nb.ts';
import { nl } from './webhooks/nl.ts';
import { pl } from './webhooks/pl.ts';
import { sv } from './webhooks/sv.ts';

export const webhooksTexts = speak<typeof en>({ en, sv, nb, da, fi, de, fr, nl, es, pl });
