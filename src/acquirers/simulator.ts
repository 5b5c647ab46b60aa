// The simulator: an acquirer inside the process that decides by the source of the test card alone, always the same; a
// charge of a subscription it also declines by its amount, so that every code of an issuer can be had on demand.
import type { Outcome } from '../domain/settle.ts';
import type { AcquirerRequest, LocalAcquirer } from './acquirer.ts';
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

/** What the issuer says when the card is used again without its consumer. */
const RENEWAL_DECLINES: Partial<Record<Source, { readonly issuerCode: string; readonly reason: string }>> = {
  sim_renewal_declined: { issuerCode: '51', reason: 'insufficient funds' },
  sim_renewal_expired: { issuerCode: '54', reason: 'expired card' },
  sim_renewal_needs_consumer: { issuerCode: '65', reason: 'the consumer has to be asked again' },
};

// An amount of 1NN, such as 133, is declined with NN.
const DECLINED_AMOUNTS = { from: 101, to: 199, base: 100 };

/** A card that is used again is judged once, when its money is set aside. */
function decideRenewal({ kind, source, amount }: AcquirerRequest): Outcome | undefined {
  if (kind !== 'reservation') return undefined;
  const decline = RENEWAL_DECLINES[source as Source];
  if (decline) return { result: 'declined', ...decline };
  const { from, to, base } = DECLINED_AMOUNTS;
  if (amount < from || amount > to) return undefined;
  return { result: 'declined', reason: 'refused by issuer', issuerCode: String(amount - base).padStart(2, '0') };
}

/** The card that fails its charges fails only those that do not recur. */
const isForgiven = ({ kind, credential }: AcquirerRequest): boolean =>
  kind === 'charge' && (credential === 'scheduled' || credential === 'unscheduled');

/** Whether it is left open until a call of the sandbox says how it ends. */
export const isLeftOpen = ({ kind, source }: AcquirerRequest): boolean =>
  kind === 'refund' && source === ('sim_refund_pending' satisfies Source);

export const simulator: LocalAcquirer = {
  name: 'simulator',
  isLocal: true,
  decide(request) {
    const { kind, source, credential } = request;
    const renewed = credential === undefined || credential === 'store' ? undefined : decideRenewal(request);
    if (renewed) return renewed;
    const decline = DECLINES[source as Source];
    if (decline?.kind !== kind || isForgiven(request)) return { result: 'approved' };
    const { reason, issuerCode } = decline;
    return { result: 'declined', reason, ...(issuerCode !== undefined && { issuerCode }) };
  },
};
