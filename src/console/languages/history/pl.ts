// Who did what with a payment, in Polish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const pl: TextsOf<typeof en> = {
  byKey: 'kluczem {name}',
  byGoneKey: 'kluczem, którego już nie ma',
  byConsumer: 'przez klienta',
  byItself: 'samoczynnie, z rezerwacją',
  resolved: 'wynik ustalono później',
  cancelled: 'cofnięty {doer}',
  cart: 'Zmieniono koszyk',
  reference: 'Zmieniono oznaczenia',
  names: {
    reference: 'Oznaczenie',
    myReference: 'Wasz numer',
    checkoutUrl: 'Adres strony płatności',
  },
  none: 'brak',
  items: {
    one: '{count} pozycja',
    few: '{count} pozycje',
    many: '{count} pozycji',
    other: '{count} pozycji',
  },
};
