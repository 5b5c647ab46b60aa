// The bank's operations and results, and the parsing of requests.
import { readCurrency } from '../domain/currency.ts';
import { BadField, readObject, readWhole } from './bad-field.ts';

export const KINDS = ['reservation', 'charge', 'refund', 'cancel'] as const;

const CREDENTIALS = ['store', 'scheduled', 'unscheduled'] as const;

export type Operation = {
  /** The client's id of the operation, which makes retries idempotent. */
  readonly id: string;
  readonly kind: (typeof KINDS)[number];
  readonly amount: number;
  readonly currency: string;
  readonly source: string;
  readonly reservationId: string;
  readonly chargeId?: string;
  /** Of a source that is used more than once: the consumer agrees to it, or the merchant uses it without them. */
  readonly credential?: (typeof CREDENTIALS)[number];
};

export type Answer = {
  readonly id: string;
  readonly state: 'approved' | 'declined';
  readonly reason?: string;
  readonly retryable?: boolean;
  /** The two-digit code of the card issuer, if it declined. */
  readonly issuerCode?: string;
  /** When it was done, by the bank's clock. */
  readonly at: number;
};

const FIELDS = ['id', 'kind', 'amount', 'currency', 'source', 'reservationId', 'chargeId', 'credential'];
const ID = /^[\w-]{1,64}$/;
const LONGEST_SOURCE = 200;

export function readId(value: unknown, field: string): string {
  if (typeof value !== 'string' || !ID.test(value))
    throw new BadField(field, 'must be a text of 1 to 64 letters, digits, dashes and underscores');
  return value;
}

function readKind(value: unknown): Operation['kind'] {
  const kind = KINDS.find((known) => known === value);
  if (kind === undefined) throw new BadField('kind', `must be one of ${KINDS.join(', ')}`);
  return kind;
}

function readCode(value: unknown): string {
  if (typeof value !== 'string' || readCurrency(value) !== value)
    throw new BadField('currency', 'must be an ISO 4217 code in upper case, such as SEK');
  return value;
}

function readSource(value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.length > LONGEST_SOURCE || !value.isWellFormed())
    throw new BadField('source', `must be a text of 1 to ${LONGEST_SOURCE} characters`);
  return value;
}

function readCredential(value: unknown): Operation['credential'] {
  if (value === undefined) return undefined;
  const credential = CREDENTIALS.find((known) => known === value);
  if (credential === undefined) throw new BadField('credential', `must be one of ${CREDENTIALS.join(', ')}`);
  return credential;
}

export function readOperation(body: unknown): Operation {
  const fields = readObject(body, 'body', FIELDS);
  const id = readId(fields['id'], 'id');
  const kind = readKind(fields['kind']);
  const reservationId = readId(fields['reservationId'], 'reservationId');
  if (kind === 'reservation' && reservationId !== id)
    throw new BadField('reservationId', 'must be the id of the reservation itself');
  if (kind !== 'refund' && fields['chargeId'] !== undefined)
    throw new BadField('chargeId', 'is for a refund; nothing else gives back a charge');
  const credential = readCredential(fields['credential']);
  // A card can be registered, or asked about, with a reservation of nothing.
  const least = kind === 'reservation' && credential !== undefined ? 0 : 1;
  return {
    id,
    kind,
    amount: readWhole(fields['amount'], 'amount', least),
    currency: readCode(fields['currency']),
    source: readSource(fields['source']),
    reservationId,
    ...(kind === 'refund' && { chargeId: readId(fields['chargeId'], 'chargeId') }),
    ...(credential !== undefined && { credential }),
  };
}
