// Who did what with a payment, in German.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const de: TextsOf<typeof en> = {
  byKey: 'mit dem Schlüssel {name}',
  byGoneKey: 'mit einem Schlüssel, den es nicht mehr gibt',
  byConsumer: 'vom Kunden',
  byItself: 'von selbst, mit der Reservierung',
  resolved: 'das Ergebnis wurde nachträglich ermittelt',
  cancelled: 'zurückgerufen {doer}',
  cart: 'Warenkorb geändert',
  reference: 'Referenzen geändert',
  names: {
    reference: 'Referenz',
    myReference: 'Ihre Referenz',
    checkoutUrl: 'Adresse der Kasse',
  },
  none: 'keine',
  items: {
    one: '{count} Position',
    other: '{count} Positionen',
  },
};
