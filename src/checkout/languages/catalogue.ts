// All words of the checkout, as one type: a language that lacks a text does not compile. Words in braces, like {amount},
// are filled in where the text is shown. Texts below `script` travel with the page, in #texts, for its script.

/** The words of the button, by `textOptions.completePaymentButtonText`; each has {amount}. */
export const BUTTON_WORDS = ['pay', 'purchase', 'order', 'book', 'reserve', 'signup', 'subscribe', 'accept'] as const;
export type ButtonWord = (typeof BUTTON_WORDS)[number];

/** The countries that have a national number which an invoice asks for, as the shared rules know them. */
export const NUMBERED_COUNTRIES = ['SWE', 'NOR', 'DNK', 'FIN'] as const;
export type NumberedCountry = (typeof NUMBERED_COUNTRIES)[number];

/** The brands a card can have, by the names that they give themselves: the same in every language. */
export const BRAND_NAMES: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'Amex',
  dankort: 'Dankort',
  maestro: 'Maestro',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** A heading and what there is to say below it. */
export type Notice = { readonly title: string; readonly text: string };

/** What stands below a field that is not filled in as it should be. */
export type FieldErrors = {
  readonly emailMissing: string;
  readonly emailInvalid: string;
  readonly nameMissing: string;
  readonly companyMissing: string;
  readonly addressMissing: string;
  readonly cityMissing: string;
  readonly postalCodeMissing: string;
  /** {example} */
  readonly postalCodeInvalid: string;
  readonly countryMissing: string;
  readonly phoneMissing: string;
  readonly phoneInvalid: string;
  readonly prefixInvalid: string;
  readonly organisationNumberInvalid: string;
  readonly nationalNumberMissing: string;
  /** {example} */
  readonly nationalNumberInvalid: string;
  readonly cardNumberMissing: string;
  readonly cardNumberIncomplete: string;
  readonly cardNumberInvalid: string;
  readonly notTestCard: string;
  readonly expiryMissing: string;
  readonly expiryInvalid: string;
  readonly expired: string;
  readonly cvcMissing: string;
  readonly cvcInvalid: string;
  /** For an error of the service that the page itself did not find. */
  readonly fieldInvalid: string;
  readonly tooLong: string;
};

/** What the page's script says. */
export type ScriptTexts = {
  readonly errors: FieldErrors;
  /** One field is wrong. */
  readonly formHasError: string;
  /** {count} fields are wrong. */
  readonly formHasErrors: string;
  readonly declined: string;
  /** Where the bank said so, and the consumer can mend it. */
  readonly wrongCvc: string;
  readonly cardExpired: string;
  readonly invoiceRefused: string;
  readonly challengeFailed: string;
  readonly challengeLeft: string;
  readonly amountChanged: string;
  readonly shippingCostMissing: string;
  readonly shippingCostWaiting: string;
  readonly tooManyAttempts: string;
  readonly connectionLost: string;
  /** Said when a payment whose answer was lost turned out not to be made. */
  readonly notCharged: string;
  readonly connectionLostChecking: string;
  readonly somethingWrong: string;
  /** On the button and to screen readers, while the payment is made. */
  readonly paying: string;
  readonly checkingWithBank: string;
  readonly shopRefused: string;
  readonly frozen: string;
  /** To screen readers, after a cart update: {amount} */
  readonly newTotal: string;
  /** To screen readers, when a brand is recognised: {brand} */
  readonly brandRecognised: string;
  /** To screen readers, when a test card was filled in. */
  readonly testCardFilledIn: string;
  /** The label of paymentType.invoice.nationalNumber, by the country of the billing address. */
  readonly nationalNumber: Readonly<Record<NumberedCountry, string>>;
  readonly brandNames: typeof BRAND_NAMES;
};

export type Catalogue = {
  readonly page: {
    /** {shop} */
    readonly title: string;
    readonly heading: string;
    readonly language: string;
    readonly noScript: string;
    readonly opensInNewWindow: string;
  };
  readonly order: {
    readonly heading: string;
    /** {count}, for one item and for more. */
    readonly item: string;
    readonly items: string;
    readonly discount: string;
    readonly total: string;
    /** The tax in the total; {rate} where all items have the same one. */
    readonly taxAt: string;
    readonly tax: string;
    readonly shippingLater: string;
    readonly previousItems: string;
    readonly moreItems: string;
    readonly partOfItems: string;
  };
  readonly consumer: {
    readonly heading: string;
    readonly kind: string;
    readonly person: string;
    readonly company: string;
    readonly email: string;
    readonly prefix: string;
    readonly phone: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly companyName: string;
    readonly organisationNumber: string;
    readonly contactFirstName: string;
    readonly contactLastName: string;
    readonly optional: string;
    readonly remember: string;
  };
  readonly address: {
    readonly shipping: string;
    readonly billing: string;
    readonly line1: string;
    readonly line2: string;
    readonly postalCode: string;
    readonly city: string;
    readonly country: string;
    readonly chooseCountry: string;
    readonly otherBilling: string;
  };
  readonly payment: {
    readonly heading: string;
    readonly card: string;
    readonly cardNumber: string;
    readonly expiry: string;
    readonly expiryHint: string;
    readonly cvc: string;
    readonly cvcHint: string;
    readonly invoice: string;
    readonly invoiceHint: string;
    readonly invoiceText: string;
    /** Where the country is not known yet. */
    readonly nationalNumber: string;
    readonly nationalNumberHint: string;
    readonly button: Readonly<Record<ButtonWord, string>>;
    /** {terms} is the link, with termsLink as its words. */
    readonly terms: string;
    readonly termsLink: string;
    readonly cancel: string;
    readonly secure: string;
  };
  readonly challenge: {
    readonly heading: string;
    readonly text: string;
    readonly ownPage: string;
    readonly close: string;
    readonly waiting: Notice;
    readonly goOn: string;
  };
  readonly lastTry: { readonly declined: Notice; readonly challengeFailed: Notice };
  readonly paid: {
    readonly title: string;
    /** {amount}, {shop} */
    readonly text: string;
    readonly invoiceTitle: string;
    /** {amount}, {shop} */
    readonly invoiceText: string;
    /** For one of which nothing is left: {amount}, {shop} */
    readonly refundedTitle: string;
    readonly refundedText: string;
    readonly whatNext: string;
    readonly reserved: string;
    readonly charged: string;
    /** {amount} */
    readonly partlyCharged: string;
    readonly invoice: string;
    readonly refund: string;
    readonly amount: string;
    readonly cancelled: string;
    readonly refunded: string;
    /** What is left after that. */
    readonly kept: string;
    readonly method: string;
    readonly orderReference: string;
    readonly invoiceMethod: string;
    /** {digits} */
    readonly cardEndingIn: string;
    readonly returnToShop: string;
  };
  readonly states: {
    readonly pending: Notice & { readonly again: string };
    readonly expired: Notice;
    readonly terminated: Notice;
    readonly unavailable: Notice;
    readonly back: string;
  };
  readonly faults: {
    readonly wrongKey: Notice;
    readonly noSuchPayment: Notice;
    readonly wrongAddress: Notice;
    readonly databaseAway: Notice;
    readonly tryAgain: string;
  };
  readonly bank: {
    readonly title: string;
    readonly name: string;
    readonly simulated: string;
    readonly text: string;
    readonly shop: string;
    readonly amount: string;
    readonly card: string;
    readonly approve: string;
    readonly reject: string;
    readonly leave: string;
    readonly finished: Notice;
    readonly goOn: string;
  };
  readonly sandbox: {
    readonly ribbon: string;
    readonly cards: string;
    readonly cardsHint: string;
    readonly outcomes: {
      readonly approved: string;
      readonly declined: string;
      readonly chargeDeclined: string;
      readonly refundDeclined: string;
      readonly refundPending: string;
      readonly cancelDeclined: string;
      readonly insufficientFunds: string;
      readonly expiredCard: string;
      readonly wrongCvc: string;
      readonly processingError: string;
      readonly challengeApproved: string;
      readonly challengeDeclined: string;
    };
  };
  readonly script: ScriptTexts;
};
