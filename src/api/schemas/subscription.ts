// The schemas of subscriptions and of bulks. Both kinds have the same operations; only the names of their ids differ.
import { Id, Timestamp } from '../../events/body-parts.ts';
import { ConsentSchema } from '../../events/subscription-events.ts';
import * as Type from '../../schema/type.ts';
import { NotificationsSchema, OrderSchema, SubscriptionId } from './payment-request.ts';
import { LooseText, Text } from './values.ts';

/** The most entries of a bulk. */
export const MOST_ENTRIES = 1_000;

/** Of one subscription: its turns are in order, so each is looked for behind all those before it. */
export const MOST_OF_SUBSCRIPTION = 10;

const MyReference = Type.Optional(LooseText(36, 'A second reference of your own.'));

export const SubscriptionChargeSchema = Type.Object(
  { order: OrderSchema, notifications: Type.Optional(NotificationsSchema), myReference: MyReference },
  {
    title: 'SubscriptionChargeRequest',
    description: 'The order is free at each charge: its items, amount and currency.',
  },
);

const ExternalId = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, format: 'text', description, 'x-number-as-text': true });

const named = {
  scheduled: { subscriptionId: Type.Optional(SubscriptionId) },
  unscheduled: { unscheduledSubscriptionId: Type.Optional(SubscriptionId) },
} as const;
const ExternalReference = Type.Optional(LooseText(64, 'Of an imported one; nothing is imported here, so it is 400.'));

const entries = (kind: keyof typeof named, more: Type.TProperties) =>
  Type.Array(Type.Object({ ...named[kind], externalReference: ExternalReference, ...more }), {
    minItems: 1,
    maxItems: MOST_ENTRIES,
  });

const CHARGE = { order: OrderSchema, myReference: MyReference };
const BULK_ID = 'Your own name of it, for 30 days: the same again with the same content is the same bulk.';

export const BulkSchemas = {
  scheduled: {
    charge: Type.Object(
      {
        externalBulkChargeId: ExternalId(BULK_ID),
        notifications: Type.Optional(NotificationsSchema),
        subscriptions: entries('scheduled', CHARGE),
      },
      { title: 'BulkChargeRequest' },
    ),
    verification: Type.Object(
      {
        externalBulkVerificationId: Type.Optional(ExternalId(BULK_ID)),
        subscriptions: entries('scheduled', {}),
      },
      { title: 'BulkVerificationRequest' },
    ),
  },
  unscheduled: {
    charge: Type.Object(
      {
        externalBulkChargeId: Type.Optional(ExternalId(BULK_ID)),
        notifications: Type.Optional(NotificationsSchema),
        unscheduledSubscriptions: entries('unscheduled', CHARGE),
      },
      { title: 'UnscheduledBulkChargeRequest' },
    ),
    verification: Type.Object(
      {
        externalBulkVerificationId: Type.Optional(ExternalId(BULK_ID)),
        unscheduledSubscriptions: entries('unscheduled', {}),
      },
      { title: 'UnscheduledBulkVerificationRequest' },
    ),
  },
} as const;

export type SubscriptionChargeBody = Type.Static<typeof SubscriptionChargeSchema>;

export type BulkEntryBody = {
  readonly subscriptionId?: string;
  readonly unscheduledSubscriptionId?: string;
  readonly externalReference?: string;
  readonly order: SubscriptionChargeBody['order'];
  readonly myReference?: string;
};

export type BulkBody = Pick<SubscriptionChargeBody, 'notifications'> & {
  readonly externalBulkChargeId?: string;
  readonly externalBulkVerificationId?: string;
  readonly subscriptions?: readonly BulkEntryBody[];
  readonly unscheduledSubscriptions?: readonly BulkEntryBody[];
};

const Count = (description: string) => Type.Optional(Text(9, description));

export const PageSchema = Type.Object({
  skip: Count('How many entries to leave out at the beginning; with take.'),
  take: Count('How many entries to show at most.'),
  pageNumber: Count('Which page, from 0; with pageSize. All entries when neither pair is given.'),
  pageSize: Count('How many entries a page has.'),
});

const PaymentDetails = Type.Object(
  {
    paymentType: Type.String({ enum: ['CARD'] }),
    paymentMethod: Type.String({ description: 'For example Visa or MasterCard.' }),
    cardDetails: Type.Object({
      expiryDate: Type.String({ pattern: '^[0-9]{4}$', description: 'MMYY.' }),
      maskedPan: Type.String({ description: 'First six and last four digits.' }),
    }),
  },
  { title: 'SubscriptionPaymentDetails', description: 'The stored card.' },
);

/** What dialect spec adds. */
const OWN_FIELDS = {
  state: Type.Optional(
    Type.String({
      enum: ['active', 'needs_card', 'ended', 'expired'],
      description:
        'In dialect spec: whether it can be charged. needs_card: its issuer refuses the card for good. ended: by the ' +
        'consumer or by you. expired: its end is over.',
    }),
  ),
  endedAt: Type.Optional(Timestamp('In dialect spec: when it was ended.')),
  endedBy: Type.Optional(Type.String({ enum: ['consumer', 'merchant'], description: 'In dialect spec: by whom.' })),
  consent: Type.Optional(ConsentSchema),
  consumerPageUrl: Type.Optional(
    Type.String({
      format: 'uri',
      description:
        'In dialect spec, to a key with the scope money: the page on which the consumer sees and ends it. Anyone who has ' +
        'it can end it: give it to the consumer alone.',
    }),
  ),
};

export const SubscriptionAnswers = {
  scheduled: Type.Object(
    {
      subscriptionId: Id('Identifies the subscription.'),
      interval: Type.Integer({ minimum: 0, description: 'Least days between charges.' }),
      endDate: Timestamp('No charge after it.'),
      paymentDetails: PaymentDetails,
      ...OWN_FIELDS,
    },
    { title: 'Subscription' },
  ),
  unscheduled: Type.Object(
    {
      unscheduledSubscriptionId: Id('Identifies the subscription.'),
      paymentDetails: PaymentDetails,
      ...OWN_FIELDS,
    },
    { title: 'UnscheduledSubscription' },
  ),
} as const;

export const BulkAccepted = Type.Object({ bulkId: Id('Identifies the bulk.') }, { title: 'BulkAccepted' });

const status = Type.String({ enum: ['Pending', 'Succeeded', 'Failed'] });
const Reason = { message: Type.Optional(Type.String()), code: Type.Optional(Type.String()) };

const pageOf = (title: string, entry: Type.TProperties) =>
  Type.Object(
    {
      page: Type.Array(Type.Object(entry, { title: `${title}Entry` })),
      more: Type.Boolean({ description: 'Whether there are entries after these.' }),
      status: Type.String({ enum: ['Processing', 'Done'] }),
    },
    { title: `${title}Page` },
  );

const idsOf = {
  scheduled: { subscriptionId: Id('The subscription.') },
  unscheduled: { unscheduledSubscriptionId: Id('The subscription.') },
} as const;

const CHARGED = {
  paymentId: Id('The payment that this charge is: the same from the first read on.'),
  chargeId: Type.Optional(Id('Its charge, once it succeeded.')),
  status,
  ...Reason,
  source: Type.Optional(Type.String()),
};

export const BulkPages = {
  scheduled: {
    charge: pageOf('BulkCharge', { ...idsOf.scheduled, ...CHARGED }),
    verification: pageOf('BulkVerification', { ...idsOf.scheduled, status, ...Reason }),
  },
  unscheduled: {
    charge: pageOf('UnscheduledBulkCharge', { ...idsOf.unscheduled, ...CHARGED }),
    verification: pageOf('UnscheduledBulkVerification', { ...idsOf.unscheduled, status, ...Reason }),
  },
} as const;
