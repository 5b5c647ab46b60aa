// Goal: subscribers receive what they know: the keys and types of the recorded bodies, and bodies that match their own
// schema whatever happened to the payment. Method: the domain's own decisions produce histories of payments of every
// kind, and the body of each event; recordings are compared field by field.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { anOrderItem, AT, idOf } from '../../test/support/domain-payment.ts';
import { faultsOf } from '../../test/support/event-schema.ts';
import {
  bodiesOf,
  bodyNamed,
  cancelling,
  CARD,
  charging,
  created,
  DECLINED,
  ITEM,
  MERCHANT,
  refunding,
  reservedLikeRecorded,
  reserving,
  subscribing,
} from '../../test/support/payment-histories.ts';
import type { Json, History } from '../../test/support/payment-histories.ts';
import { exchangeInvoice, exchangeTestCard } from '../acquirers/test-cards.ts';
import type { Instrument } from '../acquirers/test-cards.ts';
import type { Consumer } from '../domain/consumer.ts';
import type { EventName } from '../domain/decision.ts';
import { ocrOf } from '../domain/invoice.ts';
import { bodyOf } from './body.ts';
import { definitions } from './definitions.ts';
import { exampleOf } from './examples.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where the second value lacks a field of the first, or has it with another type or in another place. */
function differences(recorded: unknown, made: unknown, path = ''): string[] {
  if (Array.isArray(recorded) && Array.isArray(made))
    return recorded.flatMap((element, index) => differences(element, made[index], `${path}[${index}]`));
  if (!isRecord(recorded) || !isRecord(made))
    return typeof recorded === typeof made && Array.isArray(recorded) === Array.isArray(made) ? [] : [path];
  const keys = Object.keys(recorded);
  const common = Object.keys(made).filter((key) => keys.includes(key));
  const order = common.length === keys.length && common.join() !== keys.join() ? [`${path}: ${common.join()}`] : [];
  return [...order, ...keys.flatMap((key) => differences(recorded[key], made[key], `${path}.${key}`))];
}

/** The fields that are not in the recording. */
function additions(recorded: unknown, made: unknown, path = ''): string[] {
  if (Array.isArray(recorded) && Array.isArray(made))
    return made.flatMap((element, index) => additions(recorded[index], element, `${path}[${index}]`));
  if (!isRecord(made)) return recorded === undefined ? [path] : [];
  if (!isRecord(recorded)) return [path];
  return Object.keys(made).flatMap((key) => additions(recorded[key], made[key], `${path}.${key}`));
}

// Clients read one number or the other; they expect an e-mail address and a country. The rest is newer than the
// recordings of 2022.
const MAY_ADD = new Set([
  '.merchantId',
  '.merchantNumber',
  '.data.consumer.email',
  '.data.consumer.country',
  '.data.surchargeAmount',
  '.data.reconciliationReference',
  '.data.cardDetails.threeDSecure.acsUrl',
]);
const MAY_ADD_TO: Readonly<Partial<Record<EventName, readonly string[]>>> = {
  'payment.refund.initiated.v2': ['.data.orderItems', '.data.executed', '.data.paymentActionId'],
};

describe('the recorded bodies', () => {
  const folder = join(import.meta.dirname, '../../test/fixtures/webhooks');
  const names = globSync('*.json', { cwd: folder }).map((file) => basename(file, '.json') as EventName);
  const refunded = refunding(charging(reservedLikeRecorded(), 4_000), 4_000);
  const cancelled = cancelling(reservedLikeRecorded(), 4_000);

  test('are all there', () => {
    assert.equal(names.length, 7);
  });

  for (const name of names)
    test(`${name} has the same keys and types in the same order, and nothing that is not allowed`, () => {
      const recorded: Json = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
      const made = bodyNamed(name === 'payment.cancel.created' ? cancelled : refunded, name);
      assert.deepEqual(differences(recorded, made), []);
      assert.deepEqual(
        additions(recorded, made).filter((path) => !MAY_ADD.has(path)),
        MAY_ADD_TO[name] ?? [],
      );
      // Values that the payment shares with the recorded one are identical.
      assert.deepEqual(made.data.amount, recorded.data.amount);
      if ('orderItems' in recorded.data) assert.deepEqual(made.data.orderItems, recorded.data.orderItems);
      const { cardDetails } = recorded.data;
      const secure = cardDetails && { acsUrl: 'https://bank.example/challenge', ...cardDetails.threeDSecure };
      assert.deepEqual(made.data.cardDetails, cardDetails && { ...cardDetails, threeDSecure: secure });
      assert.deepEqual(made.data.order?.orderItems, recorded.data.order?.orderItems);
      assert.equal(made.data.paymentMethod, recorded.data.paymentMethod);
      assert.equal(made.data.consumer?.ip, recorded.data.consumer?.ip);
      assert.deepEqual([made.event, made.merchantId, made.merchantNumber], [name, MERCHANT, MERCHANT]);
    });

  test('the walker notices what is missing, of another type, in another order, or added', () => {
    const recorded = { a: 1, b: { c: ['x'] } };
    assert.deepEqual(differences(recorded, { a: '1', b: { c: ['x'] } }), ['.a']);
    assert.deepEqual(differences(recorded, { a: 1, b: {} }), ['.b.c']);
    assert.deepEqual(differences(recorded, { a: 1, b: { c: [] } }), ['.b.c[0]']);
    assert.deepEqual(differences(recorded, { a: 1, b: { c: {} } }), ['.b.c']);
    assert.deepEqual(differences(recorded, { b: { c: ['y'] }, a: 2 }), [': b,a']);
    assert.deepEqual(additions(recorded, { a: 1, b: { c: ['x'], d: 1 }, e: {} }), ['.b.d', '.e']);
  });
});

const PERSON: Consumer = {
  email: 'kari@example.test',
  phone: { prefix: '+47', number: '40000000' },
  reference: 'customer-7',
  person: { firstName: 'Kari', lastName: 'Nordmann', dateOfBirth: 0 },
  billingAddress: { addressLine1: 'Testveien 1', addressLine2: 'B', postalCode: '0150', city: 'Oslo', country: 'NOR' },
  shippingAddress: { receiverLine: 'Ola', postalCode: '111 22', city: 'Stockholm', country: 'SWE' },
  ip: '203.0.113.7',
};
const COMPANY: Consumer = {
  email: 'post@example.test',
  company: { name: 'Acme AS', organisationNumber: '912345678', firstName: 'Ada', lastName: 'Berg' },
  shippingAddress: { city: 'Bergen', country: 'NOR' },
};

const byCard = reserving(created({ myReference: 'mine' }), CARD, PERSON);
const byInvoice = reserving(created(), exchangeInvoice(), COMPANY);
const whole = refunding(charging(byCard, 4_000), 4_000);
const inParts = cancelling(charging(charging(byCard, 1_000), 1_000, [anOrderItem(1_000)]), 500);
const onInvoice = refunding(charging(byInvoice, 4_000), 1_000);
const erased: History = { ...whole, payment: { ...whole.payment, consumer: {} } };
const againAfterDecline = reserving(reserving(created(), CARD, {}, DECLINED), CARD, PERSON);
const declined = refunding(
  charging(cancelling(charging(againAfterDecline, 4_000, [], DECLINED), 4_000, DECLINED), 4_000),
  4_000,
  DECLINED,
);

const histories: Readonly<Record<string, History>> = {
  'by card, in whole': whole,
  'by card, in parts': inParts,
  'on invoice, by a company': onInvoice,
  'with an erased consumer': erased,
  'declined at every step': declined,
  'for a subscription': subscribing('new', PERSON),
  'for another card': subscribing('update', PERSON),
};

const OF_NO_PAYMENT: ReadonlySet<string> = new Set(['subscription.ended', 'webhook.disabled']);

describe('every body matches its schema', () => {
  for (const [what, history] of Object.entries(histories))
    test(what, () => {
      const bodies = bodiesOf(history);
      assert.ok(bodies.length >= 8);
      for (const body of bodies) assert.deepEqual(faultsOf(body), [], JSON.stringify(body));
    });

  test('and a body that does not is noticed', () => {
    const body = bodyNamed(whole, 'payment.checkout.completed');
    const wrong: readonly ((copy: Json) => void)[] = [
      (copy) => delete copy.data.consumer.email,
      (copy) => (copy.data.consumer.phone = {}),
      (copy) => (copy.event = 'payment.created'),
      (copy) => (copy.timestamp = 'today'),
      (copy) => (copy.data.order.amount.amount = '4000'),
      (copy) => (copy.data.order.orderItems[0].left = 1),
    ];
    for (const spoil of wrong) {
      const copy = structuredClone(body);
      spoil(copy);
      assert.notDeepEqual(faultsOf(copy), [], String(spoil));
    }
  });

  test('and every name has a definition, an example, and a place in one of these histories', () => {
    const made = new Set(Object.values(histories).flatMap(({ events }) => events.map(({ name }) => name as string)));
    for (const { name, summary } of definitions) {
      assert.deepEqual(faultsOf(JSON.parse(JSON.stringify(exampleOf(name)))), [], name);
      assert.match(summary, /^[A-Z].*\.$/);
      assert.ok(made.has(name) || OF_NO_PAYMENT.has(name), `${name} is never sent`);
    }
    assert.equal(definitions.length, 19);
  });
});

describe('the parts', () => {
  test('a consumer: all that is known, and postcode for postalCode', () => {
    assert.deepEqual(bodyNamed(whole, 'payment.checkout.completed').data.consumer, {
      firstName: 'Kari',
      lastName: 'Nordmann',
      billingAddress: {
        addressLine1: 'Testveien 1',
        addressLine2: 'B',
        city: 'Oslo',
        country: 'NOR',
        postcode: '0150',
      },
      country: 'NOR',
      email: 'kari@example.test',
      ip: '203.0.113.7',
      merchantReference: 'customer-7',
      phoneNumber: { prefix: '+47', number: '40000000' },
      shippingAddress: { city: 'Stockholm', country: 'SWE', postcode: '111 22', receiverLine: 'Ola' },
    });
  });

  test('a company: its contact and its only address', () => {
    assert.deepEqual(bodyNamed(onInvoice, 'payment.checkout.completed').data.consumer, {
      firstName: 'Ada',
      lastName: 'Berg',
      company: { name: 'Acme AS', organisationNumber: '912345678' },
      country: 'NOR',
      email: 'post@example.test',
      ip: '',
      shippingAddress: { city: 'Bergen', country: 'NOR' },
    });
  });

  test('an erased consumer: nothing but the three fields that are always there', () => {
    for (const name of ['payment.checkout.completed', 'payment.reservation.created'] as const)
      assert.deepEqual(bodyNamed(erased, name).data.consumer, { country: '', email: '', ip: '' });
  });

  test('items: those that were named, all of them for the whole, none for a part', () => {
    const charges = bodiesOf(inParts).filter(({ event }) => event === 'payment.charge.created');
    assert.deepEqual(
      charges.map(({ data }) => data.orderItems.length),
      [0, 1],
    );
    assert.equal(charges[1].data.orderItems[0].grossTotalAmount, 1_000);
    assert.deepEqual(bodyNamed(inParts, 'payment.cancel.created').data.orderItems, []);
    assert.deepEqual(bodyNamed(whole, 'payment.charge.created').data.orderItems, [ITEM]);
  });

  test('items hold the nine fields of the specification, whatever was kept with them', () => {
    const history = created();
    const items = [{ ...ITEM, imageUrl: 'https://shop.example/mug.png' }];
    const { data } = bodyNamed(
      reserving(
        { ...history, payment: { ...history.payment, order: { ...history.payment.order, items } } },
        CARD,
        PERSON,
      ),
      'payment.created',
    );
    assert.deepEqual(data.order.orderItems, [ITEM]);
  });

  test('an invoice: no card, the invoice of the charge with the charge and its refund', () => {
    const { data } = bodyNamed(onInvoice, 'payment.reservation.created');
    assert.deepEqual([data.cardDetails, data.paymentType, data.paymentMethod], [undefined, 'INVOICE', 'EasyInvoice']);
    const { invoiceDetails } = bodyNamed(onInvoice, 'payment.charge.created').data;
    const invoiceNumber = onInvoice.payment.movements.find(({ kind }) => kind === 'charge')?.invoiceNumber;
    assert.deepEqual(invoiceDetails, {
      distributionType: 'Email',
      invoiceDueDate: '2026-11-29',
      invoiceNumber,
      ocrOrkid: ocrOf(invoiceNumber ?? ''),
      ourReference: '282f89f2-d620',
    });
    assert.deepEqual(bodyNamed(onInvoice, 'payment.refund.completed').data.invoiceDetails, invoiceDetails);
    assert.equal(bodyNamed(whole, 'payment.charge.created').data.invoiceDetails, undefined);
  });

  // decision: fields-of-events
  test('a card that nobody checked, and what MasterCard calls both', () => {
    const secureOf = (history: History): Json =>
      bodyNamed(history, 'payment.reservation.created').data.cardDetails.threeDSecure;
    const masterCard = exchangeTestCard('5213199803453465') as Instrument;
    const unchecked = { acsUrl: '', authenticationEnrollmentStatus: 'N', authenticationStatus: 'N' };
    assert.deepEqual(secureOf(whole), { ...unchecked, eci: '07' });
    const plain = reserving(created(), masterCard, PERSON);
    assert.deepEqual(secureOf(plain), { ...unchecked, eci: '00' });
    const { challenge } = reservedLikeRecorded().payment;
    const secure = { ...(challenge as NonNullable<typeof challenge>), acsUrl: 'https://bank.example/' };
    const withChallenge = (method: Instrument['method'], state: 'passed' | 'failed'): History => ({
      ...plain,
      payment: { ...plain.payment, challenge: { ...secure, method, state } },
    });
    const checked = { authenticationEnrollmentStatus: 'Y', authenticationStatus: 'Y', eci: '02' };
    const acsUrl = 'https://bank.example/';
    assert.deepEqual(secureOf(withChallenge(masterCard.method, 'passed')), { acsUrl, ...checked });
    // A check that failed, or was for another card, says nothing about this one.
    assert.deepEqual(secureOf(withChallenge(masterCard.method, 'failed')), { ...unchecked, eci: '00' });
    assert.deepEqual(secureOf(withChallenge(CARD.method, 'passed')), { ...unchecked, eci: '00' });
  });

  test('what failed: the code and the text of the API, and the movement that did', () => {
    const ids = {
      'payment.reservation.failed': ['reservation', 'reserveId', '1022'],
      'payment.charge.failed': ['charge', 'chargeId', '1020'],
      'payment.charge.failed.v2': ['charge', 'chargeId', '1020'],
      'payment.refund.failed': ['refund', 'refundId', '1014'],
      'payment.cancel.failed': ['cancel', 'cancelId', '1000'],
    } as const;
    for (const [name, [kind, field, code]] of Object.entries(ids)) {
      const { data } = bodyNamed(declined, name as EventName);
      const message = `The ${kind} was declined: insufficient funds.`;
      assert.deepEqual(data.error, { code, message, source: 'simulator' });
      const movement = declined.payment.movements.find(({ id }) => id === data[field]);
      assert.deepEqual([movement?.kind, movement?.state], [kind, 'declined'], name);
    }
  });

  test('what succeeded: the payment, and the movements that it is about', () => {
    const idOfKind = ({ payment }: History, kind: string) => payment.movements.find((each) => each.kind === kind)?.id;
    const reservationId = idOfKind(whole, 'reservation');
    const chargeId = idOfKind(whole, 'charge');
    const refundId = idOfKind(whole, 'refund');
    const ids: readonly (readonly [EventName, object, History?])[] = [
      ['payment.reservation.created', { reserveId: reservationId }],
      ['payment.charge.created', { chargeId, reservationId }],
      ['payment.charge.created.v2', { chargeId }],
      ['payment.refund.initiated', { refundId, chargeId }],
      ['payment.refund.initiated.v2', { refundId, chargeId, paymentActionId: refundId }],
      ['payment.refund.completed', { refundId }],
      ['payment.cancel.created', { cancelId: idOfKind(inParts, 'cancel') }, inParts],
    ];
    for (const [name, expected, history = whole] of ids) {
      const { data } = bodyNamed(history, name);
      const made = Object.entries(data).filter(([field]) => field.endsWith('Id') && field !== 'paymentId');
      assert.deepEqual(Object.fromEntries(made), expected, name);
      assert.equal(data.paymentId, history.payment.id, name);
    }
  });
});

test('a webhook that is switched off says what was kept of it', () => {
  const data = { webhookId: idOf(1), url: 'https://shop.example/hook', reason: 'gone' };
  const place = { position: 1, subjectId: idOf(1), version: 1, ordinal: 0 };
  const event = { id: idOf(2), merchantId: MERCHANT, name: 'webhook.disabled', at: AT, ...place, data } as const;
  const body: Json = bodyOf(event, undefined);
  assert.deepEqual(body.data, data);
  assert.deepEqual(faultsOf(body), []);
});
