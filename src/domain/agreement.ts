// What a payment has to do with a subscription, as the shop asked for it and the consumer agreed to it.

export type SubscriptionKind = 'scheduled' | 'unscheduled';

/** What the payment has to do with a subscription: begins it, replaces its card, or is one of its charges. */
export type Agreement = {
  readonly kind: SubscriptionKind;
  readonly id: string;
  readonly role: 'new' | 'update' | 'renewal';
  /**
   * A scheduled one's: least days between charges, and the end after which there is none. An update repeats what holds
   * already.
   */
  readonly intervalDays?: number;
  readonly endsAt?: number;
  readonly allowVariableAmount?: boolean;
  /** An update's: the amount that holds already, also where the order is of 0. */
  readonly holding?: { readonly amount: number; readonly currency: string };
  /** An update's: the payment that brought the card which it replaces. */
  readonly replaces?: string;
  /** A renewal's: the bulk that has it as an entry. */
  readonly bulkId?: string;
  /** When the consumer agreed, and in which language they read it. */
  readonly agreedAt?: number;
  readonly language?: string;
  /** A new one's: what makes the address unguessable at which the consumer sees and ends it. */
  readonly secret?: string;
};
