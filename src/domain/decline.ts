// What a decline by the acquirer is called: one code and one text for each kind of movement, the same in the answer to
// the request and in the event that tells of it.
import type { MovementKind } from './movement.ts';

export const DECLINE_CODES: Readonly<Record<MovementKind, string>> = {
  reservation: '1022',
  charge: '1020',
  refund: '1014',
  cancel: '1000',
};

/** Of a refund that its merchant has cancelled: told as one that failed. */
export const REFUND_CANCELLED_CODE = '1012';

export const declineText = (kind: MovementKind, reason: string): string => `The ${kind} was declined: ${reason}.`;
