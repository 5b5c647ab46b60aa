// Who did what with a payment, in Swedish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const sv: TextsOf<typeof en> = {
  byKey: 'av nyckeln {name}',
  byGoneKey: 'av en nyckel som inte finns kvar',
  byConsumer: 'av konsumenten',
  byItself: 'av sig själv, med reservationen',
  resolved: 'utfallet hittades av efterkontrollen',
  cancelled: 'avbruten {doer}',
  cart: 'Varukorgen ändrad',
  reference: 'Referenser ändrade',
  names: {
    reference: 'Referens',
    myReference: 'Er referens',
    checkoutUrl: 'Kassasidans adress',
  },
  none: 'ingen',
  items: {
    one: '{count} rad',
    other: '{count} rader',
  },
};
