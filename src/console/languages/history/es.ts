// Who did what with a payment, in Spanish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const es: TextsOf<typeof en> = {
  byKey: 'con la clave {name}',
  byGoneKey: 'con una clave que ya no existe',
  byConsumer: 'por el consumidor',
  byItself: 'por sí mismo, con la reserva',
  resolved: 'el resultado se averiguó después',
  cancelled: 'retirado {doer}',
  cart: 'Carrito cambiado',
  reference: 'Referencias cambiadas',
  names: {
    reference: 'Referencia',
    myReference: 'Su referencia',
    checkoutUrl: 'Dirección de la página de pago',
  },
  none: 'ninguna',
  items: {
    one: '{count} artículo',
    other: '{count} artículos',
  },
};
