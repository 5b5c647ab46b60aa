// Reads a subscription, charges it once, says what came of a charge by its key, and ends it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Order } from '../../../domain/payment.ts';
import { isHardDecline } from '../../../domain/subscription-charge.ts';
import { describeSubscriptionRefusal, directChargeFailed } from '../../../domain/subscription-decline.ts';
import { reachOf } from '../../../events/addresses.ts';
import { chargeSubscription, renewedOf } from '../../../payments/charge-subscription.ts';
import type { RenewalOutcome } from '../../../payments/charge-subscription.ts';
import { endSubscription } from '../../../payments/end-subscription.ts';
import { findSubscription } from '../../../store/payments/subscriptions.ts';
import type { Answer } from '../../../server/answer.ts';
import { answerWith, failure, NO_CONTENT } from '../../../server/answer.ts';
import { NOT_FOUND, sendAnswer } from '../../../server/errors.ts';
import { sendOutcome } from '../../outcome.ts';
import { badField } from '../../../server/problem.ts';
import { spendMore } from '../../../server/rate-limit.ts';
import { dashedIdIn, dialectOf, idempotencyOf, presentationContextOf } from '../../request.ts';
import { keyIdOf, merchantOf } from '../../../server/asker.ts';
import { requireWellFormedKey } from '../../request.ts';
import type { RouteContext } from '../../request.ts';
import { hasScope } from '../../../server/scopes.ts';
import { readItems, requireFewRates, requireSum } from '../../sum-rule.ts';
import { readWebHooks } from '../payments/create-payment.ts';
import { SPELLINGS } from './kinds.ts';
import type { Spelling } from './kinds.ts';
import { ReferenceQuery, SubscriptionChargeSchema } from './schema.ts';
import type { SubscriptionChargeBody } from './schema.ts';

/** The order of a charge; what is wrong with it is told with its path. */
export function readOrder(
  { amount, currency, reference, items: given }: SubscriptionChargeBody['order'],
  field: string,
): Order {
  const items = readItems(given);
  requireSum(`${field}.amount`, amount, items);
  requireFewRates(`${field}.items`, items);
  return { amount, currency: currency.toUpperCase(), ...(reference && { reference }), items };
}

function present(request: FastifyRequest, context: RouteContext, outcome: RenewalOutcome): Answer {
  switch (outcome.kind) {
    case 'charged':
      return answerWith(200, { paymentId: outcome.payment.id, chargeId: outcome.charge.id });
    case 'refused': {
      const { code, message } = describeSubscriptionRefusal(outcome.refusal);
      return failure(402, code, message);
    }
    case 'declined': {
      const { details } = outcome.movement;
      const code = isHardDecline(details?.issuerCode) ? '1029' : '1020';
      return failure(402, code, directChargeFailed(outcome.payment.id), 'Issuer');
    }
    case 'pending': {
      const hasKey = idempotencyOf(request) !== undefined;
      const refusal = { name: 'outcome_is_unknown', kind: 'charge', hasKey } as const;
      return dialectOf(request).refusal(refusal, 'charge', outcome.payment, presentationContextOf(request, context));
    }
  }
}

function routeCharge(app: FastifyInstance, context: RouteContext, spelling: Spelling): void {
  const { kind, path, idName, operation } = spelling;
  const options = {
    schema: { operationId: operation('chargeSubscription'), body: SubscriptionChargeSchema },
    config: { operation: 'charge' as const, keyed: true },
  };
  app.post(`${path}/:${idName}/charges`, options, async (request, reply) => {
    const { order: given, myReference, ...body } = request.body as SubscriptionChargeBody;
    const order = readOrder(given, 'order');
    const merchant = merchantOf(request);
    const webHooks = readWebHooks(body, reachOf(merchant.live, context.privateHooks));
    spendMore(request, webHooks?.length ?? 0);
    const subscriptionId = dashedIdIn(request, idName);
    if (subscriptionId === undefined) return sendAnswer(reply, NOT_FOUND);
    const idempotency = idempotencyOf(request);
    const recordAnswer = (outcome: RenewalOutcome) => {
      const { status, body: text } = present(request, context, outcome);
      return { status, text };
    };
    const outcome = await chargeSubscription(context.payments, {
      merchantId: merchant.id,
      kind,
      subscriptionId,
      order,
      keyId: keyIdOf(request),
      ...(myReference && { myReference }),
      ...(webHooks && { webHooks }),
      ...(idempotency && { keyed: { idempotency, recordAnswer } }),
    });
    switch (outcome.kind) {
      case 'charged':
      case 'declined':
      case 'refused':
      case 'pending':
        return sendAnswer(reply, present(request, context, outcome));
      case 'not_wanted':
        throw new Error('only an entry of a bulk can be given up');
      default:
        return sendOutcome(request, reply, outcome, () => NOT_FOUND);
    }
  });
}

function routeStatus(app: FastifyInstance, { payments: { store } }: RouteContext, spelling: Spelling): void {
  const { path, idName, operation } = spelling;
  const options = { schema: { operationId: operation('getSubscriptionChargeStatus') } };
  app.get(`${path}/:${idName}/charges/status`, options, async (request, reply) => {
    if (!requireWellFormedKey(request)) throw badField('Idempotency-Key', 'is required');
    const key = request.headers['idempotency-key'] as string;
    const target = dashedIdIn(request, idName);
    const merchantId = merchantOf(request).id;
    const record = target && (await store.read({ merchantId, target, operation: 'charge', key })).record;
    const payment = record && (await store.read({ merchantId, target: record.paymentId })).payment;
    const renewed = payment && renewedOf(payment);
    if (!renewed || renewed.kind === 'declined') return sendAnswer(reply, NOT_FOUND);
    const charge = payment.movements.find((movement) => movement.kind === 'charge');
    const completed = renewed.kind === 'charged';
    const body = { paymentId: payment.id, ...(charge && { chargeId: charge.id }), completed };
    return sendAnswer(reply, answerWith(200, body));
  });
}

function routeRead(app: FastifyInstance, context: RouteContext, spelling: Spelling): void {
  const { kind, path, idName, operation } = spelling;
  const { store } = context.payments;
  const byId = { schema: { operationId: operation('getSubscription') } };
  app.get(`${path}/:${idName}`, byId, async (request, reply) => {
    const id = dashedIdIn(request, idName);
    const merchantId = merchantOf(request).id;
    const subscription = id && (await findSubscription(store.pool, merchantId, kind, id));
    if (!subscription) return sendAnswer(reply, NOT_FOUND);
    // After a restart it is shown only when the synchronous standby has it, as payments are.
    await store.read({ merchantId, target: id });
    const presentation = { ...presentationContextOf(request, context), mayEnd: hasScope(request, 'money') };
    return sendAnswer(reply, answerWith(200, dialectOf(request).subscription(idName, subscription, presentation)));
  });
  const byReference = {
    schema: { operationId: operation('findSubscription'), querystring: ReferenceQuery },
  };
  app.get(path, byReference, async (request: FastifyRequest, reply: FastifyReply) => {
    const { externalReference, externalreference } = request.query as Record<string, string | undefined>;
    if ((externalReference ?? externalreference) === undefined) throw badField('externalReference', 'is required');
    // Only imported ones have a reference, and nothing is imported.
    return sendAnswer(reply, NOT_FOUND);
  });
}

/** Of ours: the API has no way to end one, and a shop whose consumer ends it there should not have to remember that. */
function routeTerminate(app: FastifyInstance, { payments }: RouteContext, spelling: Spelling): void {
  const { kind, path, idName, operation } = spelling;
  const options = { schema: { operationId: operation('terminateSubscription') } };
  app.put(`${path}/:${idName}/terminate`, options, async (request, reply) => {
    const id = dashedIdIn(request, idName);
    const found = id && (await findSubscription(payments.store.pool, merchantOf(request).id, kind, id));
    if (!found) return sendAnswer(reply, NOT_FOUND);
    // Who asks again, or too late, has what they wanted.
    await endSubscription(payments, found, 'merchant');
    return sendAnswer(reply, NO_CONTENT);
  });
}

export function routeSubscriptions(app: FastifyInstance, context: RouteContext): void {
  for (const spelling of SPELLINGS) {
    routeRead(app, context, spelling);
    routeCharge(app, context, spelling);
    routeStatus(app, context, spelling);
    routeTerminate(app, context, spelling);
  }
}
