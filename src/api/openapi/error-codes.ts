// The closed list of error codes that clients of this API know, with their meaning in Kassa. Codes that Kassa never uses
// are listed too: clients switch over the whole list.

export type ErrorCode = { readonly code: string; readonly name: string; readonly meaning?: string };

const code = (number: number, name: string, meaning?: string): ErrorCode => ({
  code: String(number),
  name,
  ...(meaning !== undefined && { meaning }),
});

export const ERROR_CODES: readonly ErrorCode[] = [
  code(1000, 'Unknown', 'No other code fits; the message says it.'),
  code(1001, 'OverCharge', 'The charge is more than is left of the reservation.'),
  code(1002, 'ZeroCharge'),
  code(1003, 'NotReserved', 'The consumer has not paid yet, or the payment is terminated.'),
  code(1004, 'AlreadyReserved', 'The consumer has paid already; this was possible only before.'),
  code(1005, 'AmountDiffersFromOrderItems'),
  code(1006, 'ConsumerNotAddedToPayment'),
  code(1007, 'PartialCancelNotAllowed'),
  code(1008, 'AlreadyCharged', 'Nothing is left to cancel: all of the reservation is charged.'),
  code(1009, 'InvalidRefundAmount', 'The refund is more than is left of the charge (dialect nexi).'),
  code(1010, 'ReservationExpired', 'The payment or its reservation has expired.'),
  code(1011, 'ChargeNotFound'),
  code(1012, 'RefundCancelled', 'The refund was cancelled; only in events.'),
  code(1013, 'RefundExpired'),
  code(1014, 'RefundFailed', 'The acquirer declined the refund (dialect nexi), so it cannot be cancelled.'),
  code(1015, 'OrderItemsMissing'),
  code(1016, 'OrderReferenceWasPreviouslySet'),
  code(1017, 'ChangingCheckoutDomainNotAllowed'),
  code(1018, 'PaymentMissingOrderReference'),
  code(1019, 'AlreadyCancelled', 'All of the reservation is cancelled.'),
  code(1020, 'PaymentMethodChargeFailed', 'The acquirer declined the charge.'),
  code(1021, 'ShippingCostHasNotBeenSpecified'),
  code(1022, 'PaymentReserveMethodFailed', 'The acquirer declined the reservation.'),
  code(1023, 'PaymentAlreadyRefunded', 'The refund is completed, so it cannot be cancelled.'),
  code(1024, 'PartialChargeNotAllowed'),
  code(1025, 'RefundCancelFailed', 'The acquirer has carried the refund out before it could be cancelled.'),
  code(1026, 'ChargeTriedWithDifferentAmount', 'The Idempotency-Key belongs to another charge.'),
  code(1027, 'RefundTriedWithDifferentAmount', 'The Idempotency-Key belongs to another refund.'),
  code(1028, 'UpdateOrderAtAfterPayFailed'),
  code(1029, 'HardDecline', 'The issuer will never take this card again; the subscription needs a new one.'),
  code(1030, 'ExpiredSubscription', 'The subscription has expired, or the consumer has ended it.'),
  code(1031, 'InvalidSubscription', 'The subscription cannot be charged again yet; the message has the first day.'),
  code(1032, 'NotGenuineSubscriptionTraceId'),
  code(
    1099,
    'OutcomeUnknown',
    "Kassa's own: it is not known yet whether this was done. The message says how to learn it.",
  ),
];
