// Goal: keys, card numbers, what authorizes webhooks and personal data stay where they belong: no log line holds any of
// them, no column a card number or a key, and nothing but a payment's consumer a person.
// Method: every secret is a text of its own that can be searched for. It is sent in good requests, bad ones, at wrong
// places, and while the database fails; then the whole log and every column of every table are searched.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createKey, revokeKey } from '../../src/store/merchants/keys.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { aCreate } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { whileDatabaseIsAway, whileEventsAreRefused, whileTableIsMissing } from '../support/outage.ts';
import { exchange, requestText } from '../support/raw.ts';
import { findColumns } from '../support/columns.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

/** Test cards: approved, declined, charge declined, 3-D Secure; and one that is none. */
const CARDS = ['4925000000000004', '4925000000000087', '4925000000000079', '4268270087374847', '4111111111111111'];

const PERSON = {
  email: 'secret.person@example.test',
  reference: 'secret-consumer-reference',
  phoneNumber: { prefix: '+4799', number: '5550123987' },
  shippingAddress: { addressLine1: 'Secret street 1', postalCode: '98741', city: 'Secretville', country: 'SWE' },
  billingAddress: { addressLine1: 'Hidden street 2', addressLine2: 'c/o Hidden', receiverLine: 'Hidden receiver' },
  privatePerson: { firstName: 'Secretfirst', lastName: 'Secretlast', dateOfBirth: '1961-07-23' },
};
const COMPANY = {
  email: 'secret.company@example.test',
  company: { name: 'Secret company', organisationNumber: '556677-8899', contact: { firstName: 'Hiddenfirst' } },
};
/** As a payment keeps it: midnight of that day, in milliseconds. */
const BORN = String(Date.parse(PERSON.privatePerson.dateOfBirth));

/** Every text and number inside of a value. */
const leavesOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [String(value)];

const PERSONAL = [...leavesOf([PERSON, COMPANY]).filter((text) => text.length > 4), BORN];
const AUTHORIZATION = 'webhook-authorization-value';
const HOOK_HEADER = 'webhook-header-value';
const HOOK = { eventName: 'payment.created', url: 'https://shop.example/hook', authorization: AUTHORIZATION };

const createWith = (consumer: object, amount = 1_000) => ({
  ...aCreate(amount, { merchantHandlesConsumerData: true, consumer }),
  notifications: { webHooks: [{ ...HOOK, headers: [{ 'x-shop': HOOK_HEADER }] }] },
});

let service: Service;
let shop: Shop;
let live: Shop;
const keys: string[] = [];

before(async () => {
  service = await startService({ env: { KASSA_LOG_LEVEL: 'debug' } });
  [shop, live] = [await service.openShop(), await service.openShop({ live: true })];
  const { key, secret } = await createKey(service.pool, shop.merchant);
  keys.push(shop.secretKey, live.secretKey, secret);
  await sendGoodRequests(shop.client);
  await sendBadRequests(shop.client);
  await sendWhileBroken(shop.client);
  await revokeKey(service.pool, key.id);
  await service.client(secret).get('/v1/payments');
  await live.client.post('/v1/payments', createWith(PERSON));
});
after(() => service.stop());

let count = 0;
const keyed = () => ({ 'idempotency-key': `key-${(count += 1)}` });

async function sendGoodRequests(client: Client): Promise<void> {
  for (const consumer of [PERSON, COMPANY])
    for (const card of CARDS.slice(0, 4)) {
      const created = await client.post('/v1/payments', createWith(consumer), keyed());
      const path = `/v1/payments/${created.body.paymentId}`;
      await client.post(`/v1/sandbox/payments/${created.body.paymentId}/reserve`, { card, consumer });
      const charged = await client.post(`${path}/charges`, { amount: 600 }, keyed());
      await client.post(`/v1/charges/${charged.body.chargeId ?? 'none'}/refunds`, { amount: 100 }, keyed());
      await client.post(`${path}/cancels`, { amount: 100 }, keyed());
      await client.put(`${path}/referenceinformation`, { reference: 'order-2', checkoutUrl: 'https://shop.example/' });
      const { text } = await client.get(path);
      assert.ok(text.includes(consumer.email), 'its own merchant reads the consumer');
      await client.get(`/v1/payments?reference=${consumer.email}`);
    }
}

async function sendBadRequests(client: Client): Promise<void> {
  const paymentId = await client.create();
  const reserve = `/v1/sandbox/payments/${paymentId}/reserve`;
  const [card = ''] = CARDS;
  for (const body of [{ card: Number(card) }, { card: CARDS[4] }, { card: [card] }, { card, paymentType: card }])
    await client.post(reserve, body);
  await client.post(reserve, `{"card":"${card}"`);
  await client.post(
    reserve,
    `{"card":"${card}","consumer":{"email":7,"privatePerson":{"firstName":"Secretfirst\u0000"}}}`,
  );
  await client.post('/v1/payments', createWith({ ...PERSON, email: 7 }));
  await client.post('/v1/payments', { ...createWith(PERSON), order: { currency: PERSON.email, amount: card } });
  await client.post('/v1/payments', `${JSON.stringify(createWith(PERSON))}${shop.secretKey}`);
  await client.post('/v1/payments', createWith(PERSON), { 'content-type': PERSON.email });
  await client.post('/v1/payments', createWith(PERSON), { 'idempotency-key': `${PERSON.email} ${card}` });
  for (const secret of [card, shop.secretKey, encodeURIComponent(PERSON.email)]) {
    await client.get(`/v1/payments/${secret}`);
    await client.get(`/v1/${secret}/payments?${secret}=${secret}`);
    await client.get(`/v1/payments/${secret}%ZZ`);
    await client.send('DELETE', `/v1/payments/${secret}`);
    await client.get('/v1/payments', { 'x-request-id': `order-${secret}` });
    await service.client(secret).get('/v1/payments');
    await exchange(
      service.url,
      requestText(`BREW /${secret}`, { Authorization: secret, 'X-Large': secret.repeat(900) }),
    );
    await exchange(service.url, requestText(`POST /v1/payments`, { Authorization: keys[0] ?? '' }, `{"a":"${secret}`));
  }
}

/** Postgres tells the values of a row that it refuses; the log must not repeat them. */
async function sendWhileBroken(client: Client): Promise<void> {
  await service.pool.query('alter table payments add constraint no_such_amount check (amount <> 4242) not valid');
  const refused = await client.post('/v1/payments', createWith(PERSON, 4_242), keyed());
  assert.equal(refused.status, 500);
  await service.pool.query('alter table payments drop constraint no_such_amount');
  const paymentId = (await client.post('/v1/payments', createWith(PERSON))).body.paymentId;
  const reserve = () => client.post(`/v1/sandbox/payments/${paymentId}/reserve`, { card: CARDS[0], consumer: PERSON });
  assert.equal((await whileEventsAreRefused(service, reserve)).status, 500);
  assert.equal((await whileTableIsMissing(service, 'movements', reserve)).status, 500);
  assert.equal((await whileDatabaseIsAway(service, reserve)).status, 503);
}

/** The whole log, once it tells of a request that came after all others. */
async function readLog(): Promise<string> {
  await shop.client.get('/v1/payments', { 'x-request-id': 'the-last-request' });
  while (!service.log().includes('the-last-request')) await new Promise((resolve) => setTimeout(resolve, 50));
  return service.log();
}

const spellingsOf = (key: string): string[] => [key, key.slice(-32), key.slice(-32).toUpperCase()];

// decision: place-of-personal-data, card-numbers
test('the log tells of every request and holds no secret and no person', async () => {
  const log = await readLog();
  assert.ok(log.split('\n').filter((line) => line.includes('"msg":"request"')).length > 50);
  assert.match(log, /"level":50.*no_such_amount/, 'the failures are in it');
  const secrets = [...keys.flatMap(spellingsOf), ...CARDS, AUTHORIZATION, HOOK_HEADER, ...PERSONAL];
  for (const secret of [...secrets, encodeURIComponent(PERSON.email)])
    assert.ok(!log.includes(secret), `the log holds ${secret}`);
});

const columnsWith = (text: string): Promise<string[]> => findColumns(service.pool, text);

// decision: secret-keys, card-numbers
test('no column holds a card number or a key', async () => {
  assert.deepEqual(await columnsWith('492500******0004'), ['payments.method'], 'the search finds what is there');
  for (const secret of [...CARDS, ...keys.flatMap(spellingsOf)])
    assert.deepEqual(await columnsWith(secret), [], secret);
  for (const key of keys) {
    const bytes = Buffer.from(key.slice(-32), 'hex').toString('hex');
    assert.deepEqual(await columnsWith(bytes), [], 'nor the bytes of a key');
  }
});

// decision: place-of-personal-data
test('a person stands in the consumer of a payment and nowhere else: no event, no idempotency record, no movement', async () => {
  const counts = await service.pool.query<Record<string, number>>(
    'select (select count(*) from events) as events, (select count(*) from idempotency_records) as kept',
  );
  assert.ok((counts[0]?.['events'] ?? 0) > 10 && (counts[0]?.['kept'] ?? 0) > 10, 'there is something to search');
  for (const text of PERSONAL.filter((each) => each !== PERSON.privatePerson.dateOfBirth))
    assert.deepEqual(await columnsWith(text), ['payments.consumer'], text);
});

test('what authorizes a webhook stands with the payment that named it and nowhere else', async () => {
  for (const text of [AUTHORIZATION, HOOK_HEADER]) assert.deepEqual(await columnsWith(text), ['payments.checkout']);
});

test('the service lives and the books are right', async () => {
  assert.equal((await service.client().get('/healthz')).status, 200);
  assert.deepEqual((await verifyBooks(service.pool)).differences, []);
});
