// Who did what with a payment, in French.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const fr: TextsOf<typeof en> = {
  byKey: 'avec la clé {name}',
  byGoneKey: 'avec une clé qui n’existe plus',
  byConsumer: 'par le client',
  byItself: 'de lui-même, avec la réservation',
  resolved: 'le résultat a été trouvé après coup',
  cancelled: 'rappelé {doer}',
  cart: 'Panier modifié',
  reference: 'Références modifiées',
  names: {
    reference: 'Référence',
    myReference: 'Votre référence',
    checkoutUrl: 'Adresse de la page de paiement',
  },
  none: 'aucune',
  items: {
    one: '{count} article',
    other: '{count} articles',
  },
};
