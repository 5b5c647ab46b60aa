// Codes and texts for declines by the acquirer: one per kind of movement, the same in the response and in the event.
import type { MovementKind } from './movement.ts';

export const DECLINE_CODES: Readonly<Record<MovementKind, string>> = {
  reservation: '1022',
  charge: '1020',
  refund: '1014',
  cancel: '1000',
};

/** For a refund that its merchant has cancelled: reported as failed. */
export const REFUND_CANCELLED_CODE = '1012';

export const declineText = (kind: MovementKind, reason: string): string => `The ${kind} was declined: ${reason}.`;
