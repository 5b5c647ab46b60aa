// The documentation of subscriptions and bulks. Both kinds have the same operations, so one function documents each.
import { exchangeTestCard, DEFAULT_CARD } from '../../../acquirers/test-cards.ts';
import type { Instrument } from '../../../acquirers/test-cards.ts';
import {
  describeSubscriptionRefusal,
  directChargeFailed,
  REFUSED_BY_ISSUER,
} from '../../../domain/subscription-decline.ts';
import type { Subscription } from '../../../domain/subscription.ts';
import type { SubscriptionRefusal } from '../../../domain/subscription-charge.ts';
import { failure } from '../../../server/answer.ts';
import { nexi } from '../../dialects/nexi.ts';
import { spec } from '../../dialects/spec.ts';
import { BAD_ID, BODY_MISSING, bodyOf, problem, refusedFor } from '../../openapi/operation.ts';
import type { OperationDoc, Refused } from '../../openapi/operation.ts';
import { charged, IDS, presentation, sneakers } from '../story.ts';
import { SPELLINGS } from './kinds.ts';
import type { Spelling } from './kinds.ts';
import { BulkAccepted, BulkPages, ChargeStatus, SubscriptionAnswers, SubscriptionCharged } from './schema.ts';

const AGREED_AT = Date.UTC(2026, 2, 17, 9, 30);
const ENDS_AT = Date.UTC(2031, 5, 1, 12, 30);
const id = IDS['subscriptionId'] as string;
const paymentId = IDS['paymentId'] as string;
const chargeId = IDS['chargeId'] as string;
const { source, method } = exchangeTestCard(DEFAULT_CARD) as Instrument;

const order = { items: [sneakers], amount: 100_000, currency: 'SEK', reference: 'month-2' };

const WHAT: Readonly<Record<Spelling['kind'], string>> = {
  scheduled: 'a subscription',
  unscheduled: 'an unscheduled subscription',
};

const refused = (summary: string, refusal: SubscriptionRefusal): Refused => {
  const { code, message } = describeSubscriptionRefusal(refusal);
  return { status: 402, summary, value: bodyOf(failure(402, code, message)) };
};

const DECLINED: Refused = {
  status: 402,
  summary: 'The issuer declined it',
  value: bodyOf(failure(402, '1020', directChargeFailed(paymentId), 'Issuer')),
};

const SUM_DIFFERS = problem('The amount is not the sum of the items', {
  field: 'order.amount',
  text: 'is 99999, but the grossTotalAmount of the items sums up to 100000',
});

const OTHER_CONTENT: Refused = {
  status: 422,
  summary: 'The name of another bulk',
  value: bodyOf(
    failure(422, '1026', 'A bulk with this name was asked for with other content; a new bulk needs a new name.'),
  ),
};

const BAD_PAGE = problem('Two ways to choose a page at once', {
  field: 'pageNumber',
  text: 'must be left out when skip or take is given',
});

const QUERY = {
  skip: { example: '0' },
  take: { example: '100' },
  pageNumber: { example: '0' },
  pageSize: { example: '100' },
};

function docsOf(spelling: Spelling): Record<string, OperationDoc> {
  const { kind, idName, listName, operation } = spelling;
  const what = WHAT[kind];
  const subscription: Subscription = {
    id,
    merchantId: 100_001,
    kind,
    version: 1,
    beganOn: '2026-03-17',
    intervalDays: 28,
    endsAt: ENDS_AT,
    state: 'active',
    secret: '0'.repeat(32),
    paymentId,
    acquirer: 'simulator',
    source,
    method,
    consent: { agreedAt: AGREED_AT, amount: 100_000, currency: 'SEK', language: 'sv' },
  };
  const asOneWhoMayEnd = { ...presentation, mayEnd: true };
  const shown = spec.subscription(idName, subscription, asOneWhoMayEnd);
  const unknown = problem('No such subscription', {
    field: `${listName}[0].${idName}`,
    text: 'must be the id of a subscription of yours',
  });
  const tooEarly =
    kind === 'scheduled'
      ? [
          refused('Too early', { name: 'subscription_is_charged_too_early', firstDay: '2026-04-14' }),
          refused('It has expired', { name: 'subscription_has_expired', at: ENDS_AT }),
        ]
      : [];
  const page = (entry: object, status = 'Done') => ({ page: [{ [idName]: id, ...entry }], more: false, status });
  return {
    [operation('getSubscription')]: {
      tag: 'Subscriptions',
      summary: `Read ${what}`,
      description:
        'The stored card with which it is charged, and for a scheduled one its interval and its end. Dialect spec adds ' +
        "where it stands, what was agreed to, and, to a key with the scope money, the address of the consumer's page.",
      success: {
        status: 200,
        description: 'The subscription.',
        schema: SubscriptionAnswers[kind],
        examples: [{ summary: 'A subscription', value: shown }],
        nexi: nexi.subscription(idName, subscription, asOneWhoMayEnd),
      },
      refused: [BAD_ID(idName)],
    },
    [operation('findSubscription')]: {
      tag: 'Subscriptions',
      summary: `Find ${what} by its external reference`,
      description: 'Only imported subscriptions have such a reference, and nothing is imported here: it is always 404.',
      query: { externalReference: { example: 'old-17' }, externalreference: { example: 'old-17' } },
      success: { status: 404, description: 'Nothing is imported, so no subscription has a reference.' },
      refused: [problem('No reference', { field: 'externalReference', text: 'is required' })],
    },
    [operation('chargeSubscription')]: {
      tag: 'Subscriptions',
      summary: `Charge ${what}`,
      description:
        'Makes a new payment with its own order, reserved with the stored card and charged at once. Whose it is, it ' +
        'copies from the payment that brought the card. What cannot be charged is 402. A decline that says that the ' +
        'card will never be good again is 1029, and so is every charge after it until the consumer gives another card; ' +
        'every other decline is 1020.',
      requests: [{ summary: 'A month', value: { order, myReference: 'month-2' } }],
      success: {
        status: 200,
        description: 'The money is charged.',
        schema: SubscriptionCharged,
        examples: [{ summary: 'Charged', value: { paymentId, chargeId } }],
      },
      refused: [
        BODY_MISSING,
        SUM_DIFFERS,
        DECLINED,
        ...tooEarly,
        refused('The issuer said never again', { name: 'subscription_needs_a_new_card' }),
        refused('The consumer has ended it', { name: 'subscription_was_ended', by: 'consumer' }),
        ...refusedFor('charge', charged, [
          ['The outcome is not known yet', { name: 'outcome_is_unknown', kind: 'charge', hasKey: true }],
        ]),
      ],
    },
    [operation('getSubscriptionChargeStatus')]: {
      tag: 'Subscriptions',
      summary: `Read what came of a charge of ${what}`,
      description:
        'By the Idempotency-Key of the charge, for good. A key that is unknown, or whose charge was declined, is 404.',
      header: 'IdempotencyKey',
      success: {
        status: 200,
        description: 'The charge.',
        schema: ChargeStatus,
        examples: [{ summary: 'Charged', value: { paymentId, chargeId, completed: true } }],
      },
      refused: [problem('No key', { field: 'Idempotency-Key', text: 'is required' })],
    },
    [operation('terminateSubscription')]: {
      tag: 'Subscriptions',
      summary: `End ${what}`,
      description:
        'Nothing is charged from then on (402, 1030); a charge that is under way is finished and told. It is what the ' +
        'consumer does on their own page. One that was ended before stays as it is, and that is 204 as well; one that has expired is ' +
        'ended, so that no other card brings it back.',
      success: { status: 204, description: 'It is over.' },
      refused: [BAD_ID(idName)],
    },
    [operation('createBulkCharge')]: {
      tag: 'Subscriptions',
      summary: `Charge many ${kind === 'scheduled' ? 'subscriptions' : 'unscheduled subscriptions'} at once`,
      description:
        'Writes down 1 to 1,000 charges, each with the id of its payment, and works them off in the background. The ' +
        'same externalBulkChargeId with the same content is the same bulk again, for 30 days; with other content it is ' +
        '422. One subscription that there is not, or that is there more than ten times, is 400, and nothing is charged.',
      requests: [
        {
          summary: 'One',
          value: { externalBulkChargeId: 'march', [listName]: [{ [idName]: id, order }] },
        },
      ],
      success: {
        status: 202,
        description: 'They are written down.',
        schema: BulkAccepted,
        examples: [{ summary: 'Taken', value: { bulkId: IDS['bulkId'] } }],
      },
      refused: [BODY_MISSING, unknown, OTHER_CONTENT],
    },
    [operation('getBulkCharge')]: {
      tag: 'Subscriptions',
      summary: 'Read a bulk of charges',
      description:
        'All entries in their order, or a page of them. An entry has the id of its payment from the first read on; of a ' +
        'declined one, code is the two digits of the issuer.',
      query: QUERY,
      success: {
        status: 200,
        description: 'The entries.',
        schema: BulkPages[kind].charge,
        examples: [
          { summary: 'Charged', value: page({ paymentId, chargeId, status: 'Succeeded' }) },
          {
            summary: 'Declined',
            value: page({ paymentId, status: 'Failed', message: REFUSED_BY_ISSUER, code: '51', source: 'Issuer' }),
          },
        ],
      },
      refused: [BAD_PAGE],
    },
    [operation('createBulkVerification')]: {
      tag: 'Subscriptions',
      summary: 'Ask whether many cards still work',
      description:
        'Asks the issuers of 1 to 1,000 stored cards, without moving money and without making payments. One subscription ' +
        'may be there ten times.',
      requests: [{ summary: 'One', value: { [listName]: [{ [idName]: id }] } }],
      success: {
        status: 202,
        description: 'They are written down.',
        schema: BulkAccepted,
        examples: [{ summary: 'Taken', value: { bulkId: IDS['bulkId'] } }],
      },
      refused: [BODY_MISSING, unknown, OTHER_CONTENT],
    },
    [operation('getBulkVerification')]: {
      tag: 'Subscriptions',
      summary: 'Read a bulk of verifications',
      description: 'All entries in their order, or a page of them.',
      query: QUERY,
      success: {
        status: 200,
        description: 'The entries.',
        schema: BulkPages[kind].verification,
        examples: [{ summary: 'It works', value: page({ status: 'Succeeded' }) }],
      },
      refused: [BAD_PAGE],
    },
  };
}

export const SUBSCRIPTION_OPERATIONS: Readonly<Record<string, OperationDoc>> = Object.assign(
  {},
  ...SPELLINGS.map(docsOf),
) as Record<string, OperationDoc>;
