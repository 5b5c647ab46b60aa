// Goal: a card's number, its CVC and a national number live only in the request that brings them: no log line, no
// column, no answer and no page ever holds them. Method: numbers that can be searched for go through every way of the
// checkout, good and bad, and while the database fails; then the whole log and every column of every table are searched.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { testCards } from '../../src/acquirers/test-cards.ts';
import { aCard, aConsumer, anInvoicePay, aPay, CARDS, Consumer } from '../support/checkout.ts';
import type { Reply } from '../support/client.ts';
import { findColumns } from '../support/columns.ts';
import { until } from '../support/kassa.ts';
import { whileDatabaseIsAway, whileEventsAreRefused } from '../support/outage.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';
import { subscribe } from '../support/subscriptions.ts';

const REAL_CARDS = ['4111111111111111', '5555555555554444', '378282246310005', '4925000000000012'];
const NATIONAL_NUMBERS = ['19121212-1212', '440424-1111', '640823-3234'];
/** Not a part of any time, id or amount: it stands in quotes wherever it is stored as it came. */
const CVC = '836';

const grouped = (digits: string): string => digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ');

let service: Service;
let shop: Shop;
const answers: string[] = [];

/** A new payment, and a try to pay it. */
async function tryToPay(body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const consumer = new Consumer(service, shop, await shop.client.create());
  const reply = await consumer.pay(body, headers);
  answers.push(reply.text, (await consumer.state()).text);
  return reply;
}

/** Fields that take any text, so that only the search for card numbers keeps them out. */
async function tryToStoreCards(): Promise<void> {
  const [card = ''] = REAL_CARDS;
  const spelled = [card, `Storgatan 12 ${card}`, `${card} 1`, `1 ${card}`, `${card}0000`, card.split('').join(' ')];
  const odd = [
    card.replaceAll(/(\d{4})/g, '$1.'),
    grouped(card).replaceAll(' ', '\u00a0'),
    grouped(card).replaceAll(' ', '  '),
  ];
  for (const [index, text] of [...spelled, ...odd].entries()) {
    const shippingAddress = { addressLine1: text, postalCode: '11122', city: 'Stockholm', country: 'SWE' };
    const fields = [{ shippingAddress }, { email: `${text}@example.test` }, { reference: text }];
    const changes = fields[index % 3] as object;
    assert.equal((await tryToPay(aPay(undefined, { consumer: aConsumer(changes) }))).status, 400, text);
  }
  const wide = card.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
  const privatePerson = { firstName: wide, lastName: 'Ö' };
  assert.equal((await tryToPay(aPay(undefined, { consumer: aConsumer({ privatePerson }) }))).status, 400);
}

before(async () => {
  const env = { KASSA_LOG_LEVEL: 'debug', KASSA_ADDRESS_ATTEMPTS: 'off' };
  service = await startService({ env });
  shop = await service.openShop();
  for (const [index, { number }] of testCards.entries()) {
    const spelled = [number, grouped(number)];
    await tryToPay(aPay(spelled[index % 2]));
  }
  for (const [index, number] of REAL_CARDS.entries()) {
    const spelled = [number, grouped(number), ` ${number} `];
    const cardNumber = spelled[index % 3] as string;
    await tryToPay(aPay(cardNumber));
    // At places where no card belongs.
    await tryToPay(aPay(undefined, { consumer: aConsumer({ email: cardNumber }), language: cardNumber.slice(0, 30) }));
    await tryToPay(aPay(undefined, { type: cardNumber, amountConfirmedByConsumer: cardNumber }));
    await tryToPay(`{"cardNumber":"${cardNumber}"`);
    await tryToPay(aPay(), { paymentId: cardNumber });
    await fetch(`${service.url}/hostedpaymentpage/?checkoutKey=${cardNumber}&pid=${cardNumber}`);
    await fetch(`${service.url}/challenge/${cardNumber}`);
  }
  for (const number of NATIONAL_NUMBERS) await tryToPay(anInvoicePay(number));
  for (const card of [CARDS.approved, CARDS.challenge, CARDS.declined]) {
    const body = aPay(card, { paymentType: { card: aCard(card, { cardVerificationCode: CVC }) } });
    assert.notEqual((await tryToPay(body)).status, 400);
  }
  await tryToStoreCards();
  assert.equal((await whileEventsAreRefused(service, () => tryToPay(aPay(CARDS.mastercard)))).status, 500);
  const consumer = new Consumer(service, shop, await shop.client.create());
  assert.equal((await whileDatabaseIsAway(service, () => consumer.pay(aPay(CARDS.mastercard)))).status, 503);
});
after(() => service.stop());

const spellings = (text: string): string[] => [...new Set([text, grouped(text), text.replaceAll(/\D/g, '')])];
const SECRETS = [...testCards.map(({ number }) => number), ...REAL_CARDS, ...NATIONAL_NUMBERS].flatMap(spellings);

async function readLog(): Promise<string> {
  await shop.client.get('/v1/payments', { 'x-request-id': 'the-last-request' });
  while (!service.log().includes('the-last-request')) await new Promise((resolve) => setTimeout(resolve, 50));
  return service.log();
}

// decision: text-of-a-decline
test('the log holds no digits of them, though it tells of every try and why it was declined', async () => {
  const log = await readLog();
  assert.match(log, /"reason":"insufficient funds"/);
  assert.match(log, /"route":"\/api\/v1\/pay"/);
  for (const secret of SECRETS) assert.ok(!log.includes(secret), `the log holds ${secret}`);
});

/** The tables that hold any of the texts, and which: one look at each row, since they are many. */
async function findRows(texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await service.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  )) {
    const held = await service.pool.query<{ text: string }>(
      `select distinct text from ${name} as t, unnest($1::text[]) as text
       where strpos(t::text, text) > 0 order by 1`,
      [texts],
    );
    found.push(...held.map(({ text }) => `${name}: ${text}`));
  }
  return found;
}

// decision: national-identity-numbers
test('no column holds them; a payment keeps the mask of its card', async () => {
  assert.deepEqual(await findColumns(service.pool, '541300******0000'), ['payments.method']);
  assert.deepEqual(await findColumns(service.pool, '426827******4847'), ['payments.challenge']);
  assert.deepEqual(await findRows([...SECRETS, '541300******0000']), ['payments: 541300******0000']);
  assert.deepEqual(await findColumns(service.pool, `"${CVC}"`), []);
  const kept = await service.pool.query<{ method: object | null; challenge: { method: object } | null }>(
    'select method, challenge from payments where method is not null or challenge is not null',
  );
  const cards = kept.flatMap(({ method, challenge }) => [method, challenge?.method]).filter((card) => card != null);
  const names = new Set(cards.flatMap((card) => Object.keys(card)));
  assert.deepEqual([...names].toSorted(), [
    'accountReference',
    'creditDebitIndicator',
    'expiryDate',
    'invoice',
    'issuerCountry',
    'maskedPan',
    'paymentMethod',
    'paymentType',
  ]);
  // What knows a card again is nothing that a list of card numbers could be tried on.
  const references = cards.flatMap((card) => ('accountReference' in card ? [String(card.accountReference)] : []));
  assert.ok(references.length > 0);
  for (const secret of SECRETS)
    for (const algorithm of ['sha256', 'sha1', 'md5']) {
      const digest = BigInt(`0x${createHash(algorithm).update(secret).digest('hex')}`)
        .toString(36)
        .toUpperCase();
      for (const reference of references) assert.ok(!digest.includes(reference), secret);
    }
});

// decision: other-card-numbers-in-the-sandbox
test('no answer repeats them', () => {
  const all = answers.join('\n');
  for (const secret of SECRETS) assert.ok(!all.includes(secret), `an answer holds ${secret}`);
});

test('the secret of a subscription’s page is in no log line, whether it is opened, ended, wrong or in trouble', async () => {
  const id = await subscribe(shop.client, 'scheduled');
  const { consumerPageUrl } = (await shop.client.get(`/v1/subscriptions/${id}`)).body;
  const { pathname } = new URL(consumerPageUrl);
  const secret = pathname.split('/')[3] as string;
  const visitor = service.client();
  for (const path of [pathname, `${pathname}/end`, `${pathname}0`, `${pathname}/nonsense`]) await visitor.get(path);
  assert.equal((await whileDatabaseIsAway(service, () => visitor.get(pathname))).status, 503);
  await visitor.post(`${pathname}/end`, 'not a form');
  await fetch(`${service.url}${pathname}/end`, { method: 'POST', redirect: 'manual' });
  assert.equal((await shop.client.get(`/v1/subscriptions/${id}`)).body.state, 'ended');
  // Told at the end of a line that is written after all others.
  await until('the log to tell of the end', () => service.log().includes('subscription ended by its consumer'));
  assert.ok(!service.log().includes(secret));
  assert.deepEqual(await findColumns(service.pool, secret), ['payments.checkout', 'subscriptions.secret']);
});
