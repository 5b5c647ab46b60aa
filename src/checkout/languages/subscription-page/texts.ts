// What the page on which a consumer sees and ends a subscription says. Words in braces are filled in; what was agreed to is
// told with the words of the consent, which stand in subscription-texts.ts.
import type { Notice } from '../catalogue.ts';

export type SubscriptionPageTexts = {
  /** {shop} */
  readonly title: string;
  readonly active: string;
  readonly needsCard: string;
  readonly agreedHeading: string;
  readonly howOften: string;
  readonly amount: string;
  readonly until: string;
  readonly endedOn: string;
  readonly card: string;
  readonly agreedOn: string;
  readonly nextCharge: string;
  readonly chargesHeading: string;
  readonly noCharges: string;
  /** Of what was bought in the checkout: charged since, or not yet. */
  readonly paid: string;
  readonly reserved: string;
  readonly charged: string;
  readonly pending: string;
  readonly declined: string;
  /** {amount} */
  readonly refunded: string;
  readonly older: string;
  readonly end: string;
  /** {shop} in both */
  readonly confirm: Notice;
  readonly keep: string;
  /** {shop} {date} in both */
  readonly ended: Notice;
  readonly endedByShop: Notice;
  readonly expired: Notice;
  /** On the page of a payment. */
  readonly see: string;
  readonly notFound: Notice;
  /** Told to whoever asks for more pages than a person can read. */
  readonly tooMany: Notice;
};
