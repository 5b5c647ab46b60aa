// The refusals that the documentation of several payment updates shares.

export const TERMINATED = ['The payment is terminated', { name: 'payment_is_terminated' }] as const;

export const CANCELLED = ['All of it is cancelled', { name: 'reservation_is_fully_cancelled' }] as const;

export const RESERVED = ['The consumer has paid already', { name: 'payment_is_already_reserved' }] as const;
