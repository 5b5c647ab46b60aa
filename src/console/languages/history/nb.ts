// Who did what with a payment, in Norwegian.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const nb: TextsOf<typeof en> = {
  byKey: 'av nøkkelen {name}',
  byGoneKey: 'av en nøkkel som er borte',
  byConsumer: 'av forbrukeren',
  byItself: 'av seg selv, med reservasjonen',
  resolved: 'utfallet ble funnet av etterkontrollen',
  cancelled: 'avbrutt {doer}',
  cart: 'Handlekurven endret',
  reference: 'Referanser endret',
  names: {
    reference: 'Referanse',
    myReference: 'Deres referanse',
    checkoutUrl: 'Adressen til kassesiden',
  },
  none: 'ingen',
  items: {
    one: '{count} vare',
    other: '{count} varer',
  },
};
