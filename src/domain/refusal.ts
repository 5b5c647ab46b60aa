// All refusals of a well-formed request because of the state of its payment, as a closed union. The dialects present them.
import type { ItemExcess } from './item.ts';
import type { MovementKind } from './movement.ts';
import type { PaymentMethod } from './payment.ts';

export type Refusal =
  | { readonly name: 'payment_was_never_reserved' }
  | { readonly name: 'payment_has_expired'; readonly at: number }
  | { readonly name: 'payment_is_terminated' }
  | { readonly name: 'payment_is_already_reserved' }
  | { readonly name: 'reservation_is_pending' }
  | { readonly name: 'reservation_has_expired'; readonly at: number }
  /** It registered a card for a subscription. */
  | { readonly name: 'reservation_holds_no_money' }
  | { readonly name: 'reservation_is_fully_charged' }
  | { readonly name: 'reservation_is_fully_cancelled' }
  | { readonly name: 'charge_exceeds_what_is_left'; readonly amount: number; readonly left: number }
  | { readonly name: 'cancel_exceeds_what_is_left'; readonly amount: number; readonly left: number }
  | { readonly name: 'refund_exceeds_what_is_left'; readonly amount: number; readonly left: number }
  | {
      readonly name: 'no_charge_has_that_much_left';
      readonly amount: number;
      readonly charges: readonly { readonly chargeId: string; readonly left: number }[];
    }
  | {
      readonly name: 'payment_has_too_many_movements';
      readonly movements: number;
      readonly most: number;
      /** One is kept free for the cancel of what a final charge leaves. */
      readonly isOneKept?: true;
    }
  | { readonly name: 'payment_holds_too_many_lines'; readonly lines: number; readonly most: number }
  | { readonly name: 'payment_is_too_large'; readonly bytes: number; readonly most: number }
  | { readonly name: 'order_is_too_large'; readonly bytes: number; readonly most: number }
  | { readonly name: 'too_many_tax_rates'; readonly rates: number; readonly most: number }
  | { readonly name: 'item_is_not_left'; readonly excess: ItemExcess; readonly of: 'order' | 'charge' }
  | { readonly name: 'refund_is_completed' | 'refund_has_failed' | 'refund_was_done_meanwhile' }
  | {
      readonly name: 'method_is_not_offered';
      readonly paymentType: PaymentMethod['paymentType'];
      readonly method: string;
      readonly offered: readonly string[];
    }
  | {
      readonly name: 'amount_with_fee_is_out_of_range';
      readonly method: string;
      readonly amount: number;
      readonly most: number;
    }
  /** A repeated request with an idempotency key. */
  | { readonly name: 'outcome_is_unknown'; readonly kind: MovementKind; readonly hasKey: boolean }
  | {
      readonly name: 'acquirer_declined';
      readonly kind: MovementKind;
      readonly reason: string;
      readonly acquirer: string;
      /** The two-digit code of the card issuer, if it declined. */
      readonly issuerCode?: string;
    };
