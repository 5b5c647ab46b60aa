// All operations of the merchant's API, in the order in which the description lists them.
import type { Operation } from './operation.ts';
import { cancelPayment } from './operations/cancel-payment.ts';
import { cancelPendingRefund } from './operations/cancel-pending-refund.ts';
import { cancelRedelivery } from './operations/cancel-redelivery.ts';
import { chargePayment } from './operations/charge-payment.ts';
import { chargeSubscription } from './operations/charge-subscription.ts';
import { createBulkCharge } from './operations/create-bulk-charge.ts';
import { createBulkVerification } from './operations/create-bulk-verification.ts';
import { createPayment } from './operations/create-payment.ts';
import { createWebhook } from './operations/create-webhook.ts';
import { deleteWebhook } from './operations/delete-webhook.ts';
import { findSubscription } from './operations/find-subscription.ts';
import { getBulkCharge } from './operations/get-bulk-charge.ts';
import { getBulkVerification } from './operations/get-bulk-verification.ts';
import { getCharge } from './operations/get-charge.ts';
import { getClock } from './operations/get-clock.ts';
import { getEvent } from './operations/get-event.ts';
import { getPayment } from './operations/get-payment.ts';
import { getPayout } from './operations/get-payout.ts';
import { getRedelivery } from './operations/get-redelivery.ts';
import { getRefund } from './operations/get-refund.ts';
import { getSubscriptionChargeStatus } from './operations/get-subscription-charge-status.ts';
import { getSubscription } from './operations/get-subscription.ts';
import { getWebhook } from './operations/get-webhook.ts';
import { listAuditRecords } from './operations/list-audit-records.ts';
import { listDeliveriesOfEvent } from './operations/list-deliveries-of-event.ts';
import { listDeliveriesOfWebhook } from './operations/list-deliveries-of-webhook.ts';
import { listEvents } from './operations/list-events.ts';
import { listPaymentMethods } from './operations/list-payment-methods.ts';
import { listPayments } from './operations/list-payments.ts';
import { listPayouts } from './operations/list-payouts.ts';
import { listRedeliveries } from './operations/list-redeliveries.ts';
import { listWebhooks } from './operations/list-webhooks.ts';
import { moveClock } from './operations/move-clock.ts';
import { pingWebhook } from './operations/ping-webhook.ts';
import { redeliverEvent } from './operations/redeliver-event.ts';
import { redeliverToWebhook } from './operations/redeliver-to-webhook.ts';
import { refundCharge } from './operations/refund-charge.ts';
import { refundPayment } from './operations/refund-payment.ts';
import { reserveInSandbox } from './operations/reserve-in-sandbox.ts';
import { rotateWebhook } from './operations/rotate-webhook.ts';
import { settleRefundInSandbox } from './operations/settle-refund-in-sandbox.ts';
import { streamEvents } from './operations/stream-events.ts';
import { terminatePayment } from './operations/terminate-payment.ts';
import { terminateSubscription } from './operations/terminate-subscription.ts';
import { updateCart } from './operations/update-cart.ts';
import { updateMyReference } from './operations/update-my-reference.ts';
import { updateReference } from './operations/update-reference.ts';
import { updateWebhook } from './operations/update-webhook.ts';
import { SPELLINGS } from './parts/subscription-spelling.ts';

export const OPERATIONS: readonly Operation[] = [
  createPayment,
  listPayments,
  getPayment,
  updateCart,
  updateReference,
  updateMyReference,
  terminatePayment,
  listPaymentMethods,
  chargePayment,
  cancelPayment,
  refundCharge,
  refundPayment,
  cancelPendingRefund,
  getCharge,
  getRefund,
  reserveInSandbox,
  settleRefundInSandbox,
  ...SPELLINGS.flatMap((spelling) => [
    getSubscription(spelling),
    findSubscription(spelling),
    chargeSubscription(spelling),
    getSubscriptionChargeStatus(spelling),
    terminateSubscription(spelling),
    createBulkCharge(spelling),
    getBulkCharge(spelling),
    createBulkVerification(spelling),
    getBulkVerification(spelling),
  ]),
  listPayouts,
  getPayout,
  listEvents,
  streamEvents,
  getEvent,
  listDeliveriesOfEvent,
  redeliverEvent,
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhook,
  pingWebhook,
  redeliverToWebhook,
  listRedeliveries,
  getRedelivery,
  cancelRedelivery,
  listDeliveriesOfWebhook,
  listAuditRecords,
  getClock,
  moveClock,
];
