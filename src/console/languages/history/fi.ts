// Who did what with a payment, in Finnish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const fi: TextsOf<typeof en> = {
  byKey: 'avaimella {name}',
  byGoneKey: 'avaimella, jota ei enää ole',
  byConsumer: 'tekijä kuluttaja',
  byItself: 'itsestään, varauksen yhteydessä',
  resolved: 'lopputulos löytyi jälkitarkistuksessa',
  cancelled: 'peruttu: {doer}',
  cart: 'Ostoskoria muutettiin',
  reference: 'Viitteitä muutettiin',
  names: {
    reference: 'Viite',
    myReference: 'Oma viitteenne',
    checkoutUrl: 'Kassasivun osoite',
  },
  none: 'ei mitään',
  items: {
    one: '{count} tuote',
    other: '{count} tuotetta',
  },
};
