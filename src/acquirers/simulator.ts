// The simulator: an acquirer inside the process that decides by the source of the test card alone, always the same.
import type { LocalAcquirer } from './acquirer.ts';
import type { Source } from './test-cards.ts';

type Decline = { readonly kind: 'reservation' | 'charge' | 'refund' | 'cancel'; readonly reason: string };

const DECLINES: Partial<Record<Source, Decline>> = {
  sim_reservation_declined: { kind: 'reservation', reason: 'declined by the issuer' },
  sim_insufficient_funds: { kind: 'reservation', reason: 'insufficient funds' },
  sim_expired_card: { kind: 'reservation', reason: 'expired card' },
  sim_wrong_cvc: { kind: 'reservation', reason: 'wrong CVC' },
  sim_processing_error: { kind: 'reservation', reason: 'processing error' },
  sim_invoice_declined: { kind: 'reservation', reason: 'the person is not approved for an invoice' },
  sim_charge_declined: { kind: 'charge', reason: 'declined by the issuer' },
  sim_refund_declined: { kind: 'refund', reason: 'refused by the issuer' },
  sim_cancel_declined: { kind: 'cancel', reason: 'refused by the issuer' },
};

export const simulator: LocalAcquirer = {
  name: 'simulator',
  isLocal: true,
  decide({ kind, source }) {
    const decline = DECLINES[source as Source];
    return decline?.kind === kind ? { result: 'declined', reason: decline.reason } : { result: 'approved' };
  },
};
