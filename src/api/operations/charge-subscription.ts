// POST /v1/subscriptions/{subscriptionId}/charges, and the same for unscheduled ones: charges the stored card once.
import type { FastifyRequest } from 'fastify';
import { isHardDecline } from '../../domain/subscription-charge.ts';
import type { SubscriptionRefusal } from '../../domain/subscription-charge.ts';
import { describeSubscriptionRefusal, directChargeFailed } from '../../domain/subscription-decline.ts';
import { reachOf } from '../../events/addresses.ts';
import { Id } from '../../events/body-parts.ts';
import { chargeSubscription as charge } from '../../payments/charge-subscription.ts';
import type { RenewalOutcome } from '../../payments/charge-subscription.ts';
import * as Type from '../../schema/type.ts';
import { answerWith, failure, NOT_FOUND } from '../../server/answer.ts';
import type { Answer } from '../../server/answer.ts';
import { keyIdOf } from '../../server/asker.ts';
import { spendMore } from '../../server/rate-limit.ts';
import { charged, IDS } from '../openapi/story.ts';
import { CHARGED, ENDS_AT, order, SUM_DIFFERS, WHAT } from '../openapi/subscription-examples.ts';
import { answers, BODY_MISSING, operation, refusal, refusedFor } from '../operation.ts';
import type { Refused } from '../operation.ts';
import { answerOutcome } from '../outcome.ts';
import { readOrder } from '../parts/subscription-order.ts';
import type { OfKind } from '../parts/subscription-spelling.ts';
import { readWebHooks } from '../parts/web-hooks.ts';
import { dashedIdIn, dialectOf, idempotencyOf, presentationContextOf } from '../request.ts';
import type { RouteContext } from '../request.ts';
import { SubscriptionChargeSchema } from '../schemas/subscription.ts';

function answerRefused(why: SubscriptionRefusal): Answer {
  const { code, message } = describeSubscriptionRefusal(why);
  return failure(402, code, message);
}

function present(request: FastifyRequest, context: RouteContext, outcome: RenewalOutcome): Answer {
  switch (outcome.kind) {
    case 'charged':
      return answerWith(200, { paymentId: outcome.payment.id, chargeId: outcome.charge.id });
    case 'refused':
      return answerRefused(outcome.refusal);
    case 'declined': {
      const { details } = outcome.movement;
      const code = isHardDecline(details?.issuerCode) ? '1029' : '1020';
      return failure(402, code, directChargeFailed(outcome.payment.id), 'Issuer');
    }
    case 'pending': {
      const hasKey = idempotencyOf(request) !== undefined;
      const why = { name: 'outcome_is_unknown', kind: 'charge', hasKey } as const;
      return dialectOf(request).refusal(why, 'charge', outcome.payment, presentationContextOf(request, context));
    }
  }
}

const refused = (summary: string, why: SubscriptionRefusal): Refused => refusal(summary, answerRefused(why));

const TOO_EARLY = [
  refused('Too early', { name: 'subscription_is_charged_too_early', firstDay: '2026-04-14' }),
  refused('It has expired', { name: 'subscription_has_expired', at: ENDS_AT }),
];

export const chargeSubscription: OfKind = ({ kind, path, idName, operation: nameOf }) =>
  operation(nameOf('chargeSubscription'), `POST ${path}/:${idName}/charges`, 'money', {
    body: SubscriptionChargeSchema,
    config: { operation: 'charge', keyed: true },
    tag: 'Subscriptions',
    summary: `Charge ${WHAT[kind]}`,
    description:
      'Makes a new payment with its own order, reserved with the stored card and charged at once. Whose it is, it ' +
      'copies from the payment that brought the card. What cannot be charged is 402. A decline that says that the ' +
      'card will never be good again is 1029, and so is every charge after it until the consumer gives another card; ' +
      'every other decline is 1020.',
    requests: { 'A month': { order, myReference: 'month-2' } },
    success: answers(
      200,
      'The money is charged.',
      Type.Object(
        { paymentId: Id('The payment that this charge is.'), chargeId: Id('Its charge.') },
        { title: 'SubscriptionCharged' },
      ),
      { Charged: CHARGED },
    ),
    refused: [
      BODY_MISSING,
      SUM_DIFFERS,
      refusal('The issuer declined it', failure(402, '1020', directChargeFailed(IDS.paymentId), 'Issuer')),
      ...(kind === 'scheduled' ? TOO_EARLY : []),
      refused('The issuer said never again', { name: 'subscription_needs_a_new_card' }),
      refused('The consumer has ended it', { name: 'subscription_was_ended', by: 'consumer' }),
      ...refusedFor('charge', charged, [
        ['The outcome is not known yet', { name: 'outcome_is_unknown', kind: 'charge', hasKey: true }],
      ]),
    ],
    handler: async (request, context, reply) => {
      const { order: given, myReference, ...body } = request.body;
      const read = readOrder(given, 'order');
      const merchant = request.merchant;
      const webHooks = readWebHooks(body, reachOf(merchant.live, context.privateHooks));
      spendMore(request, webHooks?.length ?? 0);
      const subscriptionId = dashedIdIn(request, idName);
      if (subscriptionId === undefined) return NOT_FOUND;
      const idempotency = idempotencyOf(request);
      const recordAnswer = (outcome: RenewalOutcome) => {
        const { status, body: text } = present(request, context, outcome);
        return { status, text };
      };
      const outcome = await charge(context.payments, {
        merchantId: merchant.id,
        kind,
        subscriptionId,
        order: read,
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
          return present(request, context, outcome);
        case 'not_wanted':
          throw new Error('only an entry of a bulk can be given up');
        default:
          return answerOutcome(request, reply, outcome, () => NOT_FOUND);
      }
    },
  });
