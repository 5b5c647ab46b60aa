// Moments in answers: the one that an id carries, and how every timestamp is spelled.

/** ISO 8601, UTC, milliseconds, Z. */
export const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** When the payment, charge or refund of this id was made, as an answer spells it. */
export const momentOf = (id: string): string => new Date(Number.parseInt(id.slice(0, 12), 16)).toISOString();
