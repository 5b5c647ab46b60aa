// The simulator: an acquirer inside the process that decides by the source of the test card alone, always the same.
import type { LocalAcquirer } from './acquirer.ts';
import type { Source } from './test-cards.ts';

type Decline = {
  readonly kind: 'reservation' | 'charge' | 'refund' | 'cancel';
  readonly reason: string;
  /** As banks number their reasons (ISO 8583). */
  readonly issuerCode?: string;
};

const DECLINES: Partial<Record<Source, Decline>> = {
  sim_reservation_declined: { kind: 'reservation', reason: 'declined by the issuer', issuerCode: '05' },
  sim_insufficient_funds: { kind: 'reservation', reason: 'insufficient funds', issuerCode: '51' },
  sim_expired_card: { kind: 'reservation', reason: 'expired card', issuerCode: '54' },
  sim_wrong_cvc: { kind: 'reservation', reason: 'wrong CVC', issuerCode: '82' },
  sim_processing_error: { kind: 'reservation', reason: 'processing error', issuerCode: '96' },
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
    if (decline?.kind !== kind) return { result: 'approved' };
    const { reason, issuerCode } = decline;
    return { result: 'declined', reason, ...(issuerCode !== undefined && { issuerCode }) };
  },
};
