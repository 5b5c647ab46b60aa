// A dialect: how payments, answers and refusals are spelled for a merchant, and in how many spellings requests are
// taken. The same operations and the same data; nothing outside of this folder knows which dialect it is.
import { invoicePathOf } from '../../domain/invoice.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Movement } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Refusal } from '../../domain/refusal.ts';
import type { Subscription } from '../../domain/subscription.ts';
import type { Answer } from '../../server/answer.ts';
import type { Problem } from '../../server/problem.ts';

export type OperationName =
  | 'create'
  | 'charge'
  | 'refund'
  | 'cancel'
  | 'cancel-refund'
  | 'reserve'
  | 'cart'
  | 'reference'
  | 'terminate';

/** What a presenter may need besides the payment: this service's URL, and the merchant. */
export type PresentationContext = { readonly publicUrl: string; readonly merchant: Merchant };

/** For a subscription: the caller may end it, and so may see the page on which its consumer does. */
export type SubscriptionPresentation = PresentationContext & { readonly mayEnd: boolean };

export type Dialect = {
  /** Whether bodies are accepted in the spellings of existing clients; see read-generously.ts. */
  readonly readsGenerously: boolean;
  /** Whether payments are listed without a filter. */
  readonly listsUnfiltered: boolean;
  payment(payment: Payment, presentation: PresentationContext): object;
  charge(payment: Payment, charge: Movement, presentation: PresentationContext): object;
  refund(payment: Payment, refund: Movement, presentation: PresentationContext): object;
  /** `idName`: the name of the id in the path of its kind. */
  subscription(idName: string, subscription: Subscription, presentation: SubscriptionPresentation): object;
  created(payment: Payment, presentation: PresentationContext): Answer;
  charged(payment: Payment, charge: Movement): Answer;
  problems(problems: readonly Problem[], operation: OperationName | undefined): Answer;
  refusal(refusal: Refusal, operation: OperationName, payment: Payment, presentation: PresentationContext): Answer;
};

/** The page on which a consumer pays this payment. */
export function hostedPageUrl(paymentId: string, { publicUrl, merchant }: PresentationContext): string {
  return `${publicUrl}/hostedpaymentpage/?checkoutKey=${merchant.checkoutKey}&pid=${paymentId}`;
}

/** The PDF of a charge's invoice or a refund's credit note. Its URL is the only credential. */
export function invoicePdfUrl(
  payment: Payment,
  movementId: string,
  { publicUrl }: PresentationContext,
): string | undefined {
  const path = invoicePathOf(payment, movementId);
  return path && publicUrl + path;
}

/** The page on which the consumer sees and ends it. Its URL is the only credential. */
export const subscriptionPageUrl = ({ id, secret }: Pick<Subscription, 'id' | 'secret'>, publicUrl: string): string =>
  `${publicUrl}/subscriptions/${id}/${secret}`;

/** The URL of a charge's invoice or a refund's credit note; undefined if there is none, or none yet. */
export const invoiceLinkOf = (
  payment: Payment,
  { id, state }: Movement,
  presentation: PresentationContext,
): string | undefined => (state === 'approved' ? invoicePdfUrl(payment, id, presentation) : undefined);
