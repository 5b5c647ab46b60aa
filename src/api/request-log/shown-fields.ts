// The fields of a body that are kept verbatim: a list of those that identify nobody, by the object that contains them.
// Everything else is masked, so a misspelt field, or one of a later version, reveals nothing.

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Objects and arrays with fields that may be shown. Everything within any other is masked. */
const SHOWN_OBJECTS = wordsOf(`
  order items orderItems checkout notifications webHooks webhooks shipping countries ShippingCountries
  shippingCountries consumerType supportedTypes paymentMethods fee fees paymentMethodsConfiguration payment
  payments charges refunds summary orderDetails paymentDetails invoiceDetails events data amount types deliveries
  attempts subscription subscriptions unscheduledSubscription unscheduledSubscriptions page payouts paymentActions
  redeliveries transactionTaxDetails refundsInitiated
`);

/** Fields with a short text or a number. */
const SHOWN_FIELDS = wordsOf(`
  paymentId chargeId refundId cancelId reservationId reserveId eventId webhookId bulkId redeliveryId
  subscriptionId unscheduledSubscriptionId payoutId paymentActionId id merchantId merchantNumber externalReference
  externalBulkChargeId externalBulkVerificationId reference myReference orderReference merchantReference
  reconciliationReference reservationReference invoiceNumber creditNoteNumber cursor amount quantity unit
  unitPrice taxRate taxAmount grossTotalAmount netTotalAmount vatAmount reservedAmount chargedAmount
  refundedAmount cancelledAmount surchargeAmount depositedAmount fixedFee flexibleFee feeTaxAmount feeTaxRate
  feeVATpercent rate numberOfCharges numberOfPaymentActions numberOfPayouts attemptCount ms tries interval
  currency integrationType countryCode default supportedTypes state status kind type types paymentType
  paymentMethod paymentAction event eventName distributionType provider message code source reason error
  disabledReason endedBy hook created completed timestamp date at endDate dueDate invoiceDueDate lastUpdated
  terminated until since nextTry failingSince disabledAt endedAt oldSecretUntil agreedAt
`);

/** Fields with a URL: all but what follows its path. */
const SHOWN_ADDRESSES = wordsOf(`
  url returnUrl cancelUrl termsUrl merchantTermsUrl checkoutUrl imageUrl hostedPaymentPageUrl
`);

/** Names of goods are shown, names of people are not. */
const NAMED_OBJECTS = wordsOf(`
  items orderItems fee fees paymentMethods
`);

/** For query parameters. */
const SHOWN_PARAMETERS = wordsOf(`
  reference state from to limit cursor currency enabled externalReference externalreference skip take pageNumber
  pageSize fromDate toDate merchantNumber paymentId type after since before
`);

export type Showing = 'text' | 'address' | 'nothing';

/** For responses only: the problems of a request, by field. The texts are ours, and repeat nothing sensitive. */
export const ERRORS = 'errors';

export const isShownObject = (field: string): boolean => SHOWN_OBJECTS.has(field);
export const isShownParameter = (name: string): boolean => SHOWN_PARAMETERS.has(name);

/** How a field is kept. `inside` is the field of the object that contains it, if that is in one. */
export function showingOf(field: string, inside: string): Showing {
  if (field === 'name') return NAMED_OBJECTS.has(inside) ? 'text' : 'nothing';
  if (SHOWN_ADDRESSES.has(field)) return 'address';
  return SHOWN_FIELDS.has(field) ? 'text' : 'nothing';
}
