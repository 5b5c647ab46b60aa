// Made by `npm run client` out of openapi.json; not to be changed by hand.
import type { CallOptions, KeyedOptions, Pages, Row } from '../call.ts';

/** A line of an order, with a picture if there is one. */
export type PicturedOrderItem = {
  /** Your reference of the product; a whole number is taken as text. */
  readonly reference: string;
  /** What the consumer reads. */
  readonly name: string;
  /** With at most six decimals. */
  readonly quantity: number;
  /** For example pcs or kg. */
  readonly unit: string;
  /** Of one unit, without tax, in minor units. */
  readonly unitPrice: number;
  /** Hundredths of a percent: 2500 is 25 %. */
  readonly taxRate?: number | undefined;
  /** Tax of the whole line, in minor units. */
  readonly taxAmount?: number | undefined;
  /** The whole line with tax, in minor units; negative for a discount. */
  readonly grossTotalAmount: number;
  /** The whole line without tax, in minor units. */
  readonly netTotalAmount: number;
  /** The address of a picture for the checkout: GIF, JPEG, PNG or WebP. Anything else is no picture. */
  readonly imageUrl?: string | undefined;
};

/** The amount equals the sum of the grossTotalAmount of the items, exactly. */
export type CreatedOrder = {
  /** With at most 50 different tax rates. */
  readonly items: readonly PicturedOrderItem[];
  /** In the currency's minor unit: 100000 is 1,000.00 SEK. 0 is allowed with a subscription alone. */
  readonly amount: number;
  /** ISO 4217 code, in any case. */
  readonly currency: string;
  /** Your reference of the order. */
  readonly reference?: string | undefined;
};

/** The code alone, as in `["SWE"]`, is taken as well. */
export type ShippingCountry = {
  /** ISO 3166 code: three letters, or two in a request. */
  readonly countryCode: string;
};

export type PhoneNumber = {
  /** With its plus sign: +46. */
  readonly prefix?: string | undefined;
  readonly number?: string | undefined;
};

export type Address = {
  readonly addressLine1?: string | undefined;
  readonly addressLine2?: string | undefined;
  /** Who receives it, when not the consumer. */
  readonly receiverLine?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly city?: string | undefined;
  /** ISO 3166 code: three letters, or two in a request. */
  readonly country?: string | undefined;
  readonly phoneNumber?: PhoneNumber | undefined;
};

/** Who pays, when your shop knows already: a private person or a company. */
export type ConsumerData = {
  readonly email?: string | undefined;
  /** Your own name for this consumer. */
  readonly reference?: string | undefined;
  readonly phoneNumber?: PhoneNumber | undefined;
  readonly billingAddress?: Address | undefined;
  readonly shippingAddress?: Address | undefined;
  readonly privatePerson?: {
    readonly firstName?: string | undefined;
    readonly lastName?: string | undefined;
    readonly email?: string | undefined;
    readonly phoneNumber?: PhoneNumber | undefined;
    readonly merchantReference?: string | undefined;
    /** A date, or a timestamp of that day. */
    readonly dateOfBirth?: string | undefined;
  } | undefined;
  readonly company?: {
    readonly firstName?: string | undefined;
    readonly lastName?: string | undefined;
    readonly email?: string | undefined;
    readonly phoneNumber?: PhoneNumber | undefined;
    readonly merchantReference?: string | undefined;
    readonly name?: string | undefined;
    readonly organisationNumber?: string | undefined;
    readonly registrationNumber?: string | undefined;
    readonly contact?: {
      readonly firstName?: string | undefined;
      readonly lastName?: string | undefined;
    } | undefined;
  } | undefined;
};

/** How the consumer is met. */
export type Checkout = {
  /** The page of your shop that holds the checkout. Required unless HostedPaymentPage. */
  readonly url?: string | undefined;
  /** Inside a page of your shop (by default), or on a page of its own. */
  readonly integrationType?: 'EmbeddedCheckout' | 'HostedPaymentPage' | undefined;
  /** Where the consumer goes after paying. Required with HostedPaymentPage. */
  readonly returnUrl?: string | undefined;
  /** Where the consumer goes after giving up. */
  readonly cancelUrl?: string | undefined;
  /** The terms of your shop. */
  readonly termsUrl?: string | undefined;
  /** Taken for termsUrl. */
  readonly merchantTermsUrl?: string | undefined;
  /** Where you ship to. */
  readonly ShippingCountries?: readonly ShippingCountry[] | undefined;
  /** The same spelled otherwise. Both at once is 400. */
  readonly shippingCountries?: readonly ShippingCountry[] | undefined;
  readonly shipping?: {
    /** Taken when neither of the two above is there. */
    readonly countries?: readonly ShippingCountry[] | undefined;
    /** true: the cart is updated with the cost once the address is known. */
    readonly merchantHandlesShippingCost?: boolean | undefined;
    /** Without effect: the checkout always takes another billing address. */
    readonly enableBillingAddress?: boolean | undefined;
  } | undefined;
  /** Where you take the consumer to live: the checkout proposes that country. ISO 3166. */
  readonly countryCode?: string | undefined;
  /** true: the reservation is charged at once. */
  readonly charge?: boolean | undefined;
  /** true: nothing is remembered on the device. */
  readonly publicDevice?: boolean | undefined;
  /** true: your shop gives the consumer, and the checkout does not ask. */
  readonly merchantHandlesConsumerData?: boolean | undefined;
  readonly consumer?: ConsumerData | undefined;
  readonly consumerType?: {
    readonly default?: 'B2C' | 'B2B' | undefined;
    readonly supportedTypes?: ReadonlyArray<'B2C' | 'B2B'> | undefined;
  } | undefined;
  readonly appearance?: Readonly<Record<string, unknown>> | undefined;
};

/** An event that you want to hear of. */
export type WebHook = {
  /** For example payment.charge.created. */
  readonly eventName: string;
  /** Where the event is sent. */
  readonly url: string;
  /** Sent as it stands in the Authorization header; left out, there is none. */
  readonly authorization?: string | undefined;
  readonly headers?: ReadonlyArray<Readonly<Record<string, string>>> | undefined;
};

/** A new subscription, with {} one that has no limit but its end in 5 years; with subscriptionId, another card for one that there is. */
export type SubscriptionRequest = {
  /** Of a subscription, with dashes or without. */
  readonly subscriptionId?: string | undefined;
  /** No charge after it; 5 years from now when left out. */
  readonly endDate?: string | undefined;
  /** Least days between charges, by UTC date; 0, which is no limit, when left out. */
  readonly interval?: number | undefined;
  /** Shown to the consumer and kept; not enforced. */
  readonly allowVariableAmount?: boolean | undefined;
};

/** A new one, which is charged whenever it is needed; with an id, another card for one that there is. An object without either is refused. */
export type UnscheduledSubscriptionRequest = {
  /** true: a new one. false without an id: none. */
  readonly create?: boolean | undefined;
  /** Of a subscription, with dashes or without. */
  readonly unscheduledSubscriptionId?: string | undefined;
};

export type PaymentMethodConfiguration = {
  /** A method, such as Visa or EasyInvoice, or a type: Card, Invoice. In any case. */
  readonly name?: string | undefined;
  /** true by default. */
  readonly enabled?: boolean | undefined;
};

/** A line of an order, a charge, a cancel or a refund. Answers always hold all nine fields. */
export type OrderItem = {
  /** Your reference of the product; a whole number is taken as text. */
  readonly reference: string;
  /** What the consumer reads. */
  readonly name: string;
  /** With at most six decimals. */
  readonly quantity: number;
  /** For example pcs or kg. */
  readonly unit: string;
  /** Of one unit, without tax, in minor units. */
  readonly unitPrice: number;
  /** Hundredths of a percent: 2500 is 25 %. */
  readonly taxRate?: number | undefined;
  /** Tax of the whole line, in minor units. */
  readonly taxAmount?: number | undefined;
  /** The whole line with tax, in minor units; negative for a discount. */
  readonly grossTotalAmount: number;
  /** The whole line without tax, in minor units. */
  readonly netTotalAmount: number;
};

export type PaymentMethodFee = {
  /** The method; easy-invoice has a fee, also called easyinvoice. */
  readonly name?: string | undefined;
  readonly fee?: OrderItem | undefined;
};

/** For methods that Kassa does not have: taken and not kept. At most 8,192 characters as JSON. */
export type AdditionalPaymentMethodData = {
  readonly riverty?: Readonly<Record<string, unknown>> | undefined;
  readonly payPal?: {
    readonly orderReference?: string | undefined;
  } | undefined;
};

export type PaymentRequest = {
  readonly order: CreatedOrder;
  readonly checkout: Checkout;
  readonly notifications?: {
    readonly webHooks?: readonly WebHook[] | undefined;
    readonly webhooks?: readonly WebHook[] | undefined;
  } | undefined;
  readonly subscription?: SubscriptionRequest | undefined;
  readonly unscheduledSubscription?: UnscheduledSubscriptionRequest | undefined;
  /** A second reference of your own. */
  readonly myReference?: string | undefined;
  /** Once one method or type is listed, all others are off, for good. Left out or empty: all but the apps Swish (SEK), Vipps (NOK) and MobilePay (DKK, EUR), which a test merchant has to name. A method that you do not have has no effect. */
  readonly paymentMethodsConfiguration?: readonly PaymentMethodConfiguration[] | undefined;
  /** What paying by a method adds to the order, on top of its amount: it is an item of the order once the payment is reserved so. */
  readonly paymentMethods?: readonly PaymentMethodFee[] | undefined;
  /** Without effect: the key says whose payment it is. A whole number is taken as text. */
  readonly merchantNumber?: string | undefined;
  readonly additionalPaymentMethodData?: AdditionalPaymentMethodData | undefined;
};

export type PaymentCreated = {
  /** Identifies the payment. */
  readonly paymentId: string;
  /** The page on which the consumer pays; only with HostedPaymentPage. */
  readonly hostedPaymentPageUrl?: string | undefined;
};

/** What is wrong with the request, field by field. */
export type Errors = {
  /** Texts by the path of the field in the request, for example `order.items[0].name`. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
};

/** Sums in minor units. In the dialect `nexi` a sum that is 0 is left out. */
export type Summary = {
  /** What the consumer has set aside for you. It stays when money is charged or cancelled. */
  readonly reservedAmount: number;
  /** What you have taken of it. */
  readonly chargedAmount: number;
  /** What you have given back of what you took. */
  readonly refundedAmount: number;
  /** What you have released without taking it. */
  readonly cancelledAmount: number;
};

export type Company = {
  readonly name?: string | undefined;
  readonly organisationNumber?: string | undefined;
  readonly email?: string | undefined;
  readonly phoneNumber?: PhoneNumber | undefined;
  /** Your own name for this consumer. */
  readonly merchantReference?: string | undefined;
};

export type PrivatePerson = {
  /** Midnight UTC of the day. */
  readonly dateOfBirth?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly email?: string | undefined;
  readonly phoneNumber?: PhoneNumber | undefined;
  /** Your own name for this consumer. */
  readonly merchantReference?: string | undefined;
};

/** Who pays. A part of which nothing is known is an empty object. */
export type Consumer = {
  readonly billingAddress: Address;
  readonly shippingAddress: Address;
  readonly company: Company;
  readonly privatePerson: PrivatePerson;
};

/** How it was paid. Empty until the payment is reserved. */
export type PaymentDetails = {
  /** CARD or INVOICE. */
  readonly paymentType?: string | undefined;
  /** For example Visa, MasterCard or EasyInvoice. */
  readonly paymentMethod?: string | undefined;
  readonly invoiceDetails: {
    /** Of the latest charge. */
    readonly invoiceNumber?: string | undefined;
    /** The reference with which the invoice is paid. */
    readonly ocr?: string | undefined;
    readonly pdfLink?: string | undefined;
    /** 14 days after the charge. */
    readonly dueDate?: string | undefined;
  };
  readonly cardDetails: {
    /** First six and last four digits. */
    readonly maskedPan?: string | undefined;
    /** MMYY. */
    readonly expiryDate?: string | undefined;
  };
  /** Of a card: the same whenever it pays you, and different for every merchant. */
  readonly paymentAccountReference?: string | undefined;
};

export type OrderDetails = {
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly reference?: string | undefined;
};

/** Of an invoice payment: the invoice of the charge, or the credit note of the refund once it is Completed. Only where a charge or refund is read alone. */
export type InvoiceLink = {
  /** Its PDF. */
  readonly link: string;
  /** Its number in your series of invoices and credit notes: from 1, without gaps. Not in `nexi`. */
  readonly number?: number | undefined;
};

/** What was taken. The dialect `nexi` adds `surchargeAmount`, always 0. */
export type Charge = {
  /** Identifies the charge. */
  readonly chargeId: string;
  readonly amount: number;
  /** When it was made. */
  readonly created: string;
  readonly orderItems: readonly OrderItem[];
  readonly invoiceDetails?: InvoiceLink | undefined;
};

/** What was given back. The dialect `nexi` adds `surchargeAmount`, always 0. */
export type Refund = {
  /** Identifies the refund. */
  readonly refundId: string;
  readonly amount: number;
  readonly state: 'Pending' | 'Completed' | 'Failed' | 'Cancelled';
  /** When its state last changed. */
  readonly lastUpdated: string;
  readonly orderItems: readonly OrderItem[];
  readonly invoiceDetails?: InvoiceLink | undefined;
};

/** Its outcome is not known yet: the acquirer has not answered. Its amount is set aside, and in no sum. Once it is known, it is gone from here. A refund stands among the refunds, as Pending. */
export type PendingMovement = {
  readonly kind: 'reservation' | 'charge' | 'cancel';
  /** Of a charge: its chargeId, once it is made. */
  readonly id: string;
  readonly amount: number;
  /** When it was asked for. */
  readonly created: string;
};

/** Only once the checkout is finished. */
export type SubscriptionOfPayment = {
  /** The subscription that it began, or of which it is a charge. */
  readonly id: string;
};

/** Only once the checkout is finished. */
export type UnscheduledSubscriptionOfPayment = {
  /** The same of an unscheduled one. */
  readonly unscheduledSubscriptionId: string;
};

/** In the dialect `nexi`, `charges` and `refunds` are left out as long as there are none. */
export type Payment = {
  /** Identifies the payment. */
  readonly paymentId: string;
  readonly summary: Summary;
  readonly consumer: Consumer;
  readonly paymentDetails: PaymentDetails;
  readonly orderDetails: OrderDetails;
  readonly checkout: {
    /** Of a hosted payment: the page on which it is paid. */
    readonly url: string;
  };
  /** When it was created. */
  readonly created: string;
  readonly charges: readonly Charge[];
  readonly refunds: readonly Refund[];
  /** What is under way, left out while nothing is. Not in the dialect `nexi`. */
  readonly pending?: readonly PendingMovement[] | undefined;
  /** When it was terminated, if it was. */
  readonly terminated?: string | undefined;
  readonly myReference?: string | undefined;
  readonly subscription?: SubscriptionOfPayment | undefined;
  readonly unscheduledSubscription?: UnscheduledSubscriptionOfPayment | undefined;
};

export type PaymentList = {
  readonly payments: readonly Payment[];
  /** Gives the next page; missing on the last one. */
  readonly cursor?: string | undefined;
};

/** Why the request was not carried out. */
export type Failure = {
  /** For people: what is wrong and, where it is known, what to do. */
  readonly message: string;
  /** A text from a closed list: - `1000` Unknown: No other code fits; the message says it. - `1001` OverCharge: The charge is more than is left of the reservation. - `1002` ZeroCharge: Kassa never answers with it. - `1003` NotReserved: The consumer has not paid yet, or the payment is terminated. - `1004` AlreadyReserved: The consumer has paid already; this was possible only before. - `1005` AmountDiffersFromOrderItems: Kassa never answers with it. - `1006` ConsumerNotAddedToPayment: Kassa never answers with it. - `1007` PartialCancelNotAllowed: Kassa never answers with it. - `1008` AlreadyCharged: Nothing is left to cancel: all of the reservation is charged. - `1009` InvalidRefundAmount: The refund is more than is left of the charge (dialect nexi). - `1010` ReservationExpired: The payment or its reservation has expired. - `1011` ChargeNotFound: Kassa never answers with it. - `1012` RefundCancelled: The refund was cancelled; only in events. - `1013` RefundExpired: Kassa never answers with it. - `1014` RefundFailed: The acquirer declined the refund (dialect nexi), so it cannot be cancelled. - `1015` OrderItemsMissing: Kassa never answers with it. - `1016` OrderReferenceWasPreviouslySet: Kassa never answers with it. - `1017` ChangingCheckoutDomainNotAllowed: Kassa never answers with it. - `1018` PaymentMissingOrderReference: Kassa never answers with it. - `1019` AlreadyCancelled: All of the reservation is cancelled. - `1020` PaymentMethodChargeFailed: The acquirer declined the charge. - `1021` ShippingCostHasNotBeenSpecified: Kassa never answers with it. - `1022` PaymentReserveMethodFailed: The acquirer declined the reservation. - `1023` PaymentAlreadyRefunded: The refund is completed, so it cannot be cancelled. - `1024` PartialChargeNotAllowed: Kassa never answers with it. - `1025` RefundCancelFailed: The acquirer has carried the refund out before it could be cancelled. - `1026` ChargeTriedWithDifferentAmount: The Idempotency-Key belongs to another charge. - `1027` RefundTriedWithDifferentAmount: The Idempotency-Key belongs to another refund. - `1028` UpdateOrderAtAfterPayFailed: Kassa never answers with it. - `1029` HardDecline: The issuer will never take this card again; the subscription needs a new one. - `1030` ExpiredSubscription: The subscription has expired, or the consumer has ended it. - `1031` InvalidSubscription: The subscription cannot be charged again yet; the message has the first day. - `1032` NotGenuineSubscriptionTraceId: Kassa never answers with it. - `1099` OutcomeUnknown: Kassa's own: it is not known yet whether this was done. The message says how to learn it. */
  readonly code: '1000' | '1001' | '1002' | '1003' | '1004' | '1005' | '1006' | '1007' | '1008' | '1009' | '1010' | '1011' | '1012' | '1013' | '1014' | '1015' | '1016' | '1017' | '1018' | '1019' | '1020' | '1021' | '1022' | '1023' | '1024' | '1025' | '1026' | '1027' | '1028' | '1029' | '1030' | '1031' | '1032' | '1099';
  /** `internal`, or the name of the acquirer that said so. */
  readonly source: string;
};

export type PaymentAnswer = {
  readonly payment: Payment;
};

/** items is required; orderItems is taken for it. amount left out is their sum. */
export type CartRequest = {
  /** In the currency's minor unit: 100000 is 1,000.00 SEK. */
  readonly amount?: number | undefined;
  /** With at most 50 different tax rates. */
  readonly items?: readonly PicturedOrderItem[] | undefined;
  /** With at most 50 different tax rates. */
  readonly orderItems?: readonly PicturedOrderItem[] | undefined;
  readonly shipping?: {
    /** true: the items hold the cost of shipping. */
    readonly costSpecified?: boolean | undefined;
  } | undefined;
  /** Left out, fees stay as they are; [] removes them. */
  readonly paymentMethods?: readonly PaymentMethodFee[] | undefined;
  /** Refused unless empty: the methods are chosen when the payment is created. */
  readonly paymentMethodsConfiguration?: readonly PaymentMethodConfiguration[] | undefined;
};

/** Either may be left out, not both. */
export type ReferenceRequest = {
  /** The new reference for the transaction. */
  readonly reference?: string | undefined;
  /** The checkout URL. */
  readonly checkoutUrl?: string | undefined;
};

export type MyReferenceRequest = {
  /** A second reference of your own. */
  readonly myReference: string;
};

export type PaymentMethod = {
  readonly name: string;
  readonly paymentType: 'CARD' | 'INVOICE' | 'A2A' | 'WALLET';
  readonly currency: string;
  readonly enabled: boolean;
};

/** How the goods travel; kept with the charge. */
export type ChargeShipping = {
  /** Of the parcel. */
  readonly trackingNumber?: string | undefined;
  /** Who carries it, by a short code. */
  readonly provider?: string | undefined;
};

/** An amount, and the orderItems that it is for; items is taken for them. With items, the amount equals their sum; without, it can be any. */
export type ChargeRequest = {
  /** In the currency's minor unit: 100000 is 1,000.00 SEK. */
  readonly amount: number;
  /** With those of the order and of all movements before, at most 50 different tax rates. */
  readonly orderItems?: readonly OrderItem[] | undefined;
  /** With those of the order and of all movements before, at most 50 different tax rates. */
  readonly items?: readonly OrderItem[] | undefined;
  /** true: what this charge leaves of the reservation is cancelled as soon as it is approved. */
  readonly finalCharge?: boolean | undefined;
  /** Your own name of it: shown in its events in place of the payment's. */
  readonly myReference?: string | undefined;
  readonly shipping?: ChargeShipping | undefined;
  /** What the method of payment is to know the charge by; kept with it. */
  readonly paymentMethodReference?: string | undefined;
};

/** In the dialect `nexi`, `invoice` is there for invoice payments only. */
export type ChargeCreated = {
  /** Identifies the charge. */
  readonly chargeId: string;
  readonly invoice: {
    /** Unique for you, not gapless. */
    readonly invoiceNumber: string;
  };
};

/** An amount, and the orderItems that it is for; items is taken for them. With items, the amount equals their sum; without, it can be any. */
export type MoneyRequest = {
  /** In the currency's minor unit: 100000 is 1,000.00 SEK. */
  readonly amount: number;
  /** With those of the order and of all movements before, at most 50 different tax rates. */
  readonly orderItems?: readonly OrderItem[] | undefined;
  /** With those of the order and of all movements before, at most 50 different tax rates. */
  readonly items?: readonly OrderItem[] | undefined;
};

/** An amount, and the orderItems that it is for; items is taken for them. With items, the amount equals their sum; without, it can be any. */
export type RefundRequest = {
  /** In the currency's minor unit: 100000 is 1,000.00 SEK. */
  readonly amount: number;
  /** With those of the order and of all movements before, at most 50 different tax rates. */
  readonly orderItems?: readonly OrderItem[] | undefined;
  /** With those of the order and of all movements before, at most 50 different tax rates. */
  readonly items?: readonly OrderItem[] | undefined;
  /** Your own name of it: shown in its events in place of the payment's. */
  readonly myReference?: string | undefined;
};

export type RefundCreated = {
  /** Identifies the refund. */
  readonly refundId: string;
};

/** Everything may be left out, the body itself too. */
export type SandboxReserveRequest = {
  /** A test card number; by default 4925000000000004, which is approved. */
  readonly card?: string | undefined;
  /** By default CARD. A2A and WALLET: the app that it offers. */
  readonly paymentType?: 'CARD' | 'INVOICE' | 'A2A' | 'WALLET' | undefined;
  readonly consumer?: ConsumerData | undefined;
};

export type ReservationCreated = {
  /** Identifies the reservation. */
  readonly reservationId: string;
};

/** It may be left out, the body itself too. */
export type SandboxSettleRequest = {
  /** How the refund ends; by default Completed. */
  readonly state?: 'Completed' | 'Failed' | undefined;
};

/** The stored card. */
export type SubscriptionPaymentDetails = {
  readonly paymentType: 'CARD';
  /** For example Visa or MasterCard. */
  readonly paymentMethod: string;
  readonly cardDetails: {
    /** MMYY. */
    readonly expiryDate: string;
    /** First six and last four digits. */
    readonly maskedPan: string;
  };
};

/** How much money it is about. */
export type EventAmount = {
  /** In the currency's minor unit: 4000 is 40.00 DKK. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
};

/** What the consumer was shown above the button, and agreed to. */
export type EventConsent = {
  /** When the consumer pressed the button below these words. */
  readonly agreedAt: string;
  readonly amount: EventAmount;
  /** Whether they were told that the amount can differ from one charge to the next. */
  readonly allowVariableAmount: boolean;
  /** Least days between charges, where they were told of any. */
  readonly interval?: number | undefined;
  /** The end that they were told. */
  readonly endDate?: string | undefined;
  /** The language in which they read it. */
  readonly language?: string | undefined;
};

export type Subscription = {
  /** Identifies the subscription. */
  readonly subscriptionId: string;
  /** Least days between charges. */
  readonly interval: number;
  /** No charge after it. */
  readonly endDate: string;
  readonly paymentDetails: SubscriptionPaymentDetails;
  /** In dialect spec: whether it can be charged. needs_card: its issuer refuses the card for good. ended: by the consumer or by you. expired: its end is over. */
  readonly state?: 'active' | 'needs_card' | 'ended' | 'expired' | undefined;
  /** In dialect spec: when it was ended. */
  readonly endedAt?: string | undefined;
  /** In dialect spec: by whom. */
  readonly endedBy?: 'consumer' | 'merchant' | undefined;
  readonly consent?: EventConsent | undefined;
  /** In dialect spec, to a key with the scope money: the page on which the consumer sees and ends it. Anyone who has it can end it: give it to the consumer alone. */
  readonly consumerPageUrl?: string | undefined;
};

/** The amount equals the sum of the grossTotalAmount of the items, exactly. */
export type Order = {
  /** With at most 50 different tax rates. */
  readonly items: readonly PicturedOrderItem[];
  /** In the currency's minor unit: 100000 is 1,000.00 SEK. */
  readonly amount: number;
  /** ISO 4217 code, in any case. */
  readonly currency: string;
  /** Your reference of the order. */
  readonly reference?: string | undefined;
};

/** The order is free at each charge: its items, amount and currency. */
export type SubscriptionChargeRequest = {
  readonly order: Order;
  readonly notifications?: {
    readonly webHooks?: readonly WebHook[] | undefined;
    readonly webhooks?: readonly WebHook[] | undefined;
  } | undefined;
  /** A second reference of your own. */
  readonly myReference?: string | undefined;
};

export type SubscriptionCharged = {
  /** The payment that this charge is. */
  readonly paymentId: string;
  /** Its charge. */
  readonly chargeId: string;
};

export type SubscriptionChargeStatus = {
  /** The payment that this charge is. */
  readonly paymentId: string;
  /** Its charge, as soon as there is one. */
  readonly chargeId?: string | undefined;
  /** false: its outcome is not known yet. */
  readonly completed: boolean;
};

export type BulkChargeRequest = {
  /** Your own name of it, for 30 days: the same again with the same content is the same bulk. */
  readonly externalBulkChargeId: string;
  readonly notifications?: {
    readonly webHooks?: readonly WebHook[] | undefined;
    readonly webhooks?: readonly WebHook[] | undefined;
  } | undefined;
  readonly subscriptions: ReadonlyArray<{
    /** Of a subscription, with dashes or without. */
    readonly subscriptionId?: string | undefined;
    /** Of an imported one; nothing is imported here, so it is 400. */
    readonly externalReference?: string | undefined;
    readonly order: Order;
    /** A second reference of your own. */
    readonly myReference?: string | undefined;
  }>;
};

export type BulkAccepted = {
  /** Identifies the bulk. */
  readonly bulkId: string;
};

export type BulkChargeEntry = {
  /** The subscription. */
  readonly subscriptionId: string;
  /** The payment that this charge is: the same from the first read on. */
  readonly paymentId: string;
  /** Its charge, once it succeeded. */
  readonly chargeId?: string | undefined;
  readonly status: 'Pending' | 'Succeeded' | 'Failed';
  readonly message?: string | undefined;
  readonly code?: string | undefined;
  readonly source?: string | undefined;
};

export type BulkChargePage = {
  readonly page: readonly BulkChargeEntry[];
  /** Whether there are entries after these. */
  readonly more: boolean;
  readonly status: 'Processing' | 'Done';
};

export type BulkVerificationRequest = {
  /** Your own name of it, for 30 days: the same again with the same content is the same bulk. */
  readonly externalBulkVerificationId?: string | undefined;
  readonly subscriptions: ReadonlyArray<{
    /** Of a subscription, with dashes or without. */
    readonly subscriptionId?: string | undefined;
    /** Of an imported one; nothing is imported here, so it is 400. */
    readonly externalReference?: string | undefined;
  }>;
};

export type BulkVerificationEntry = {
  /** The subscription. */
  readonly subscriptionId: string;
  readonly status: 'Pending' | 'Succeeded' | 'Failed';
  readonly message?: string | undefined;
  readonly code?: string | undefined;
};

export type BulkVerificationPage = {
  readonly page: readonly BulkVerificationEntry[];
  /** Whether there are entries after these. */
  readonly more: boolean;
  readonly status: 'Processing' | 'Done';
};

export type UnscheduledSubscription = {
  /** Identifies the subscription. */
  readonly unscheduledSubscriptionId: string;
  readonly paymentDetails: SubscriptionPaymentDetails;
  /** In dialect spec: whether it can be charged. needs_card: its issuer refuses the card for good. ended: by the consumer or by you. expired: its end is over. */
  readonly state?: 'active' | 'needs_card' | 'ended' | 'expired' | undefined;
  /** In dialect spec: when it was ended. */
  readonly endedAt?: string | undefined;
  /** In dialect spec: by whom. */
  readonly endedBy?: 'consumer' | 'merchant' | undefined;
  readonly consent?: EventConsent | undefined;
  /** In dialect spec, to a key with the scope money: the page on which the consumer sees and ends it. Anyone who has it can end it: give it to the consumer alone. */
  readonly consumerPageUrl?: string | undefined;
};

export type UnscheduledBulkChargeRequest = {
  /** Your own name of it, for 30 days: the same again with the same content is the same bulk. */
  readonly externalBulkChargeId?: string | undefined;
  readonly notifications?: {
    readonly webHooks?: readonly WebHook[] | undefined;
    readonly webhooks?: readonly WebHook[] | undefined;
  } | undefined;
  readonly unscheduledSubscriptions: ReadonlyArray<{
    /** Of a subscription, with dashes or without. */
    readonly unscheduledSubscriptionId?: string | undefined;
    /** Of an imported one; nothing is imported here, so it is 400. */
    readonly externalReference?: string | undefined;
    readonly order: Order;
    /** A second reference of your own. */
    readonly myReference?: string | undefined;
  }>;
};

export type UnscheduledBulkChargeEntry = {
  /** The subscription. */
  readonly unscheduledSubscriptionId: string;
  /** The payment that this charge is: the same from the first read on. */
  readonly paymentId: string;
  /** Its charge, once it succeeded. */
  readonly chargeId?: string | undefined;
  readonly status: 'Pending' | 'Succeeded' | 'Failed';
  readonly message?: string | undefined;
  readonly code?: string | undefined;
  readonly source?: string | undefined;
};

export type UnscheduledBulkChargePage = {
  readonly page: readonly UnscheduledBulkChargeEntry[];
  /** Whether there are entries after these. */
  readonly more: boolean;
  readonly status: 'Processing' | 'Done';
};

export type UnscheduledBulkVerificationRequest = {
  /** Your own name of it, for 30 days: the same again with the same content is the same bulk. */
  readonly externalBulkVerificationId?: string | undefined;
  readonly unscheduledSubscriptions: ReadonlyArray<{
    /** Of a subscription, with dashes or without. */
    readonly unscheduledSubscriptionId?: string | undefined;
    /** Of an imported one; nothing is imported here, so it is 400. */
    readonly externalReference?: string | undefined;
  }>;
};

export type UnscheduledBulkVerificationEntry = {
  /** The subscription. */
  readonly unscheduledSubscriptionId: string;
  readonly status: 'Pending' | 'Succeeded' | 'Failed';
  readonly message?: string | undefined;
  readonly code?: string | undefined;
};

export type UnscheduledBulkVerificationPage = {
  readonly page: readonly UnscheduledBulkVerificationEntry[];
  /** Whether there are entries after these. */
  readonly more: boolean;
  readonly status: 'Processing' | 'Done';
};

export type Payout = {
  /** Identifies the payout. */
  readonly id: string;
  /** Your merchant number, the day and the currency. */
  readonly reference: string;
  /** The UTC day that it is for. */
  readonly date: string;
  readonly currency: string;
  /** What you are paid: chargedAmount less refundedAmount and fees. Below 0 when more was refunded. */
  readonly amount: number;
  /** What was charged on that day. */
  readonly chargedAmount: number;
  /** What was refunded on that day. */
  readonly refundedAmount: number;
  /** Nothing is deposited here. */
  readonly depositedAmount: 0;
  /** There are none here. */
  readonly fees: 0;
  /** As feeTaxRate; for old clients. */
  readonly feeVATpercent: 0;
  /** Fees are not taxed. */
  readonly feeTaxRate: 0;
  /** Fees are not taxed. */
  readonly feeTaxAmount: 0;
  /** Empty: the items of an order say the tax of each rate, vatAmount its sum. */
  readonly transactionTaxDetails: ReadonlyArray<{
    readonly rate: number;
    readonly amount: number;
  }>;
  readonly numberOfCharges: number;
};

export type Payouts = {
  /** In all, on whichever page. */
  readonly numberOfPayouts: number;
  readonly payouts: readonly Payout[];
};

export type PaymentAction = {
  /** The charge or refund. */
  readonly id: string;
  /** Its payment. */
  readonly paymentId: string;
  readonly paymentAction: 'CHARGE' | 'REFUND';
  /** For example Visa, MasterCard or EasyInvoice. */
  readonly paymentMethod: string;
  /** CARD or INVOICE. */
  readonly paymentType: string;
  /** When it was asked for. */
  readonly timestamp: string;
  /** The order's. */
  readonly reference?: string | undefined;
  /** A charge's. */
  readonly invoiceNumber?: string | undefined;
  /** In minor units. */
  readonly amount: number;
  /** The tax in it, as on its invoice: of the items that it names; without items its share of what was left of the order, or of the charge that it gives back. */
  readonly vatAmount: number;
  readonly currency: string;
  /** There is none here. */
  readonly fee: 0;
  /** There is none here. */
  readonly flexibleFee: 0;
  /** There is none here. */
  readonly fixedFee: 0;
  /** As feeTaxRate; for old clients. */
  readonly feeVATpercent: 0;
  /** Fees are not taxed. */
  readonly feeTaxRate: 0;
  /** Fees are not taxed. */
  readonly feeTaxAmount: 0;
  /** Empty: the items of an order say the tax of each rate, vatAmount its sum. */
  readonly transactionTaxDetails: ReadonlyArray<{
    readonly rate: number;
    readonly amount: number;
  }>;
  /** Of a payment of a subscription, of either kind. */
  readonly subscriptionId?: string | undefined;
};

export type PayoutDetails = {
  /** Identifies the payout. */
  readonly id: string;
  /** Your merchant number, the day and the currency. */
  readonly reference: string;
  /** The UTC day that it is for. */
  readonly date: string;
  readonly currency: string;
  /** What you are paid: chargedAmount less refundedAmount and fees. Below 0 when more was refunded. */
  readonly amount: number;
  /** What was charged on that day. */
  readonly chargedAmount: number;
  /** What was refunded on that day. */
  readonly refundedAmount: number;
  /** Nothing is deposited here. */
  readonly depositedAmount: 0;
  /** There are none here. */
  readonly fees: 0;
  /** As feeTaxRate; for old clients. */
  readonly feeVATpercent: 0;
  /** Fees are not taxed. */
  readonly feeTaxRate: 0;
  /** Fees are not taxed. */
  readonly feeTaxAmount: 0;
  /** Empty: the items of an order say the tax of each rate, vatAmount its sum. */
  readonly transactionTaxDetails: ReadonlyArray<{
    readonly rate: number;
    readonly amount: number;
  }>;
  /** In all, on whichever page. */
  readonly numberOfPaymentActions: number;
  /** In the order in which they were written. */
  readonly paymentActions: readonly PaymentAction[];
};

/** A line of the order. */
export type EventOrderItem = {
  /** The whole line with tax, in minor units; negative for a discount. */
  readonly grossTotalAmount: number;
  /** What the consumer reads. */
  readonly name: string;
  /** The whole line without tax, in minor units. */
  readonly netTotalAmount: number;
  /** With at most six decimals. */
  readonly quantity: number;
  /** Your reference of the product. */
  readonly reference: string;
  /** Hundredths of a percent: 2500 is 25 %. */
  readonly taxRate: number;
  /** Tax of the whole line, in minor units. */
  readonly taxAmount: number;
  /** For example pcs or kg. */
  readonly unit: string;
  /** Of one unit, without tax, in minor units. */
  readonly unitPrice: number;
};

/** What is bought. */
export type EventOrder = {
  readonly amount: EventAmount;
  /** Your reference of the order. */
  readonly reference?: string | undefined;
  /** All of them. */
  readonly orderItems: readonly EventOrderItem[];
};

/** The consumer pressed Pay for the first time; nothing is reserved yet. */
export type PaymentCreatedEvent = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'payment.created';
  readonly data: {
    readonly order: EventOrder;
    /** The subscription of either kind that it begins, or of which it is a charge. */
    readonly subscriptionId?: string | undefined;
    /** The payment. */
    readonly paymentId: string;
    /** Your second reference, when you gave one: the movement's, or else the payment's. */
    readonly myReference?: string | undefined;
  };
};

/** The check of the consumer by the card's bank. */
export type EventThreeDSecure = {
  /** Where the bank asked them; empty without a check. */
  readonly acsUrl: string;
  /** Y: the bank wanted to see them. */
  readonly authenticationEnrollmentStatus: 'Y' | 'N';
  /** Y: the consumer passed the check. */
  readonly authenticationStatus: 'Y' | 'N';
  /** How sure the scheme is: 05 and 02 after a check, 07 and 00 without one. */
  readonly eci: string;
};

/** The card; not there for an invoice. */
export type EventCardDetails = {
  /** D for a debit card, C for a credit card; when it is known. */
  readonly creditDebitIndicator?: string | undefined;
  /** 1 to 12. */
  readonly expiryMonth: number;
  /** Its last two digits. */
  readonly expiryYear: number;
  /** Two letters: the country of the card's bank; when it is known. */
  readonly issuerCountry?: string | undefined;
  /** First six and last four digits of the number. */
  readonly truncatedPan: string;
  readonly threeDSecure: EventThreeDSecure;
};

/** When a company pays. */
export type EventCompany = {
  /** Its name. */
  readonly name?: string | undefined;
  /** Its number. */
  readonly organisationNumber?: string | undefined;
};

/** An address; what nobody gave is left out. */
export type EventAddress = {
  /** Street and number. */
  readonly addressLine1?: string | undefined;
  /** More of it. */
  readonly addressLine2?: string | undefined;
  /** Without the postal code. */
  readonly city?: string | undefined;
  /** Three letters of ISO 3166. */
  readonly country?: string | undefined;
  /** The postal code. */
  readonly postcode?: string | undefined;
  /** Who receives it, when not the consumer. */
  readonly receiverLine?: string | undefined;
};

/** When it is known. */
export type EventPhoneNumber = {
  /** With its plus sign: +47. */
  readonly prefix: string;
  /** The rest of it. */
  readonly number: string;
};

/** Who pays, as known when the event is sent: email, ip and country are always there. */
export type EventConsumer = {
  /** The person's; of a company, its contact's. */
  readonly firstName?: string | undefined;
  /** As firstName. */
  readonly lastName?: string | undefined;
  readonly company?: EventCompany | undefined;
  readonly billingAddress?: EventAddress | undefined;
  /** Of the billing address, or of the only one there is; "" when it is not known. */
  readonly country: string;
  /** "" when it is not known. */
  readonly email: string;
  /** From where they paid; "" when it is not known. */
  readonly ip: string;
  /** Your own name for this consumer. */
  readonly merchantReference?: string | undefined;
  readonly phoneNumber?: EventPhoneNumber | undefined;
  readonly shippingAddress?: EventAddress | undefined;
};

/** The amount of the order is reserved: the consumer has paid, and you can charge. */
export type PaymentReservationCreatedEvent = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'payment.reservation.created';
  readonly data: {
    readonly cardDetails?: EventCardDetails | undefined;
    /** For example Visa, MasterCard or EasyInvoice. */
    readonly paymentMethod: string;
    /** What kind of method that is. */
    readonly paymentType: 'CARD' | 'INVOICE' | 'A2A' | 'WALLET';
    /** Of a card: the same whenever it pays you, and different for every merchant. */
    readonly paymentAccountReference?: string | undefined;
    readonly consumer: EventConsumer;
    /** Six digits, for people. */
    readonly reservationReference: string;
    /** The reservation. */
    readonly reserveId: string;
    /** Names the movement where books are compared: 25 letters and digits. */
    readonly reconciliationReference: string;
    readonly amount: EventAmount;
    /** Always 0: Kassa adds no surcharges. */
    readonly surchargeAmount: number;
    /** The payment. */
    readonly paymentId: string;
    /** Your second reference, when you gave one: the movement's, or else the payment's. */
    readonly myReference?: string | undefined;
  };
};

/** The same event as payment.reservation.created, without card and consumer. */
export type PaymentReservationCreatedV2Event = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'payment.reservation.created.v2';
  readonly data: {
    /** For example Visa, MasterCard or EasyInvoice. */
    readonly paymentMethod: string;
    /** What kind of method that is. */
    readonly paymentType: 'CARD' | 'INVOICE' | 'A2A' | 'WALLET';
    /** Of a card: the same whenever it pays you, and different for every merchant. */
    readonly paymentAccountReference?: string | undefined;
    /** The subscription of either kind that it begins, or of which it is a charge. */
    readonly subscriptionId?: string | undefined;
    /** Names the movement where books are compared: 25 letters and digits. */
    readonly reconciliationReference: string;
    readonly amount: EventAmount;
    /** Always 0: Kassa adds no surcharges. */
    readonly surchargeAmount: number;
    /** The payment. */
    readonly paymentId: string;
    /** Your second reference, when you gave one: the movement's, or else the payment's. */
    readonly myReference?: string | undefined;
  };
};

/** Why it failed. */
export type EventError = {
  /** The issuer's code of two digits, where it gave one; otherwise that of the API: 1022, 1020, 1014, 1012 or 1000. */
  readonly code: string;
  /** For people, with the reason that the acquirer gave. */
  readonly message: string;
  /** `Issuer` with a code of its own; otherwise the name of the acquirer who declined. */
  readonly source: string;
};

/** A try to pay was declined; the consumer can try again. */
export type PaymentReservationFailedEvent = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'payment.reservation.failed';
  readonly data: {
    readonly error: EventError;
    /** The items of the order. */
    readonly orderItems: readonly EventOrderItem[];
    /** The reservation that failed. */
    readonly reserveId: string;
    readonly amount: EventAmount;
    /** Always 0: Kassa adds no surcharges. */
    readonly surchargeAmount: number;
    /** The payment. */
    readonly paymentId: string;
    /** Your second reference, when you gave one: the movement's, or else the payment's. */
    readonly myReference?: string | undefined;
  };
};

/** The consumer is through the checkout and has paid, whether or not they come back to your shop. */
export type PaymentCheckoutCompletedEvent = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'payment.checkout.completed';
  readonly data: {
    readonly order: EventOrder;
    readonly consumer: EventConsumer;
    /** The payment. */
    readonly paymentId: string;
    /** Your second reference, when you gave one: the movement's, or else the payment's. */
    readonly myReference?: string | undefined;
  };
};

/** The invoice of the charge; only when the payment is an invoice payment. */
export type EventInvoiceDetails = {
  /** How it is sent; when that is known. */
  readonly distributionType?: 'Email' | undefined;
  /** The day on which it is due: 2026-05-31. */
  readonly invoiceDueDate: string;
  /** Unique for you, not gapless. */
  readonly invoiceNumber: string;
  /** The reference with which it is paid. */
  readonly ocrOrkid: string;
  /** Its number in your series: from 1, without gaps. */
  readonly number?: number | undefined;
  /** Its PDF; where the process that sends it knows the address of the service. */
  readonly link?: string | undefined;
  /** Where it is paid to: bankgiro, plusgiro, account or IBAN of the seller. */
  readonly accountNumber?: string | undefined;
  /** Your reference of the order. */
  readonly ourReference?: string | undefined;
  /** Your own name for the consumer. */
  readonly yourReference?: string | undefined;
};

/** Money was charged: the whole reservation or a part of it. */
export type PaymentChargeCreatedEvent = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'payment.charge.created';
  readonly data: {
    /** The charge. */
    readonly chargeId: string;
    /** The items that were named, or of the whole order; [] for a part without items. */
    readonly orderItems: readonly EventOrderItem[];
    /** Names the movement where books are compared: 25 letters and digits. */
    readonly reconciliationReference: string;
    readonly invoiceDetails?: EventInvoiceDetails | undefined;
    /** The reservation that it is taken from. */
    readonly reservationId: string;
    readonly amount: EventAmount;
    /** Always 0: Kassa adds no surcharges. */
    readonly surchargeAmount: number;
    /** The payment. */
    readonly paymentId: string;
    /** Your second reference, when you gave one: the movement's, or else the payment's. */
    readonly myReference?: string | undefined;
  };
};

/** The same event as payment.charge.created, with the method of payment. */
export type PaymentChargeCreatedV2Event = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'payment.charge.created.v2';
  readonly data: {
    /** The charge. */
    readonly chargeId: string;
    /** The items that were named, or of the whole order; [] for a part without items. */
    readonly orderItems: readonly EventOrderItem[];
    /** Names the movement where books are compared: 25 letters and digits. */
    readonly reconciliationReference: string;
    /** For example Visa, MasterCard or EasyInvoice. */
    readonly paymentMethod: string;
    /** What kind of method that is. */
    readonly paymentType: 'CARD' | 'INVOICE' | 'A2A' | 'WALLET';
    /** The subscription of either kind that it begins, or of which it is a charge. */
    readonly subscriptionId?: string | undefined;
    readonly amount: EventAmount;
    /** Always 0: Kassa adds no surcharges. */
    readonly surchargeAmount: number;
    /** The payment. */
    readonly paymentId: string;
    /** Your second reference, when you gave one: the movement's, or else the payment's. */
    readonly myReference?: string | undefined;
  };
};

/** A charge was declined; the reservation stays as it was. */
export type PaymentChargeFailedEvent = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'payment.charge.failed';
  readonly data: {
    readonly error: EventError;
    /** The charge. */
    readonly chargeId: string;
    /** The items that were named, or of the whole order; [] for a part without items. */
    readonly orderItems: readonly EventOrderItem[];
    /** Names the movement where books are compared: 25 letters and digits. */
    readonly reconciliationReference: string;
    /** The reservation that it is taken from. */
    readonly reservationId: string;
    readonly amount: EventAmount;
    /** Always 0: Kassa adds no surcharges. */
    readonly surchargeAmount: number;
    /** The payment. */
    readonly paymentId: string;
    /** Your second reference, when you gave one: the movement's, or else the payment's. */
    readonly myReference?: string | undefined;
  };
};

/** The same event as payment.charge.failed, with the method of payment. */
export type PaymentChargeFailedV2Event = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'payment.charge.failed.v2';
  readonly data: {
    readonly error: EventError;
    /** The charge. */
    readonly chargeId: string;
    /** The items that were named, or of the whole order; [] for a part without items. */
    readonly orderItems: readonly EventOrderItem[];
    /** Names the movement where books are compared: 25 letters and digits. */
    readonly reconciliationReference: string;
    /** For example Visa, MasterCard or EasyInvoice. */
    readonly paymentMethod: string;
    /** What kind of method that is. */
    readonly paymentType: 'CARD' | 'INVOICE' | 'A2A' | 'WALLET';
    /** The subscription of either kind that it begins, or of which it is a charge. */
    readonly subscriptionId?: string | undefined;
    readonly amount: EventAmount;
    /** Always 0: Kassa adds no surcharges. */
    readonly surchargeAmount: number;
    /** The payment. */
    readonly paymentId: string;
    /** Your second reference, when you gave one: the movement's, or else the payment's. */
    readonly myReference?: string | undefined;
  };
};

/** A refund was asked for; whether the money goes back is told next. */
export type PaymentRefundInitiatedEvent = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'payment.refund.initiated';
  readonly data: {
    /** The refund. */
    readonly refundId: string;
    /** The charge that is given back. */
    readonly chargeId: string;
    /** The items that were named, or of the whole charge; [] for a part without items. */
    readonly orderItems: readonly EventOrderItem[];
    /** Names the movement where books are compared: 25 letters and digits. */
    readonly reconciliationReference: string;
    readonly amount: EventAmount;
    /** Always 0: Kassa adds no surcharges. */
    readonly surchargeAmount: number;
    /** The payment. */
    readonly paymentId: string;
    /** Your second reference, when you gave one: the movement's, or else the payment's. */
    readonly myReference?: string | undefined;
  };
};

/** The same event as payment.refund.initiated, with the time. */
export type PaymentRefundInitiatedV2Event = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'payment.refund.initiated.v2';
  readonly data: {
    /** The refund. */
    readonly refundId: string;
    /** The charge that is given back. */
    readonly chargeId: string;
    /** The items that were named, or of the whole charge; [] for a part without items. */
    readonly orderItems: readonly EventOrderItem[];
    /** Names the movement where books are compared: 25 letters and digits. */
    readonly reconciliationReference: string;
    /** When it was asked for. */
    readonly executed: string;
    /** The refund, once more. */
    readonly paymentActionId: string;
    readonly amount: EventAmount;
    /** Always 0: Kassa adds no surcharges. */
    readonly surchargeAmount: number;
    /** The payment. */
    readonly paymentId: string;
    /** Your second reference, when you gave one: the movement's, or else the payment's. */
    readonly myReference?: string | undefined;
  };
};

/** The money of a refund is on its way back. */
export type PaymentRefundCompletedEvent = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'payment.refund.completed';
  readonly data: {
    /** The refund. */
    readonly refundId: string;
    readonly invoiceDetails?: EventInvoiceDetails | undefined;
    /** Of an invoice payment: the number of the credit note in your series. */
    readonly creditNoteNumber?: number | undefined;
    /** Its PDF. */
    readonly creditNoteLink?: string | undefined;
    /** Names the movement where books are compared: 25 letters and digits. */
    readonly reconciliationReference: string;
    readonly amount: EventAmount;
    /** Always 0: Kassa adds no surcharges. */
    readonly surchargeAmount: number;
    /** The payment. */
    readonly paymentId: string;
    /** Your second reference, when you gave one: the movement's, or else the payment's. */
    readonly myReference?: string | undefined;
  };
};

/** A refund was declined, or cancelled (1012); the charge can be refunded again. */
export type PaymentRefundFailedEvent = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'payment.refund.failed';
  readonly data: {
    readonly error: EventError;
    /** The refund. */
    readonly refundId: string;
    readonly invoiceDetails?: EventInvoiceDetails | undefined;
    /** Of an invoice payment: the number of the credit note in your series. */
    readonly creditNoteNumber?: number | undefined;
    /** Its PDF. */
    readonly creditNoteLink?: string | undefined;
    /** Names the movement where books are compared: 25 letters and digits. */
    readonly reconciliationReference: string;
    readonly amount: EventAmount;
    /** Always 0: Kassa adds no surcharges. */
    readonly surchargeAmount: number;
    /** The payment. */
    readonly paymentId: string;
    /** Your second reference, when you gave one: the movement's, or else the payment's. */
    readonly myReference?: string | undefined;
  };
};

/** A reservation was released without being charged, in part or in full. */
export type PaymentCancelCreatedEvent = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'payment.cancel.created';
  readonly data: {
    /** The cancel. */
    readonly cancelId: string;
    /** The items that were named, or of the whole order; [] for a part without items. */
    readonly orderItems: readonly EventOrderItem[];
    readonly amount: EventAmount;
    /** Always 0: Kassa adds no surcharges. */
    readonly surchargeAmount: number;
    /** The payment. */
    readonly paymentId: string;
    /** Your second reference, when you gave one: the movement's, or else the payment's. */
    readonly myReference?: string | undefined;
  };
};

/** A cancel was declined; the reservation stays as it was. */
export type PaymentCancelFailedEvent = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'payment.cancel.failed';
  readonly data: {
    readonly error: EventError;
    /** The cancel. */
    readonly cancelId: string;
    /** The items that were named, or of the whole order; [] for a part without items. */
    readonly orderItems: readonly EventOrderItem[];
    readonly amount: EventAmount;
    /** Always 0: Kassa adds no surcharges. */
    readonly surchargeAmount: number;
    /** The payment. */
    readonly paymentId: string;
    /** Your second reference, when you gave one: the movement's, or else the payment's. */
    readonly myReference?: string | undefined;
  };
};

/** A subscription was begun: the consumer has agreed to further charges, and their card is stored. */
export type SubscriptionCreatedEvent = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'subscription.created';
  readonly data: {
    /** The subscription, of either kind. */
    readonly subscriptionId: string;
    /** scheduled: of /v1/subscriptions. unscheduled: of /v1/unscheduledsubscriptions. */
    readonly kind: 'scheduled' | 'unscheduled';
    readonly consent: EventConsent;
    readonly cardDetails?: EventCardDetails | undefined;
    /** For example Visa, MasterCard or EasyInvoice. */
    readonly paymentMethod: string;
    /** What kind of method that is. */
    readonly paymentType: 'CARD' | 'INVOICE' | 'A2A' | 'WALLET';
    /** The payment. */
    readonly paymentId: string;
    /** Your second reference, when you gave one: the movement's, or else the payment's. */
    readonly myReference?: string | undefined;
  };
};

/** A subscription got another card, and its consumer has agreed to what the page said then. */
export type SubscriptionCardReplacedEvent = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'subscription.card.replaced';
  readonly data: {
    /** The subscription, of either kind. */
    readonly subscriptionId: string;
    /** scheduled: of /v1/subscriptions. unscheduled: of /v1/unscheduledsubscriptions. */
    readonly kind: 'scheduled' | 'unscheduled';
    readonly consent: EventConsent;
    readonly cardDetails?: EventCardDetails | undefined;
    /** For example Visa, MasterCard or EasyInvoice. */
    readonly paymentMethod: string;
    /** What kind of method that is. */
    readonly paymentType: 'CARD' | 'INVOICE' | 'A2A' | 'WALLET';
    /** The payment. */
    readonly paymentId: string;
    /** Your second reference, when you gave one: the movement's, or else the payment's. */
    readonly myReference?: string | undefined;
  };
};

/** A subscription was ended, by the consumer on their page or by you: nothing is charged any more. Your webhooks are told, and no hook of a payment. */
export type SubscriptionEndedEvent = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'subscription.ended';
  readonly data: {
    /** The subscription, of either kind. */
    readonly subscriptionId: string;
    /** scheduled: of /v1/subscriptions. unscheduled: of /v1/unscheduledsubscriptions. */
    readonly kind: 'scheduled' | 'unscheduled';
    /** consumer: on their page. merchant: by a call or a command of yours. */
    readonly endedBy: 'consumer' | 'merchant';
    /** The payment that brought its card. */
    readonly paymentId: string;
  };
};

/** Kassa switched off a webhook of yours: its address is gone for good, or it has failed for three days. Your other webhooks are told. */
export type WebhookDisabledEvent = {
  /** The event: the same however often it is sent. */
  readonly id: string;
  /** Your merchant. */
  readonly merchantId: number;
  /** When it happened. */
  readonly timestamp: string;
  /** The same as merchantId: clients read the one or the other. */
  readonly merchantNumber: number;
  /** Its name. */
  readonly event: 'webhook.disabled';
  readonly data: {
    /** The webhook that gets no more events until you switch it on. */
    readonly webhookId: string;
    /** Its address. */
    readonly url: string;
    /** gone: it answered 410. failing: no success for three days. */
    readonly reason: 'gone' | 'failing';
    /** When it was first not reached, of one that fails. */
    readonly failingSince?: string | undefined;
  };
};

/** As it is sent to webhooks: one of the events that are listed there, by its name in `event`. */
export type Event = PaymentCreatedEvent
  | PaymentReservationCreatedEvent
  | PaymentReservationCreatedV2Event
  | PaymentReservationFailedEvent
  | PaymentCheckoutCompletedEvent
  | PaymentChargeCreatedEvent
  | PaymentChargeCreatedV2Event
  | PaymentChargeFailedEvent
  | PaymentChargeFailedV2Event
  | PaymentRefundInitiatedEvent
  | PaymentRefundInitiatedV2Event
  | PaymentRefundCompletedEvent
  | PaymentRefundFailedEvent
  | PaymentCancelCreatedEvent
  | PaymentCancelFailedEvent
  | SubscriptionCreatedEvent
  | SubscriptionCardReplacedEvent
  | SubscriptionEndedEvent
  | WebhookDisabledEvent;

export type EventList = {
  readonly events: readonly Event[];
  /** Gives the next page; missing on the last one. */
  readonly cursor?: string | undefined;
};

export type DeliveryAttempt = {
  /** When it began. */
  readonly at: string;
  /** How long it took. */
  readonly ms: number;
  /** What was answered; missing when nothing was. */
  readonly status?: number | undefined;
  /** Why no answer came, or not all of it, or why it did not count. */
  readonly error?: string | undefined;
  /** The first bytes of what was answered. */
  readonly answer?: string | undefined;
};

/** One event on its way to one endpoint. */
export type Delivery = {
  /** The event. */
  readonly eventId: string;
  /** Its name. */
  readonly event: string;
  /** The webhook; missing for one of the payment's own. */
  readonly webhookId?: string | undefined;
  /** Of the payment's own: its place in notifications.webHooks. */
  readonly hook?: number | undefined;
  /** Of the payment's own: where it is sent. */
  readonly url?: string | undefined;
  /** pending: on its way, or held while its webhook is off. delivered: it was taken. failed: every try was in vain. dropped: nobody is there any more to be sent it. */
  readonly state: 'pending' | 'delivered' | 'failed' | 'dropped';
  /** How often it was asked for again; missing when it never was. */
  readonly redeliveries?: number | undefined;
  /** How often it was tried since it was asked for last. */
  readonly tries: number;
  /** When it is tried next, while it is pending and its webhook is on. */
  readonly nextTry?: string | undefined;
  /** All tries there ever were; missing when `attempts` has them all. */
  readonly attemptCount?: number | undefined;
  /** The tries, oldest first, across redeliveries: all, or of very many the first 20 and the last 20. */
  readonly attempts: readonly DeliveryAttempt[];
};

export type DeliveriesOfEvent = {
  readonly deliveries: readonly Delivery[];
};

/** Everything may be left out, the body itself too. */
export type RedeliverEventRequest = {
  /** Only to this webhook. */
  readonly webhookId?: string | undefined;
};

export type Redelivered = {
  /** How many are on their way again. */
  readonly deliveries: number;
};

export type WebhookRequest = {
  /** Where events are sent. */
  readonly url: string;
  /** The names of the events that are sent. Left out or ["*"]: all, those to come too. */
  readonly events?: readonly string[] | undefined;
  /** A secret of your own: `whsec_` and the base64 of 24 to 64 random bytes. Left out, Kassa makes one. */
  readonly secret?: string | undefined;
};

export type WebhookCreated = {
  /** Identifies the webhook. */
  readonly webhookId: string;
  /** Where events are sent. */
  readonly url: string;
  /** The names of the events that are sent; `["*"]`: all. */
  readonly events: ReadonlyArray<'*' | 'payment.created' | 'payment.reservation.created' | 'payment.reservation.created.v2' | 'payment.reservation.failed' | 'payment.checkout.completed' | 'payment.charge.created' | 'payment.charge.created.v2' | 'payment.charge.failed' | 'payment.charge.failed.v2' | 'payment.refund.initiated' | 'payment.refund.initiated.v2' | 'payment.refund.completed' | 'payment.refund.failed' | 'payment.cancel.created' | 'payment.cancel.failed' | 'subscription.created' | 'subscription.card.replaced' | 'subscription.ended' | 'webhook.disabled'>;
  /** A disabled one is sent nothing: what is on its way is held, and nothing new is queued. */
  readonly state: 'enabled' | 'disabled';
  /** When it was made. */
  readonly created: string;
  /** asked: you did it. gone: it answered 410. failing: no success for three days. */
  readonly disabledReason?: 'asked' | 'gone' | 'failing' | undefined;
  /** When it was switched off. */
  readonly disabledAt?: string | undefined;
  /** The first failure since the last success. */
  readonly failingSince?: string | undefined;
  /** Until then the secret before signs as well. */
  readonly oldSecretUntil?: string | undefined;
  /** Signs what is sent. Shown this once. */
  readonly secret: string;
};

/** An endpoint of yours. Its secret is not shown again. */
export type Webhook = {
  /** Identifies the webhook. */
  readonly webhookId: string;
  /** Where events are sent. */
  readonly url: string;
  /** The names of the events that are sent; `["*"]`: all. */
  readonly events: ReadonlyArray<'*' | 'payment.created' | 'payment.reservation.created' | 'payment.reservation.created.v2' | 'payment.reservation.failed' | 'payment.checkout.completed' | 'payment.charge.created' | 'payment.charge.created.v2' | 'payment.charge.failed' | 'payment.charge.failed.v2' | 'payment.refund.initiated' | 'payment.refund.initiated.v2' | 'payment.refund.completed' | 'payment.refund.failed' | 'payment.cancel.created' | 'payment.cancel.failed' | 'subscription.created' | 'subscription.card.replaced' | 'subscription.ended' | 'webhook.disabled'>;
  /** A disabled one is sent nothing: what is on its way is held, and nothing new is queued. */
  readonly state: 'enabled' | 'disabled';
  /** When it was made. */
  readonly created: string;
  /** asked: you did it. gone: it answered 410. failing: no success for three days. */
  readonly disabledReason?: 'asked' | 'gone' | 'failing' | undefined;
  /** When it was switched off. */
  readonly disabledAt?: string | undefined;
  /** The first failure since the last success. */
  readonly failingSince?: string | undefined;
  /** Until then the secret before signs as well. */
  readonly oldSecretUntil?: string | undefined;
};

export type WebhookList = {
  readonly webhooks: readonly Webhook[];
};

/** What is left out stays as it is; not everything can be left out. */
export type WebhookChangeRequest = {
  /** Where events are sent. */
  readonly url?: string | undefined;
  /** All of them anew, as in the request that made it. */
  readonly events?: readonly string[] | undefined;
  /** Switches it on, sends what was held and forgets its failures; or off. */
  readonly state?: 'enabled' | 'disabled' | undefined;
};

/** Everything may be left out, the body itself too. */
export type RotateRequest = {
  /** A secret of your own: `whsec_` and the base64 of 24 to 64 random bytes. Left out, Kassa makes one. */
  readonly secret?: string | undefined;
  /** For how many seconds the secret before signs as well. 0 ends it at once, when it has leaked. */
  readonly oldSecretFor?: number | undefined;
};

export type WebhookRotated = {
  /** Signs what is sent. Shown this once. */
  readonly secret: string;
  /** Until then the secret before signs as well; missing when it does not. */
  readonly oldSecretUntil?: string | undefined;
};

export type RedeliverSinceRequest = {
  /** What happened at this date or time, or later. */
  readonly since: string;
  /** And at this date or time, or earlier. */
  readonly until?: string | undefined;
  /** Only events of these names. */
  readonly types?: readonly string[] | undefined;
  /** Only what the webhook has not taken: what failed, is still on its way or was never sent. */
  readonly onlyFailed?: boolean | undefined;
};

/** Events that are sent to a webhook once more. */
export type Redelivery = {
  /** Identifies the redelivery. */
  readonly redeliveryId: string;
  /** Where it is sent. */
  readonly webhookId: string;
  /** running: it goes on by itself. completed: all are on their way. The others ended it before: you did, or its webhook was switched off or deleted. */
  readonly state: 'running' | 'completed' | 'cancelled' | 'webhook_disabled' | 'webhook_deleted';
  /** How many events are on their way again, so far. */
  readonly deliveries: number;
  /** How many events were looked at, so far. */
  readonly events: number;
  /** About how many there are to look at. */
  readonly ofEvents: number;
  /** What happened then or later. */
  readonly since: string;
  /** And then or earlier. */
  readonly until?: string | undefined;
  /** Only events of these names. */
  readonly types?: readonly string[] | undefined;
  /** Whether only what was not taken is sent. */
  readonly onlyFailed: boolean;
  /** When it was asked for. */
  readonly created: string;
  /** When it came to its end. */
  readonly ended?: string | undefined;
};

export type RedeliveryList = {
  readonly redeliveries: readonly Redelivery[];
};

export type DeliveryList = {
  readonly deliveries: readonly Delivery[];
  /** Gives the next page, as before; missing on the last one. */
  readonly cursor?: string | undefined;
};

export type AuditRecord = {
  /** From 1 and without gaps; its position for good. */
  readonly number: number;
  /** When it was done. */
  readonly at: string;
  /** By whom. */
  readonly actor: {
    readonly kind: 'person' | 'cli' | 'key' | 'system';
    /** Stays when the person or key is gone. */
    readonly id: string;
    /** For people: an e-mail address, a user and machine, the name of a key. */
    readonly name: string;
    /** The network address it came from. */
    readonly address?: string | undefined;
  };
  /** What was done. New versions know new ones. */
  readonly action: string;
  /** What it was done to: an id. */
  readonly subject: string;
  /** What was changed, as it was before. Without secrets. */
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  /** And as it is since. */
  readonly after?: Readonly<Record<string, unknown>> | undefined;
  /** The hash of the record before. */
  readonly previousHash: string;
  /** The SHA-256 of the record. */
  readonly hash: string;
};

export type AuditRecords = {
  /** Oldest first. */
  readonly records: readonly AuditRecord[];
  /** Gives the next page; missing on the last one. */
  readonly cursor?: string | undefined;
};

export type TestClock = {
  /** What time it is for your payments. */
  readonly time: string;
  /** How far that is ahead of the real time. */
  readonly aheadSeconds: number;
  /** To where the clock can be moved at most: two years ahead of the real time. */
  readonly latest: string;
};

/** One of the two. */
export type MoveClockRequest = {
  /** By how many seconds: 86400 is a day. Moves add up, to two years at most. */
  readonly advanceSeconds?: number | undefined;
  /** To which moment: later than it is by this clock. */
  readonly to?: string | undefined;
};

export type Health = {
  readonly status: 'ok';
};

export type Readiness = {
  readonly status: 'ready' | 'not ready';
  readonly reason?: string | undefined;
};

export type ListPaymentsQuery = {
  /** Only payments with this order reference. */
  readonly reference?: string | undefined;
  /** Only payments to which this has happened. */
  readonly state?: 'created' | 'reserved' | 'charged' | 'refunded' | 'cancelled' | 'terminated' | 'expired' | undefined;
  /** Created at this date or time, or later. */
  readonly from?: string | undefined;
  /** Created before this date or time. */
  readonly to?: string | undefined;
  /** How many at most: 1 to 100, by default 20. There may be fewer, or none: where there is a cursor, there is more. */
  readonly limit?: number | undefined;
  /** The cursor of the page before. */
  readonly cursor?: string | undefined;
};

export type ListPaymentMethodsQuery = {
  /** Only methods in this currency. Also spelled Currency. */
  readonly currency?: string | undefined;
  /** true or false: only those. Also spelled Enabled. */
  readonly enabled?: string | undefined;
};

export type FindSubscriptionQuery = {
  /** Of an imported subscription. */
  readonly externalReference?: string | undefined;
  /** The same. */
  readonly externalreference?: string | undefined;
};

export type GetBulkChargeQuery = {
  /** How many entries to leave out at the beginning; with take. */
  readonly skip?: string | undefined;
  /** How many entries to show at most. */
  readonly take?: string | undefined;
  /** Which page, from 0; with pageSize. All entries when neither pair is given. */
  readonly pageNumber?: string | undefined;
  /** How many entries a page has. */
  readonly pageSize?: string | undefined;
};

export type GetBulkVerificationQuery = {
  /** How many entries to leave out at the beginning; with take. */
  readonly skip?: string | undefined;
  /** How many entries to show at most. */
  readonly take?: string | undefined;
  /** Which page, from 0; with pageSize. All entries when neither pair is given. */
  readonly pageNumber?: string | undefined;
  /** How many entries a page has. */
  readonly pageSize?: string | undefined;
};

export type FindUnscheduledSubscriptionQuery = {
  /** Of an imported subscription. */
  readonly externalReference?: string | undefined;
  /** The same. */
  readonly externalreference?: string | undefined;
};

export type GetUnscheduledBulkChargeQuery = {
  /** How many entries to leave out at the beginning; with take. */
  readonly skip?: string | undefined;
  /** How many entries to show at most. */
  readonly take?: string | undefined;
  /** Which page, from 0; with pageSize. All entries when neither pair is given. */
  readonly pageNumber?: string | undefined;
  /** How many entries a page has. */
  readonly pageSize?: string | undefined;
};

export type GetUnscheduledBulkVerificationQuery = {
  /** How many entries to leave out at the beginning; with take. */
  readonly skip?: string | undefined;
  /** How many entries to show at most. */
  readonly take?: string | undefined;
  /** Which page, from 0; with pageSize. All entries when neither pair is given. */
  readonly pageNumber?: string | undefined;
  /** How many entries a page has. */
  readonly pageSize?: string | undefined;
};

export type ListPayoutsQuery = {
  /** The first day of the period, in UTC. */
  readonly fromDate: string;
  /** The last day, which is part of the period; at most 366 days. */
  readonly toDate: string;
  /** ISO 4217 code, in any case. */
  readonly currency?: string | undefined;
  /** Your own merchant number. Of any other there is nothing. */
  readonly merchantNumber?: string | undefined;
  /** Which page, counted from 0. By default the first. */
  readonly pageNumber?: string | undefined;
  /** How many on a page: 1 to 1000, by default 100. */
  readonly pageSize?: string | undefined;
};

export type GetPayoutQuery = {
  /** Your own merchant number. Of any other there is nothing. */
  readonly merchantNumber?: string | undefined;
  /** Which page, counted from 0. By default the first. */
  readonly pageNumber?: string | undefined;
  /** How many on a page: 1 to 1000, by default 100. */
  readonly pageSize?: string | undefined;
};

export type ListEventsQuery = {
  /** Only events of this payment. */
  readonly paymentId?: string | undefined;
  /** Only events of this name, or of these: several with commas between them. */
  readonly type?: string | undefined;
  /** Only what comes after this event: its id, or the cursor of the page before. Empty: from the beginning. */
  readonly after?: string | undefined;
  /** What was recorded at this date or time, or later. */
  readonly since?: string | undefined;
  /** How many at most: 1 to 100, by default 20. There may be fewer, or none: where there is a cursor, there is more. */
  readonly limit?: number | undefined;
};

export type StreamEventsQuery = {
  /** Only events of this name, or of these: several with commas between them. */
  readonly type?: string | undefined;
  /** Begins after this event instead of now; the header Last-Event-ID goes before it. */
  readonly after?: string | undefined;
};

export type ListDeliveriesOfWebhookQuery = {
  /** Only deliveries that have come to this. */
  readonly state?: 'pending' | 'delivered' | 'failed' | 'dropped' | undefined;
  /** Only events that came before this one: its id, or the cursor of the page before. */
  readonly before?: string | undefined;
  /** How many at most: 1 to 100, by default 20. There may be fewer, or none: where there is a cursor, there is more. */
  readonly limit?: number | undefined;
};

export type ListAuditRecordsQuery = {
  /** Only records after this number: the cursor of the page before, or the number of the last record that you have. Empty: from the beginning. */
  readonly after?: string | undefined;
  /** How many at most: 1 to 100, by default 20. There may be fewer, or none: where there is a cursor, there is more. */
  readonly limit?: number | undefined;
};

/** Every operation of the API. */
export type Operations = {
  /** List payments: GET /v1/payments. Your payments, newest first, page by page. The order is stable: payments created meanwhile do not shift the pages. `state` asks for what has happened to a payment, so one that was charged and then refunded is found under both; such a page may have fewer payments than `limit`, or none, and a `cursor` all the same. In the dialect `nexi` it needs at least one parameter. */
  listPayments(query?: ListPaymentsQuery, options?: CallOptions): Pages<PaymentList, Payment>;
  /** Create a payment: POST /v1/payments. Creates a payment that holds the order. Its `paymentId` is what the checkout is initialized with; with `integrationType` HostedPaymentPage the answer also holds the address of the page on which the consumer pays. */
  createPayment(body: PaymentRequest, options?: KeyedOptions): Promise<PaymentCreated>;
  /** Get a payment: GET /v1/payments/{paymentId}. Everything about a payment: its order, the consumer, how it was paid, and its charges and refunds. Every object is always there, empty when nothing is known; a text that nobody gave is left out, never null. */
  getPayment(paymentId: string, options?: CallOptions): Promise<PaymentAnswer>;
  /** Update the cart: PUT /v1/payments/{paymentId}/orderitems. Replaces the items and the amount of the order. Possible until the consumer has paid; afterwards it is 405. */
  updateCart(paymentId: string, body: CartRequest, options?: CallOptions): Promise<void>;
  /** Update the reference: PUT /v1/payments/{paymentId}/referenceinformation. Updates the reference of the order, the address of the checkout, or both. Possible until the payment is terminated or cancelled in full; then it is 405. */
  updateReference(paymentId: string, body: ReferenceRequest, options?: CallOptions): Promise<void>;
  /** Update your own reference: PUT /v1/payments/{paymentId}/myreference. Sets a second reference of your own, shown as `payment.myReference`. */
  updateMyReference(paymentId: string, body: MyReferenceRequest, options?: CallOptions): Promise<void>;
  /** Terminate a payment: PUT /v1/payments/{paymentId}/terminate. Closes a payment that was never paid, for good: the consumer can no longer pay it. Doing it again changes nothing and is 204 as well. Once the consumer has paid it is 405; then cancel or refund. While it is not known whether they have, it is 409. Takes no body. */
  terminatePayment(paymentId: string, options?: CallOptions): Promise<void>;
  /** List payment methods: GET /v1/paymentmethods. With what your consumers can pay, for each currency. */
  listPaymentMethods(query?: ListPaymentMethodsQuery, options?: CallOptions): Promise<readonly PaymentMethod[]>;
  /** Charge a payment: POST /v1/payments/{paymentId}/charges. Takes a part or all of what the consumer has reserved. A payment can be charged any number of times until nothing is left of its reservation. What cannot be charged is 402, and the message says why. Where the acquirer does not answer in time, it is 500 and the outcome is being determined: send the request again with the same Idempotency-Key until it gives the result. */
  chargePayment(paymentId: string, body: ChargeRequest, options?: KeyedOptions): Promise<ChargeCreated>;
  /** Cancel a payment: POST /v1/payments/{paymentId}/cancels. Returns a part or all of the reservation that is not charged to the consumer. When nothing is left that could be cancelled, it is 405. Where the acquirer does not answer in time, it is 500 and the outcome is being determined: send the request again with the same Idempotency-Key until it gives the result. */
  cancelPayment(paymentId: string, body: MoneyRequest, options?: KeyedOptions): Promise<void>;
  /** Refund a charge: POST /v1/charges/{chargeId}/refunds. Gives a part or all of a charge back to the consumer, in any number of refunds. In the dialect `nexi` an amount over what is left, and a refund that the acquirer declines, are 402 instead of 400. Where the acquirer does not answer in time, it is 201 all the same, and the refund is `Pending` until the outcome is known. */
  refundCharge(chargeId: string, body: RefundRequest, options?: KeyedOptions): Promise<RefundCreated>;
  /** Refund a payment: POST /v1/payments/{paymentId}/refunds. The same without a charge to name: the refund is made of the oldest charge that has the whole amount left. If there is none, the error lists what each charge has left. */
  refundPayment(paymentId: string, body: RefundRequest, options?: KeyedOptions): Promise<RefundCreated>;
  /** Cancel a pending refund: POST /v1/pending-refunds/{refundId}/cancel. A refund whose outcome is not known yet is `Pending`. Cancelled, it is never carried out: the acquirer has promised it. It is then `Cancelled`, its amount can be refunded again, and payment.refund.failed tells it with the code 1012. Again it is 204. A refund that has an outcome is 405. */
  cancelPendingRefund(refundId: string, options?: CallOptions): Promise<void>;
  /** Get a charge: GET /v1/charges/{chargeId}. One charge, as it stands in `payment.charges`. */
  getCharge(chargeId: string, options?: CallOptions): Promise<Charge>;
  /** Get a refund: GET /v1/refunds/{refundId}. One refund, as it stands in `payment.refunds`. */
  getRefund(refundId: string, options?: CallOptions): Promise<Refund>;
  /** Reserve a payment: POST /v1/sandbox/payments/{paymentId}/reserve. Does what a consumer who finishes the checkout does: reservation, consumer, events, and the charge where `checkout.charge` asks for it. 3-D Secure counts as passed. A live merchant has no sandbox: 404. */
  reserveInSandbox(paymentId: string, body?: SandboxReserveRequest, options?: CallOptions): Promise<ReservationCreated>;
  /** Settle a pending refund: POST /v1/sandbox/refunds/{refundId}/settle. A refund of the card 4000000000007726 stays `Pending` until you settle it here or cancel it. Sends the event payment.refund.completed or payment.refund.failed. Repeating the call is 204. A live merchant has no sandbox: 404. */
  settleRefundInSandbox(refundId: string, body?: SandboxSettleRequest, options?: CallOptions): Promise<void>;
  /** Read a subscription: GET /v1/subscriptions/{subscriptionId}. The stored card with which it is charged, and for a scheduled one its interval and its end. Dialect spec adds where it stands, what was agreed to, and, to a key with the scope money, the address of the consumer's page. */
  getSubscription(subscriptionId: string, options?: CallOptions): Promise<Subscription>;
  /** Find a subscription by its external reference: GET /v1/subscriptions. Only imported subscriptions have such a reference, and nothing is imported here: it is always 404. */
  findSubscription(query?: FindSubscriptionQuery, options?: CallOptions): Promise<never>;
  /** Charge a subscription: POST /v1/subscriptions/{subscriptionId}/charges. Makes a new payment with its own order, reserved with the stored card and charged at once. Whose it is, it copies from the payment that brought the card. What cannot be charged is 402. A decline that says that the card will never be good again is 1029, and so is every charge after it until the consumer gives another card; every other decline is 1020. */
  chargeSubscription(subscriptionId: string, body: SubscriptionChargeRequest, options?: KeyedOptions): Promise<SubscriptionCharged>;
  /** Read what came of a charge of a subscription: GET /v1/subscriptions/{subscriptionId}/charges/status. By the Idempotency-Key of the charge, for good. A key that is unknown, or whose charge was declined, is 404. */
  getSubscriptionChargeStatus(subscriptionId: string, options?: KeyedOptions): Promise<SubscriptionChargeStatus>;
  /** End a subscription: PUT /v1/subscriptions/{subscriptionId}/terminate. Nothing is charged from then on (402, 1030); a charge that is under way is finished and told. It is what the consumer does on their own page. One that was ended before stays as it is, and that is 204 as well; one that has expired is ended, so that no other card brings it back. */
  terminateSubscription(subscriptionId: string, options?: CallOptions): Promise<void>;
  /** Charge many subscriptions at once: POST /v1/subscriptions/charges. Writes down 1 to 1,000 charges, each with the id of its payment, and works them off in the background. The same externalBulkChargeId with the same content is the same bulk again, for 30 days; with other content it is 422. One subscription that there is not, or that is there more than ten times, is 400, and nothing is charged. */
  createBulkCharge(body: BulkChargeRequest, options?: KeyedOptions): Promise<BulkAccepted>;
  /** Read a bulk of charges: GET /v1/subscriptions/charges/{bulkId}. All entries in their order, or a page of them. An entry has the id of its payment from the first read on; of a declined one, code is the two digits of the issuer. */
  getBulkCharge(bulkId: string, query?: GetBulkChargeQuery, options?: CallOptions): Pages<BulkChargePage, BulkChargeEntry>;
  /** Ask whether many cards still work: POST /v1/subscriptions/verifications. Asks the issuers of 1 to 1,000 stored cards, without moving money and without making payments. One subscription may be there ten times. */
  createBulkVerification(body: BulkVerificationRequest, options?: KeyedOptions): Promise<BulkAccepted>;
  /** Read a bulk of verifications: GET /v1/subscriptions/verifications/{bulkId}. All entries in their order, or a page of them. */
  getBulkVerification(bulkId: string, query?: GetBulkVerificationQuery, options?: CallOptions): Pages<BulkVerificationPage, BulkVerificationEntry>;
  /** Read an unscheduled subscription: GET /v1/unscheduledsubscriptions/{unscheduledSubscriptionId}. The stored card with which it is charged, and for a scheduled one its interval and its end. Dialect spec adds where it stands, what was agreed to, and, to a key with the scope money, the address of the consumer's page. */
  getUnscheduledSubscription(unscheduledSubscriptionId: string, options?: CallOptions): Promise<UnscheduledSubscription>;
  /** Find an unscheduled subscription by its external reference: GET /v1/unscheduledsubscriptions. Only imported subscriptions have such a reference, and nothing is imported here: it is always 404. */
  findUnscheduledSubscription(query?: FindUnscheduledSubscriptionQuery, options?: CallOptions): Promise<never>;
  /** Charge an unscheduled subscription: POST /v1/unscheduledsubscriptions/{unscheduledSubscriptionId}/charges. Makes a new payment with its own order, reserved with the stored card and charged at once. Whose it is, it copies from the payment that brought the card. What cannot be charged is 402. A decline that says that the card will never be good again is 1029, and so is every charge after it until the consumer gives another card; every other decline is 1020. */
  chargeUnscheduledSubscription(unscheduledSubscriptionId: string, body: SubscriptionChargeRequest, options?: KeyedOptions): Promise<SubscriptionCharged>;
  /** Read what came of a charge of an unscheduled subscription: GET /v1/unscheduledsubscriptions/{unscheduledSubscriptionId}/charges/status. By the Idempotency-Key of the charge, for good. A key that is unknown, or whose charge was declined, is 404. */
  getUnscheduledSubscriptionChargeStatus(unscheduledSubscriptionId: string, options?: KeyedOptions): Promise<SubscriptionChargeStatus>;
  /** End an unscheduled subscription: PUT /v1/unscheduledsubscriptions/{unscheduledSubscriptionId}/terminate. Nothing is charged from then on (402, 1030); a charge that is under way is finished and told. It is what the consumer does on their own page. One that was ended before stays as it is, and that is 204 as well; one that has expired is ended, so that no other card brings it back. */
  terminateUnscheduledSubscription(unscheduledSubscriptionId: string, options?: CallOptions): Promise<void>;
  /** Charge many unscheduled subscriptions at once: POST /v1/unscheduledsubscriptions/charges. Writes down 1 to 1,000 charges, each with the id of its payment, and works them off in the background. The same externalBulkChargeId with the same content is the same bulk again, for 30 days; with other content it is 422. One subscription that there is not, or that is there more than ten times, is 400, and nothing is charged. */
  createUnscheduledBulkCharge(body: UnscheduledBulkChargeRequest, options?: KeyedOptions): Promise<BulkAccepted>;
  /** Read a bulk of charges: GET /v1/unscheduledsubscriptions/charges/{bulkId}. All entries in their order, or a page of them. An entry has the id of its payment from the first read on; of a declined one, code is the two digits of the issuer. */
  getUnscheduledBulkCharge(bulkId: string, query?: GetUnscheduledBulkChargeQuery, options?: CallOptions): Pages<UnscheduledBulkChargePage, UnscheduledBulkChargeEntry>;
  /** Ask whether many cards still work: POST /v1/unscheduledsubscriptions/verifications. Asks the issuers of 1 to 1,000 stored cards, without moving money and without making payments. One subscription may be there ten times. */
  createUnscheduledBulkVerification(body: UnscheduledBulkVerificationRequest, options?: KeyedOptions): Promise<BulkAccepted>;
  /** Read a bulk of verifications: GET /v1/unscheduledsubscriptions/verifications/{bulkId}. All entries in their order, or a page of them. */
  getUnscheduledBulkVerification(bulkId: string, query?: GetUnscheduledBulkVerificationQuery, options?: CallOptions): Pages<UnscheduledBulkVerificationPage, UnscheduledBulkVerificationEntry>;
  /** List payouts: GET /report/v1/payouts. What you are paid: one payout for each UTC day and currency in which something was charged or refunded, oldest first. A day is there once it is over, some minutes after midnight UTC, and stays as it is: what was pending then is in the payout of the day on which its outcome was known. On your first day there are none. */
  listPayouts(query: ListPayoutsQuery, options?: CallOptions): Pages<Payouts, Payout>;
  /** Read a payout: GET /report/v1/payouts/{payoutId}. With the charges and refunds that it is made of, page by page. */
  getPayout(payoutId: string, query?: GetPayoutQuery, options?: CallOptions): Pages<PayoutDetails, PaymentAction>;
  /** List events: GET /v1/events. Your events, oldest first, page by page. To follow them, keep the `id` of the last one that you have seen, ask for what comes `after` it, and ask again later: nothing is ever put in before what was shown already. Each event is shown with its payment as it is now. The events of a payment that is not yours are none. To begin at a time instead of at the first event, give `since`. */
  listEvents(query?: ListEventsQuery, options?: CallOptions): Pages<EventList, Event>;
  /** Stream events: GET /v1/events/stream. Your events as they happen, as server-sent events: from now on, or from the event after `Last-Event-ID` or `after`. Each has its `id`, its name as `event` and the event itself as `data`. A comment every 15 seconds says that the stream is alive. It ends when the service stops: come back with the `id` that you read last, and nothing is missed. At most 20 at once; one that is not read for a minute is cut off. */
  streamEvents(query?: StreamEventsQuery, options?: CallOptions): AsyncIterableIterator<Event>;
  /** Get an event: GET /v1/events/{eventId}. One event, with its payment as it is now. */
  getEvent(eventId: string, options?: CallOptions): Promise<Event>;
  /** List deliveries of an event: GET /v1/events/{eventId}/deliveries. To whom an event was sent, or is still to be sent, with every try: when, how long, what was answered. Also to the hooks that the payment was created with. Each redelivery counts `tries` anew, while `attempts` keeps all: what was taken once is still seen there. */
  listDeliveriesOfEvent(eventId: string, options?: CallOptions): Promise<DeliveriesOfEvent>;
  /** Redeliver an event: POST /v1/events/{eventId}/redeliver. Sends an event again, under the same `id`, whether it was taken or not: to the one webhook that is named, even if it never heard of it, or to everybody whom it was sent to. */
  redeliverEvent(eventId: string, body?: RedeliverEventRequest, options?: CallOptions): Promise<Redelivered>;
  /** List webhooks: GET /v1/webhooks. All your webhooks, oldest first, without their secrets. */
  listWebhooks(options?: CallOptions): Promise<WebhookList>;
  /** Create a webhook: POST /v1/webhooks. Has the events of all your payments sent to an address of yours, from now on: those that you list, or all. The `secret` that signs them is in this answer and in no other. After a lost answer, repeat the request with the same `Idempotency-Key`: it gives the first answer again, with the secret. There can be 20. */
  createWebhook(body: WebhookRequest, options?: KeyedOptions): Promise<WebhookCreated>;
  /** Get a webhook: GET /v1/webhooks/{webhookId}. A webhook without its secret: whether it is on, and since when it fails if it does. */
  getWebhook(webhookId: string, options?: CallOptions): Promise<Webhook>;
  /** Update a webhook: PUT /v1/webhooks/{webhookId}. Changes the address or the events, or switches it off or on. What is on its way when it is switched off is held, and sent at once when it is switched on again. What happens while it is off is not queued for it: redeliver it afterwards. */
  updateWebhook(webhookId: string, body: WebhookChangeRequest, options?: CallOptions): Promise<void>;
  /** Delete a webhook: DELETE /v1/webhooks/{webhookId}. Deletes a webhook for good. What was on its way to it is dropped. */
  deleteWebhook(webhookId: string, options?: CallOptions): Promise<void>;
  /** Rotate the secret: POST /v1/webhooks/{webhookId}/rotate. Gives the webhook a new secret, which is in this answer and in no other. For 24 hours, or for as long as `oldSecretFor` says, the secret before signs as well, so that your shop can change over without a gap; one that was still valid beside it is not any more. */
  rotateWebhook(webhookId: string, body?: RotateRequest, options?: CallOptions): Promise<WebhookRotated>;
  /** Ping a webhook: POST /v1/webhooks/{webhookId}/ping. Sends a test message to a webhook at once, signed as events are, and answers what came of it: the status, or why there is none. Its body is that of an event, with the name `webhook.ping` and `data: {"webhookId"}`. It is not listed, not tried again, and says nothing about whether the webhook fails; one that is off can be pinged, too. One at a time. */
  pingWebhook(webhookId: string, options?: CallOptions): Promise<DeliveryAttempt>;
  /** Redeliver all since a time: POST /v1/webhooks/{webhookId}/redeliver. Sends to a webhook what it wants of all that happened since a time, under the same ids, whether it was taken before or not: after it was away, or switched off. `until`, `types` and `onlyFailed` narrow it. A few are on their way when this is answered (`completed`); of many the answer is `running`, and Kassa goes on by itself, as fast as the webhook takes them. One at a time for each webhook. */
  redeliverToWebhook(webhookId: string, body?: RedeliverSinceRequest, options?: CallOptions): Promise<Redelivery>;
  /** List redeliveries: GET /v1/webhooks/{webhookId}/redeliveries. The latest redeliveries to a webhook, newest first, with how far each is. */
  listRedeliveries(webhookId: string, options?: CallOptions): Promise<RedeliveryList>;
  /** Retrieve a redelivery: GET /v1/webhooks/{webhookId}/redeliveries/{redeliveryId}. How far a redelivery is. */
  getRedelivery(webhookId: string, redeliveryId: string, options?: CallOptions): Promise<Redelivery>;
  /** End a redelivery: DELETE /v1/webhooks/{webhookId}/redeliveries/{redeliveryId}. Ends a redelivery. What it has put on the way stays there; one that is over stays as it is. */
  cancelRedelivery(webhookId: string, redeliveryId: string, options?: CallOptions): Promise<void>;
  /** List deliveries to a webhook: GET /v1/webhooks/{webhookId}/deliveries. What was sent to a webhook, or is still to be sent, newest event first, with every try. */
  listDeliveriesOfWebhook(webhookId: string, query?: ListDeliveriesOfWebhookQuery, options?: CallOptions): Pages<DeliveryList, Delivery>;
  /** List audit records: GET /v1/audit. Who did what: sign-ins, and changes of keys, webhooks, people and settings, oldest first. For a collector: read page after page with `after`, keep the number of the last record, and go on behind it later. Only for a key that names the scope `audit`; a key without scopes of its own does not have it. */
  listAuditRecords(query?: ListAuditRecordsQuery, options?: CallOptions): Pages<AuditRecords, AuditRecord>;
  /** Read the test clock: GET /v1/sandbox/clock. What time it is for the payments of a test merchant. A live merchant has no sandbox: 404. */
  getClock(options?: CallOptions): Promise<TestClock>;
  /** Move the test clock: POST /v1/sandbox/clock. Moves the time of a test merchant forward, by so many seconds or to a moment. From then on everything of its payments goes by it: payments and reservations expire, subscriptions can be charged again, invoices are dated by it, and what waits for another try, deliveries and calls of an acquirer, is tried at once. It cannot be moved back, and not further than two years: make another test merchant instead. A live merchant has no sandbox: 404. */
  moveClock(body: MoveClockRequest, options?: KeyedOptions): Promise<TestClock>;
};

export const operations = {
  listPayments: ['GET', '/v1/payments', 'query', 0, ['cursor', 'payments', 'cursor']],
  createPayment: ['POST', '/v1/payments', 'body', 1],
  getPayment: ['GET', '/v1/payments/{paymentId}', '', 0],
  updateCart: ['PUT', '/v1/payments/{paymentId}/orderitems', 'body', 0],
  updateReference: ['PUT', '/v1/payments/{paymentId}/referenceinformation', 'body', 0],
  updateMyReference: ['PUT', '/v1/payments/{paymentId}/myreference', 'body', 0],
  terminatePayment: ['PUT', '/v1/payments/{paymentId}/terminate', '', 0],
  listPaymentMethods: ['GET', '/v1/paymentmethods', 'query', 0],
  chargePayment: ['POST', '/v1/payments/{paymentId}/charges', 'body', 1],
  cancelPayment: ['POST', '/v1/payments/{paymentId}/cancels', 'body', 1],
  refundCharge: ['POST', '/v1/charges/{chargeId}/refunds', 'body', 1],
  refundPayment: ['POST', '/v1/payments/{paymentId}/refunds', 'body', 1],
  cancelPendingRefund: ['POST', '/v1/pending-refunds/{refundId}/cancel', '', 0],
  getCharge: ['GET', '/v1/charges/{chargeId}', '', 0],
  getRefund: ['GET', '/v1/refunds/{refundId}', '', 0],
  reserveInSandbox: ['POST', '/v1/sandbox/payments/{paymentId}/reserve', 'body', 0],
  settleRefundInSandbox: ['POST', '/v1/sandbox/refunds/{refundId}/settle', 'body', 0],
  getSubscription: ['GET', '/v1/subscriptions/{subscriptionId}', '', 0],
  findSubscription: ['GET', '/v1/subscriptions', 'query', 0],
  chargeSubscription: ['POST', '/v1/subscriptions/{subscriptionId}/charges', 'body', 1],
  getSubscriptionChargeStatus: ['GET', '/v1/subscriptions/{subscriptionId}/charges/status', '', 1],
  terminateSubscription: ['PUT', '/v1/subscriptions/{subscriptionId}/terminate', '', 0],
  createBulkCharge: ['POST', '/v1/subscriptions/charges', 'body', 1],
  getBulkCharge: ['GET', '/v1/subscriptions/charges/{bulkId}', 'query', 0, ['more', 'page']],
  createBulkVerification: ['POST', '/v1/subscriptions/verifications', 'body', 1],
  getBulkVerification: ['GET', '/v1/subscriptions/verifications/{bulkId}', 'query', 0, ['more', 'page']],
  getUnscheduledSubscription: ['GET', '/v1/unscheduledsubscriptions/{unscheduledSubscriptionId}', '', 0],
  findUnscheduledSubscription: ['GET', '/v1/unscheduledsubscriptions', 'query', 0],
  chargeUnscheduledSubscription: ['POST', '/v1/unscheduledsubscriptions/{unscheduledSubscriptionId}/charges', 'body', 1],
  getUnscheduledSubscriptionChargeStatus: ['GET', '/v1/unscheduledsubscriptions/{unscheduledSubscriptionId}/charges/status', '', 1],
  terminateUnscheduledSubscription: ['PUT', '/v1/unscheduledsubscriptions/{unscheduledSubscriptionId}/terminate', '', 0],
  createUnscheduledBulkCharge: ['POST', '/v1/unscheduledsubscriptions/charges', 'body', 1],
  getUnscheduledBulkCharge: ['GET', '/v1/unscheduledsubscriptions/charges/{bulkId}', 'query', 0, ['more', 'page']],
  createUnscheduledBulkVerification: ['POST', '/v1/unscheduledsubscriptions/verifications', 'body', 1],
  getUnscheduledBulkVerification: ['GET', '/v1/unscheduledsubscriptions/verifications/{bulkId}', 'query', 0, ['more', 'page']],
  listPayouts: ['GET', '/report/v1/payouts', 'query', 0, ['number', 'payouts', 'numberOfPayouts']],
  getPayout: ['GET', '/report/v1/payouts/{payoutId}', 'query', 0, ['number', 'paymentActions', 'numberOfPaymentActions']],
  listEvents: ['GET', '/v1/events', 'query', 0, ['cursor', 'events', 'after']],
  getEvent: ['GET', '/v1/events/{eventId}', '', 0],
  listDeliveriesOfEvent: ['GET', '/v1/events/{eventId}/deliveries', '', 0],
  redeliverEvent: ['POST', '/v1/events/{eventId}/redeliver', 'body', 0],
  listWebhooks: ['GET', '/v1/webhooks', '', 0],
  createWebhook: ['POST', '/v1/webhooks', 'body', 1],
  getWebhook: ['GET', '/v1/webhooks/{webhookId}', '', 0],
  updateWebhook: ['PUT', '/v1/webhooks/{webhookId}', 'body', 0],
  deleteWebhook: ['DELETE', '/v1/webhooks/{webhookId}', '', 0],
  rotateWebhook: ['POST', '/v1/webhooks/{webhookId}/rotate', 'body', 0],
  pingWebhook: ['POST', '/v1/webhooks/{webhookId}/ping', '', 0],
  redeliverToWebhook: ['POST', '/v1/webhooks/{webhookId}/redeliver', 'body', 0],
  listRedeliveries: ['GET', '/v1/webhooks/{webhookId}/redeliveries', '', 0],
  getRedelivery: ['GET', '/v1/webhooks/{webhookId}/redeliveries/{redeliveryId}', '', 0],
  cancelRedelivery: ['DELETE', '/v1/webhooks/{webhookId}/redeliveries/{redeliveryId}', '', 0],
  listDeliveriesOfWebhook: ['GET', '/v1/webhooks/{webhookId}/deliveries', 'query', 0, ['cursor', 'deliveries', 'before']],
  listAuditRecords: ['GET', '/v1/audit', 'query', 0, ['cursor', 'records', 'after']],
  getClock: ['GET', '/v1/sandbox/clock', '', 0],
  moveClock: ['POST', '/v1/sandbox/clock', 'body', 1],
} as const satisfies Readonly<Record<string, Row>>;
