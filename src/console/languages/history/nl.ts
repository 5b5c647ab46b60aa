// Who did what with a payment, in Dutch.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const nl: TextsOf<typeof en> = {
  byKey: 'met sleutel {name}',
  byGoneKey: 'met een sleutel die er niet meer is',
  byConsumer: 'door de klant',
  byItself: 'vanzelf, met de reservering',
  resolved: 'de uitkomst is achteraf gevonden',
  cancelled: 'teruggeroepen {doer}',
  cart: 'Winkelwagen gewijzigd',
  reference: 'Referenties gewijzigd',
  names: {
    reference: 'Referentie',
    myReference: 'Uw referentie',
    checkoutUrl: 'Adres van de betaalpagina',
  },
  none: 'geen',
  items: {
    one: '{count} artikel',
    other: '{count} artikelen',
  },
};
