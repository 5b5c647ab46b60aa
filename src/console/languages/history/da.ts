// Who did what with a payment, in Danish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const da: TextsOf<typeof en> = {
  byKey: 'af nøglen {name}',
  byGoneKey: 'af en nøgle, der er væk',
  byConsumer: 'af forbrugeren',
  byItself: 'af sig selv, med reservationen',
  resolved: 'udfaldet blev fundet af efterkontrollen',
  cancelled: 'afbrudt {doer}',
  cart: 'Kurven ændret',
  reference: 'Referencer ændret',
  names: {
    reference: 'Ordrereference',
    myReference: 'Jeres reference',
    checkoutUrl: 'Betalingssidens adresse',
  },
  none: 'ingen',
  items: {
    one: '{count} vare',
    other: '{count} varer',
  },
};
