// API calls for payments: list, show, and move money. Errors carry the message of the API.
import type { Api, ApiAnswer } from './client.ts';
import { ApiAway, ApiRefused } from './client.ts';
import { UserError } from '../../ops/user-error.ts';
import { showRepeatable } from '../terminal/idempotency-key.ts';

/** The fields of a payment in both dialects; `nexi` leaves out zero amounts and empty lists. */
export type ShownPayment = {
  readonly paymentId: string;
  readonly created: string;
  readonly terminated?: string;
  readonly summary: Readonly<
    Partial<Record<'reservedAmount' | 'chargedAmount' | 'refundedAmount' | 'cancelledAmount', number>>
  >;
  readonly orderDetails: { readonly amount: number; readonly currency: string; readonly reference?: string };
  readonly paymentDetails: {
    readonly paymentType?: string;
    readonly paymentMethod?: string;
    readonly cardDetails?: { readonly maskedPan?: string };
  };
  readonly charges?: readonly { readonly chargeId: string; readonly amount: number; readonly created: string }[];
  readonly refunds?: readonly {
    readonly refundId: string;
    readonly amount: number;
    readonly state: string;
    readonly lastUpdated: string;
  }[];
  /** Only in `spec`. */
  readonly pending?: readonly {
    readonly kind: string;
    readonly id: string;
    readonly amount: number;
    readonly created: string;
  }[];
};

export type Filters = Readonly<Partial<Record<'reference' | 'state' | 'from' | 'to', string>>>;

export type Move = {
  readonly kind: 'charge' | 'refund' | 'cancel';
  readonly paymentId: string;
  readonly amount: number;
  readonly idempotencyKey: string;
};

export type Moved = { readonly body: Readonly<Record<string, unknown>>; readonly isReplayed: boolean };

// The largest page of the API.
const PAGE = 100;

const noPayment = (api: Api, paymentId: string): UserError =>
  new UserError(`There is no payment ${paymentId} for the merchant of this key at ${api.url}.`);

const requireStatus = (api: Api, answer: ApiAnswer, status: number): void => {
  if (answer.status !== status) throw api.explain(answer);
};

/** Newest first; page by page, since a page may have fewer payments than asked for. */
export async function listPayments(api: Api, filters: Filters, limit: number): Promise<ShownPayment[]> {
  const found: ShownPayment[] = [];
  let cursor: string | undefined;
  do {
    const page = { ...filters, limit: String(Math.min(PAGE, limit - found.length)), ...(cursor && { cursor }) };
    const answer = await api.send('GET', `/v1/payments?${new URLSearchParams(page).toString()}`);
    requireStatus(api, answer, 200);
    found.push(...(answer.body.payments as ShownPayment[]));
    cursor = answer.body.cursor as string | undefined;
  } while (cursor !== undefined && found.length < limit);
  return found;
}

export async function getPayment(api: Api, paymentId: string): Promise<ShownPayment> {
  const answer = await api.send('GET', `/v1/payments/${paymentId}`);
  if (answer.status === 404) throw noPayment(api, paymentId);
  requireStatus(api, answer, 200);
  return answer.body.payment as ShownPayment;
}

/** If the outcome is unknown, the error says how to retry safely. */
export async function movePayment(api: Api, { kind, paymentId, amount, idempotencyKey }: Move): Promise<Moved> {
  const path = `/v1/payments/${paymentId}/${kind}s`;
  try {
    const answer = await api.send('POST', path, { amount }, { 'idempotency-key': idempotencyKey });
    if (answer.status === 404) throw noPayment(api, paymentId);
    requireStatus(api, answer, kind === 'cancel' ? 204 : 201);
    return { body: answer.body ?? {}, isReplayed: answer.isReplayed };
  } catch (error) {
    const isOpen = error instanceof ApiAway || (error instanceof ApiRefused && error.status >= 500);
    if (!isOpen) throw error;
    throw new UserError(`${error.message} ${showRepeatable(idempotencyKey)}`);
  }
}
