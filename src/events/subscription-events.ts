// The events of subscriptions. A new subscription, or a new card, is an event of the payment that caused it, with the
// terms that its consumer agreed to; the end is an event of the subscription itself.
import * as Type from '../schema/type.ts';
import type { Movement } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import { statedAmount, subscriptionChangeOf } from '../domain/subscription.ts';
import type { Consent } from '../domain/subscription.ts';
import { isoTime } from '../domain/time.ts';
import {
  AmountSchema,
  CardDetailsSchema,
  cardDetailsOf,
  Id,
  MethodFields,
  showMethod,
  Timestamp,
} from './body-parts.ts';
import { ofMovement, PaymentFields, paymentOf } from './making.ts';

const KindFields = {
  subscriptionId: Id('The subscription, of either kind.'),
  kind: Type.String({
    enum: ['scheduled', 'unscheduled'],
    description: 'scheduled: of /v1/subscriptions. unscheduled: of /v1/unscheduledsubscriptions.',
  }),
};

export const ConsentSchema = Type.Object(
  {
    agreedAt: Timestamp('When the consumer pressed the button below these words.'),
    amount: AmountSchema,
    allowVariableAmount: Type.Boolean({
      description: 'Whether they were told that the amount can differ from one charge to the next.',
    }),
    interval: Type.Optional(Type.Integer({ description: 'Least days between charges, where they were told of any.' })),
    endDate: Type.Optional(Timestamp('The end that they were told.')),
    language: Type.Optional(Type.String({ description: 'The language in which they read it.' })),
  },
  { title: 'EventConsent', description: 'What the consumer was shown above the button, and agreed to.' },
);

export function showConsent(kind: 'scheduled' | 'unscheduled', consent: Consent): Type.Static<typeof ConsentSchema> {
  const { agreedAt, amount, currency, intervalDays, endsAt, language } = consent;
  return {
    agreedAt: isoTime(agreedAt),
    amount: { amount, currency },
    allowVariableAmount: statedAmount(kind, consent) === undefined,
    ...(intervalDays !== undefined && { interval: intervalDays }),
    ...(endsAt !== undefined && { endDate: isoTime(endsAt) }),
    ...(language !== undefined && { language }),
  };
}

const AgreedFields = {
  ...KindFields,
  consent: ConsentSchema,
  cardDetails: Type.Optional(CardDetailsSchema),
  ...MethodFields,
  ...PaymentFields,
};

function agreedOf(payment: Payment, reservation: Movement): Type.Static<Type.TObject<typeof AgreedFields>> {
  const change = subscriptionChangeOf(payment, reservation);
  if (change === undefined) throw new Error(`payment ${payment.id} is for no subscription`);
  const { kind, id, consent } = change;
  const cardDetails = cardDetailsOf(payment);
  return {
    subscriptionId: id,
    kind,
    consent: showConsent(kind, consent),
    ...(cardDetails && { cardDetails }),
    ...showMethod(payment),
    ...paymentOf(payment),
  };
}

export const subscriptionCreated = ofMovement(
  'A subscription was begun: the consumer has agreed to further charges, and their card is stored.',
  AgreedFields,
  agreedOf,
);

export const cardReplaced = ofMovement(
  'A subscription got another card, and its consumer has agreed to what the page said then.',
  AgreedFields,
  agreedOf,
);

export const EndedFields = {
  ...KindFields,
  endedBy: Type.String({
    enum: ['consumer', 'merchant'],
    description: 'consumer: on their page. merchant: by a call or a command of yours.',
  }),
  paymentId: Id('The payment that brought its card.'),
};
