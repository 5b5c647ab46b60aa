// The consumer: the only personal data in a payment. Erasing it leaves the books untouched.

export type Phone = { readonly prefix: string; readonly number: string };

export type Address = {
  readonly addressLine1?: string;
  readonly addressLine2?: string;
  readonly receiverLine?: string;
  readonly postalCode?: string;
  readonly city?: string;
  readonly country?: string;
};

export type PrivatePerson = {
  /** Midnight UTC, in milliseconds. */
  readonly dateOfBirth?: number;
  readonly firstName?: string;
  readonly lastName?: string;
};

export type Company = {
  readonly name?: string;
  readonly organisationNumber?: string;
  readonly firstName?: string;
  readonly lastName?: string;
};

export type Consumer = {
  readonly email?: string;
  readonly phone?: Phone;
  /** The merchant's own name for this consumer. */
  readonly reference?: string;
  readonly billingAddress?: Address;
  readonly shippingAddress?: Address;
  readonly person?: PrivatePerson;
  readonly company?: Company;
  /** The IP address from which the consumer paid. Included in events, but in no API response. */
  readonly ip?: string;
  /** The shop's data, once the consumer has typed something else: the only part that a page may show again. */
  readonly given?: Consumer;
};

/** The shop's data of the consumer. An IP address without `given` means that the shop sent none. */
export const givenOf = (consumer: Consumer): Consumer => consumer.given ?? (consumer.ip === undefined ? consumer : {});

/** The consumer as they typed it, with their IP address and the shop's data. */
export function typedOver(known: Consumer, typed: Consumer, ip: string): Consumer {
  const given = givenOf(known);
  return { ...typed, ip, ...(!isUnknownConsumer(given) && { given }) };
}

/** The country that an invoice goes to: of the billing address, or of the only one there is. */
export const billedCountryOf = ({
  billingAddress,
  shippingAddress,
}: Pick<Consumer, 'billingAddress' | 'shippingAddress'>): string | undefined =>
  billingAddress?.country ?? shippingAddress?.country;

export const isUnknownConsumer = (consumer: Consumer): boolean => Object.keys(consumer).length === 0;
