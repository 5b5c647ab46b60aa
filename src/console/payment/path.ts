// Where the page of a payment is.
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';

export const paymentPath = (place: Place, paymentId: string): string => `${homeOf(place)}/payments/${paymentId}`;
