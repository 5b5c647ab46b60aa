// An example of every event, made by the real functions from one payment that goes through everything: for the API
// description and the events page.
import type { EventName } from '../domain/decision.ts';
import { eventIdOf, makeId } from '../domain/id.ts';
import { invoiceNumberOf } from '../domain/invoice.ts';
import type { Movement, MovementKind } from '../domain/movement.ts';
import { NO_TOTALS } from '../domain/payment.ts';
import type { Payment } from '../domain/payment.ts';
import { isoTime } from '../domain/time.ts';
import { bodyOf } from './body.ts';
import { definitions } from './definitions.ts';

const AT = Date.UTC(2026, 4, 17, 9, 30);
const PART = 0x2a;
const MERCHANT = 100_000_001;

const exampleId = (n: number): string => makeId(AT + n * 1_000, PART, `9c4f1e07d35b2a6${n.toString(16)}`);

const address = { addressLine1: 'Karl Johans gate 1', postalCode: '0154', city: 'Oslo', country: 'NOR' };

const item = {
  reference: 'mug',
  name: 'Mug',
  quantity: 2,
  unit: 'pcs',
  unitPrice: 4_000,
  taxRate: 2_500,
  taxAmount: 2_000,
  grossTotalAmount: 10_000,
  netTotalAmount: 8_000,
};

const method = {
  paymentType: 'CARD',
  paymentMethod: 'Visa',
  maskedPan: '492500******0004',
  expiryDate: '1230',
  creditDebitIndicator: 'D',
  issuerCountry: 'NO',
  accountReference: '7K2M94Q0ZT5XH1C8R3VB6NWJ0DPY4',
} as const;

function movement(n: number, kind: MovementKind, changes: Partial<Movement> = {}): Movement {
  return {
    id: exampleId(n),
    kind,
    state: 'approved',
    sequence: n,
    amount: item.grossTotalAmount,
    items: null,
    updatedAt: AT + n * 1_000,
    acquirer: 'simulator',
    refunded: 0,
    refunding: 0,
    ...changes,
  };
}

const declined = { state: 'declined', reason: 'insufficient funds' } as const;
const reservation = movement(2, 'reservation');
const charge = movement(4, 'charge', { invoiceNumber: invoiceNumberOf(exampleId(4)) });
const refund = { chargeId: charge.id };

const movements = {
  reservationFailed: movement(1, 'reservation', declined),
  reservation,
  chargeFailed: movement(3, 'charge', declined),
  charge,
  refundFailed: movement(5, 'refund', { ...declined, ...refund }),
  refund: movement(6, 'refund', refund),
  cancelFailed: movement(7, 'cancel', declined),
  cancel: movement(8, 'cancel'),
};

const payment: Payment = {
  id: exampleId(0),
  merchantId: MERCHANT,
  version: 9,
  order: { amount: item.grossTotalAmount, currency: 'NOK', reference: 'order-1', items: [item] },
  checkout: { integrationType: 'HostedPaymentPage' },
  consumer: {
    email: 'kari@example.test',
    phone: { prefix: '+47', number: '40000000' },
    person: { firstName: 'Kari', lastName: 'Nordmann' },
    billingAddress: address,
    shippingAddress: address,
    ip: '203.0.113.7',
  },
  method,
  totals: NO_TOTALS,
  movements: Object.values(movements),
};

const agreed = movement(9, 'reservation', { source: 'sim_approved' });

/** Another payment, which begins a subscription. */
const subscribing: Payment = {
  ...payment,
  checkout: {
    integrationType: 'HostedPaymentPage',
    subscription: {
      kind: 'scheduled',
      id: exampleId(10),
      role: 'new',
      intervalDays: 30,
      endsAt: Date.UTC(2031, 4, 17),
      agreedAt: agreed.updatedAt,
      language: 'nb',
    },
  },
  movements: [agreed],
};

const moved: Readonly<Partial<Record<EventName, Movement>>> = {
  'payment.reservation.created': reservation,
  'payment.reservation.created.v2': reservation,
  'payment.reservation.failed': movements.reservationFailed,
  'payment.checkout.completed': reservation,
  'payment.charge.created': charge,
  'payment.charge.created.v2': charge,
  'payment.charge.failed': movements.chargeFailed,
  'payment.charge.failed.v2': movements.chargeFailed,
  'payment.refund.initiated': movements.refund,
  'payment.refund.initiated.v2': movements.refund,
  'payment.refund.completed': movements.refund,
  'payment.refund.failed': movements.refundFailed,
  'payment.cancel.created': movements.cancel,
  'payment.cancel.failed': movements.cancelFailed,
  'subscription.created': agreed,
  'subscription.card.replaced': agreed,
};

const disabled = {
  webhookId: exampleId(12),
  url: 'https://shop.example/hooks/kassa',
  reason: 'failing',
  failingSince: isoTime(AT),
};

const ended = { subscriptionId: exampleId(10), kind: 'scheduled', endedBy: 'consumer', paymentId: payment.id };

/** For events without a payment: their subject and their data. */
const others: Readonly<Partial<Record<EventName, { readonly subjectId: string; readonly data: object }>>> = {
  'subscription.ended': { subjectId: ended.subscriptionId, data: ended },
  'webhook.disabled': { subjectId: disabled.webhookId, data: disabled },
};

/** As if these were all events, in the order of the list of names. */
export function exampleOf(name: EventName): object {
  const { id: movementId, updatedAt: at = AT } = moved[name] ?? {};
  const position = definitions.findIndex((definition) => definition.name === name) + 1;
  const other = others[name];
  const subject = name.startsWith('subscription.') ? subscribing : payment;
  const event = {
    id: eventIdOf(at, PART, position),
    merchantId: MERCHANT,
    position,
    name,
    at,
    version: 1,
    ordinal: 0,
    ...(movementId !== undefined && { movementId }),
    ...(other ?? { subjectId: subject.id }),
  };
  return bodyOf(event, other === undefined ? subject : undefined);
}
