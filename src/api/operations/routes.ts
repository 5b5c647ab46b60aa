// The operations of the merchant's API, one line for each route file. Each group has a folder, in which schema, route and
// documentation of its operations stand together.
import type { FastifyInstance } from 'fastify';
import type { ReadingContext } from '../request.ts';
import { routeAuditRecords } from './audit/list-audit-records.ts';
import { routeDeliveries } from './events/deliveries.ts';
import { routeEventStream } from './events/event-stream.ts';
import { routeEvents } from './events/events.ts';
import { routeCancelRefund } from './money/cancel-refund.ts';
import { routeGetMovements } from './money/get-movement.ts';
import { routeMoves } from './money/move-money.ts';
import { routeSandboxReserve } from './money/sandbox-reserve.ts';
import { routeSandboxSettle } from './money/sandbox-settle.ts';
import { routeCreatePayment } from './payments/create-payment.ts';
import { routeGetPayment } from './payments/get-payment.ts';
import { routeListPayments } from './payments/list-payments.ts';
import { routePaymentMethods } from './payments/payment-methods.ts';
import { routeUpdates } from './payments/update-payment.ts';
import { routePayouts } from './payouts/payouts.ts';
import { routeClock } from './sandbox/clock.ts';
import { routeBulks } from './subscriptions/bulks.ts';
import { routeSubscriptions } from './subscriptions/subscriptions.ts';
import { routePingWebhook } from './webhooks/ping-webhook.ts';
import { routeRedeliveries } from './webhooks/redeliveries.ts';
import { routeWebhooks } from './webhooks/webhooks.ts';

/** In this order the description lists their schemas. */
export function routeOperations(api: FastifyInstance, context: ReadingContext): void {
  routeCreatePayment(api, context);
  routeGetPayment(api, context);
  routeMoves(api, context);
  routeUpdates(api, context);
  routeCancelRefund(api, context);
  routeGetMovements(api, context);
  routeListPayments(api, context);
  routePaymentMethods(api);
  routeSubscriptions(api, context);
  routeBulks(api, context);
  routePayouts(api, context);
  routeSandboxReserve(api, context);
  routeSandboxSettle(api, context);
  routeClock(api, context);
  routeEvents(api, context);
  routeEventStream(api, context);
  routeWebhooks(api, context);
  routePingWebhook(api, context);
  routeDeliveries(api, context);
  routeRedeliveries(api, context);
  routeAuditRecords(api, context);
}
