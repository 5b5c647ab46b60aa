// Who did what with a payment, in English, which says what texts there are.

export const en = {
  byKey: 'by key {name}',
  byGoneKey: 'by a key that is gone',
  byConsumer: 'by the consumer',
  byItself: 'by itself, with the reservation',
  resolved: 'the outcome was found by the resolver',
  cancelled: 'cancelled {doer}',
  cart: 'Cart changed',
  reference: 'References changed',
  names: {
    reference: 'Reference',
    myReference: 'Your reference',
    checkoutUrl: 'Address of the checkout',
  },
  none: 'none',
  items: {
    one: '{count} item',
    other: '{count} items',
  },
} as const;
