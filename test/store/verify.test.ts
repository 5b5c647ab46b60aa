// Goal: the verification of the books finds every kind of difference it knows, and names the payment. Method: payments
// made through the API on a database whose constraints were dropped; one row of each is then corrupted by SQL. The texts
// of the statement are read from its file, so that a kind without a case here fails.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeId, partOf } from '../../src/domain/id.ts';
import { readStatement } from '../../src/store/statement.ts';
import { verifyBooks } from '../../src/store/verify.ts';
import type { Client } from '../support/client.ts';
import { runKassa, until } from '../support/kassa.ts';
import { keyed } from '../support/keyed-operations.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

/** An id that nobody has. */
const NOBODY = makeId(1, 0, '8000000000000000');
const NEVER = "'infinity'";

type Columns = Readonly<Record<string, string | number>>;

const insert = (table: string, columns: Columns): string =>
  `insert into ${table} (${Object.keys(columns).join()}) values (${Object.values(columns).join()})`;

/** An entry that nobody has done yet; nobody does it either, as its time never comes. */
const anEntry = (changes: Columns): string =>
  insert('bulk_entries', {
    part: 0,
    bulk_id: `'${NOBODY}'`,
    place: 0,
    merchant_id: 1,
    subscription_id: `'${NOBODY}'`,
    payment_id: 'PAYMENT',
    ...changes,
  });

const aBulk = (changes: Columns, ...entries: readonly string[]): string => {
  const name = { part: 0, id: `'${NOBODY}'`, merchant_id: 1, kind: "'scheduled'", purpose: "'charge'" };
  return [insert('bulks', { ...name, request: "''", entry_count: 1, ...changes }), ...entries].join('; ');
};

type Corruption = readonly [what: string, sql: string, difference: RegExp];

const numberedTwo = `insert into invoice_numbers (part, movement_id, payment_id, merchant_id, number, seller)
  select movements.part, movements.id, payment_id, merchant_id, 2, '{}'
  from movements join payments on payments.part = movements.part and payments.id = payment_id
  where movements.id = CHARGE`;

/** In the SQL, PAYMENT, CHARGE, OTHER (a second charge) and REFUND stand for the ids, PART for their part. */
const corruptions: readonly Corruption[] = [
  ...['reserved', 'charged', 'charging', 'cancelled', 'cancelling', 'refunded', 'refunding'].map(
    (total): Corruption => [
      `the total ${total} off by one`,
      `update payments set ${total} = ${total} + 1 where id = PAYMENT`,
      new RegExp(`^${total} is \\d+, but its movements sum up to \\d+$`),
    ],
  ),
  [
    'more taken than reserved',
    'update payments set charged = 900, cancelled = 200 where id = PAYMENT',
    /^charged 900, charging 0, cancelled 200, cancelling 0 exceed the reserved 1000$/,
  ],
  [
    'a reservation of a part of the order',
    'update payments set reserved = 999 where id = PAYMENT',
    /^reserved is 999, but the order's amount is 1000$/,
  ],
  [
    'more refunded than charged',
    'update payments set refunded = 701 where id = PAYMENT',
    /^refunded 701 and refunding 0 exceed the charged 700$/,
  ],
  [
    'items that do not add up',
    `update payments set items = '[{"grossTotalAmount": 999}]' where id = PAYMENT`,
    /^the amount is 1000, but the items sum up to 999$/,
  ],
  [
    'no items at all',
    `update payments set items = '[]' where id = PAYMENT`,
    /^the amount is 1000, but the items sum up to $/,
  ],
  [
    'a payment in a part that its id does not carry',
    'update payments set part = (part + 1) % 4096 where id = PAYMENT',
    /^the id does not carry part \d+$/,
  ],
  [
    'a reserved payment that is terminated',
    'update payments set terminated_at = now() where id = PAYMENT',
    /^it is terminated, but it was reserved$/,
  ],
  ['a merchant who is not there', 'update payments set merchant_id = 1 where id = PAYMENT', /^there is no merchant 1$/],
  [
    'a movement that is missing in the middle',
    'update movements set sequence = 9 where id = REFUND',
    /^5 movements are numbered up to 9$/,
  ],
  ['two reservations', `update movements set kind = 'reservation' where id = OTHER`, /^it has 2 reservations$/],
  [
    'a movement without its payment',
    `update movements set payment_id = '${NOBODY}' where id = OTHER`,
    /^movement [-0-9a-f]{36} has no payment$/,
  ],
  [
    'a charge that lost count of its refunds',
    'update movements set refunded = 99 where id = CHARGE',
    /^charge .* has refunded 99 and refunding 0, but its refunds sum up to 100 and 0$/,
  ],
  [
    'a charge refunded beyond its amount',
    'update movements set refunded = 400, refunding = 1 where id = CHARGE',
    /^charge .* of 400 has 400 refunded and 1 refunding$/,
  ],
  [
    'a refund of a charge that was declined',
    `update movements set state = 'declined' where id = CHARGE`,
    /^refund .* is not of an approved charge of its payment$/,
  ],
  [
    'a refund of nobody’s charge',
    `update movements set charge_id = '${NOBODY}' where id = REFUND`,
    /^refund .* is not of an approved charge of its payment$/,
  ],
  [
    'a charge whose items do not add up',
    `update movements set items = '[{"grossTotalAmount": 1}]' where id = OTHER`,
    /^charge .* is 300, but its items sum up to 1$/,
  ],
  [
    'a movement in a part that its id does not carry',
    `update movements set id = '${NOBODY}' where id = OTHER`,
    /^the id of movement .* does not carry part \d+$/,
  ],
  [
    'an invoice number given twice',
    'update movements set invoice_number = (select invoice_number from movements where id = CHARGE) where id = OTHER',
    /^invoice number \d{24} was given 2 times$/,
  ],
  [
    'a charge that nobody was told of',
    'delete from events where movement_id = OTHER',
    /^charge .* is approved, but payment\.charge\.created was told 0 times$/,
  ],
  [
    'a charge that was told of twice',
    `insert into events (part, subject_id, version, ordinal, merchant_id, name, happened_at, movement_id)
     select part, subject_id, version, 7 + ordinal, merchant_id, name, happened_at, movement_id
     from events where movement_id = OTHER`,
    /^charge .* is approved, but payment\.charge\.created was told 2 times$/,
  ],
  [
    'an event of a version that is still to come',
    'update events set version = 99 where movement_id = OTHER',
    /^event payment\.charge\.created is of version 99, later than its payment$/,
  ],
  [
    'a delivery that nobody will make',
    `with lane as (
       insert into lanes (part, subject_id, subscriber, merchant_id, endpoint, entry_count)
       select part, id, 'hook-0', merchant_id, 'https://shop.example', 1 from payments where id = PAYMENT
     )
     insert into deliveries (part, subject_id, subscriber, version, ordinal, state, next_try_at)
     select part, id, 'hook-0', 2, 0, 'pending', now() from payments where id = PAYMENT`,
    /^event 0 of version 2 is to be delivered to hook-0, and nobody will$/,
  ],
  [
    'an event that no hook was told of',
    `update payments set hooks = '[{"event":"payment.refund.completed","lane":0,"n":1,"endpoint":"https://shop.example"}]'
     where id = PAYMENT`,
    /^nobody was told of event payment\.refund\.completed of version \d+, though hook 1 asks for it$/,
  ],
  [
    'a payment whose hooks an older process left out',
    `update payments set checkout = '{"webHooks":[{"eventName":"payment.created","url":"https://shop.example"}]}'
     where id = PAYMENT`,
    /^it is without the list of its own hooks, so nobody is told$/,
  ],
  [
    'an event of a movement that is not there',
    `update events set movement_id = '${NOBODY}' where movement_id = OTHER`,
    /^event payment\.charge\.created tells of a movement that is not there$/,
  ],
  [
    'an idempotency record of another merchant’s payment',
    `update idempotency_records set merchant_id = 1 where subject_id = PAYMENT and operation = 'charge'`,
    /^the idempotency record of a charge has no such payment$/,
  ],
  [
    'a key that waits for nothing',
    `update idempotency_records set status = null, answer = null where subject_id = PAYMENT and operation = 'charge'`,
    /^the answer to a charge is still open, and it names no movement$/,
  ],
  [
    'a pending charge that nobody asks about',
    `update movements set state = 'pending', next_try_at = null where id = OTHER`,
    /^charge .* is pending, and nobody will ask about it$/,
  ],
  [
    'a key whose charge is not there',
    `update idempotency_records set answer = '{"chargeId": "${NOBODY}"}' where subject_id = PAYMENT and operation = 'charge'`,
    /^the idempotency record of a charge names what is not there$/,
  ],
  [
    'a key whose refund is a charge',
    `update idempotency_records set answer = json_build_object('refundId', OTHER) where subject_id = PAYMENT and operation = 'refund'`,
    /^the idempotency record of a refund names what is not there$/,
  ],
  [
    'a key whose create made another payment',
    `update idempotency_records set answer = '{"paymentId": "${NOBODY}"}' where subject_id = PAYMENT and operation = 'create'`,
    /^the idempotency record of a create names what is not there$/,
  ],
  [
    'a key whose cancel was never made',
    `insert into idempotency_records
       select part, merchant_id, operation, target, 'other', subject_id, request, status, answer, movement_id,
       created_at from idempotency_records where subject_id = PAYMENT and operation = 'cancel'`,
    /^2 keys were told of a cancel, but it has 1$/,
  ],
  [
    'a subscription that was begun and is not there',
    `update payments set checkout = '{"subscription": {"role": "new", "id": "${NOBODY}"}}' where id = PAYMENT`,
    /^it has begun subscription 0+17000800+, which is not there$/,
  ],
  [
    'a charge of a subscription that does not know it',
    `update payments set checkout = '{"subscription": {"role": "renewal", "id": "${NOBODY}"}}' where id = PAYMENT`,
    /^it is a charge of subscription 0+17000800+, which does not know it$/,
  ],
  [
    'a subscription whose card nobody brought',
    `insert into subscriptions (part, id, merchant_id, kind, began_on, payment_id, acquirer, source, method, consent,
       secret) values (0, '${NOBODY}', 1, 'unscheduled', '2026-01-01', CHARGE, 'simulator', 'sim', '{}', '{}', '')`,
    /^its card is of payment [0-9a-f-]+, which has no approved reservation$/,
  ],
  [
    'a subscription that was ended and nobody was told',
    `insert into subscriptions (part, id, merchant_id, kind, began_on, payment_id, acquirer, source, method, consent,
       secret, state, ended_at, ended_by)
     values (0, '${NOBODY}', 1, 'unscheduled', '2026-01-01', CHARGE, 'simulator', 'sim', '{}', '{}', '', 'ended', now(),
       'consumer')`,
    /^it was ended by the consumer, but subscription\.ended was told 0 times$/,
  ],
  [
    'the end of a subscription that is not there',
    `insert into events (part, subject_id, version, ordinal, merchant_id, name, happened_at, data)
     values (0, '${NOBODY}', 2, 0, 1, 'subscription.ended', now(), '{}')`,
    /^event subscription\.ended is of a subscription that is not there$/,
  ],
  [
    'a renewal that is none',
    `insert into renewals (part, payment_id, subscription_id, day, card_payment_id)
     select part, id, '${NOBODY}', '2026-01-01', id from payments where id = PAYMENT`,
    /^it counts as a charge of subscription [0-9a-f-]+, and is none$/,
  ],
  [
    'a charge of a subscription of another merchant',
    `with made as (
       insert into subscriptions (part, id, merchant_id, kind, began_on, payment_id, acquirer, source, method, consent,
         secret)
       select part, CHARGE, merchant_id + 1, 'unscheduled', '2026-01-01', PAYMENT, 'simulator', 'sim', '{}', '{}', ''
       from payments where id = PAYMENT
     )
     insert into renewals (part, payment_id, subscription_id, day, card_payment_id)
     select part, id, CHARGE, '2026-01-01', id from payments where id = PAYMENT`,
    /^it is a charge of subscription [0-9a-f-]+, which is another merchant's$/,
  ],
  [
    'a payment of a bulk without its entry',
    `update payments
     set checkout = (checkout::jsonb || '{"subscription": {"role": "renewal", "id": "${NOBODY}", "bulkId": "${NOBODY}"}}')::json
     where id = PAYMENT`,
    /^it is an entry of bulk [0-9a-f-]+, which does not know it$/,
  ],
  ['a bulk that lost an entry', aBulk({ entry_count: 2 }), /^the bulk has 0 entries of 2$/],
  [
    'a bulk that is forgotten with an entry that is pending',
    aBulk({ forgotten_at: 'now()' }, anEntry({ next_try_at: NEVER })),
    /^the bulk is done and forgotten, but it has 1 entries$/,
  ],
  [
    'an entry of a bulk that waits for nobody',
    aBulk({}, anEntry({})),
    /^an entry of bulk [0-9a-f-]+ is pending, and nobody will do it$/,
  ],
  [
    'two entries of one payment',
    aBulk({ entry_count: 2 }, anEntry({ next_try_at: NEVER }), anEntry({ place: 1, next_try_at: NEVER })),
    /^it is an entry of 2 bulks$/,
  ],
  [
    'an entry of nobody’s subscription',
    aBulk({}, anEntry({ next_try_at: NEVER })),
    /^an entry of bulk [0-9a-f-]+ is of subscription [0-9a-f-]+, which is not there$/,
  ],
  [
    'an entry that succeeded without a charge',
    aBulk({}, anEntry({ state: "'succeeded'" })),
    /^an entry of bulk [0-9a-f-]+ says that it is charged, and names no charge$/,
  ],
  [
    'an entry that was declined without its payment',
    aBulk({}, anEntry({ state: "'failed'", source: "'Issuer'", payment_id: `'${NOBODY}'` })),
    /^an entry of bulk [0-9a-f-]+ says that it was declined, but it has no payment$/,
  ],
  [
    'an entry of a bulk with a charge that was never made',
    `insert into bulk_entries (part, bulk_id, place, merchant_id, subscription_id, payment_id, state, charge_id)
     values (0, '${NOBODY}', 0, 1, '${NOBODY}', PAYMENT, 'succeeded', REFUND)`,
    /^an entry of bulk [0-9a-f-]+ says that charge [0-9a-f-]+ was made$/,
  ],
  [
    'an entry of a bulk that failed and is charged',
    `insert into bulk_entries (part, bulk_id, place, merchant_id, subscription_id, payment_id, state)
     values (0, '${NOBODY}', 0, 1, '${NOBODY}', PAYMENT, 'failed')`,
    /^an entry of bulk [0-9a-f-]+ says that it failed, but it is charged$/,
  ],
  [
    'a series of invoice numbers with a gap',
    numberedTwo,
    /^merchant \d{9} has given 0 invoice numbers, but 1 are there, 1 of them different, up to 2$/,
  ],
  ['an invoice number of a card payment', numberedTwo, /^invoice number 2 is of nothing that was invoiced$/],
  [
    'an invoice without a number',
    `update payments set method = '{"paymentType": "INVOICE", "invoice": {"numbered": true}}' where id = PAYMENT`,
    /^(?:charge|refund) [-0-9a-f]{36} has no invoice number$/,
  ],
  [
    'a payout that its actions do not add up to',
    `insert into payouts (part, id, merchant_id, day, currency, charged, refunded, charge_count, action_count)
     select part, '${NOBODY}', merchant_id, '2026-01-01', 'SEK', 5, 2, 1, 2 from payments where id = PAYMENT`,
    /^payout of 2026-01-01: charged 5 and refunded 2 in 2, but its actions sum up to 0 and 0 in 0$/,
  ],
  [
    'a charge that was paid out and then declined',
    `with action as (
       insert into payout_actions (part, movement_id, payout_id, place)
       select part, id, '${NOBODY}', 0 from movements where id = OTHER
     )
     update movements set state = 'declined' where id = OTHER`,
    /^charge .* is declined, but it is in a payout$/,
  ],
  [
    'a charge that somebody else was paid',
    `insert into payout_actions (part, movement_id, payout_id, place)
     select part, id, '${NOBODY}', 0 from movements where id = OTHER`,
    /^charge .* is in a payout of another merchant or currency$/,
  ],
  [
    'a charge that was left out',
    `insert into payout_walks (part, day, walked_at)
     select part, current_date + 2, now() + interval '1 day' from payments where id = PAYMENT
     on conflict (part) do update set walked_at = excluded.walked_at`,
    /^charge .* is in no payout, though later ones are$/,
  ],
  [
    'a figure that the books do not add up to',
    `insert into daily_figures (part, merchant_id, day, currency, kind, state, method, reason, count, amount)
     select part, merchant_id, '2026-01-01', 'SEK', 'charge', 'approved', 'Visa', '', 2, 5
     from payments where id = PAYMENT`,
    /^figures of merchant \d+ on 2026-01-01: approved charge in SEK by "Visa" sum up to 5 in 2, but the books say 0 in 0$/,
  ],
];

describe('verify', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startService();
    ({ client } = await service.openShop());
    const constraints = await service.pool.query<{ table: string; name: string }>(
      `select conrelid::regclass::text as table, conname as name from pg_constraint
       where connamespace = 'public'::regnamespace and contype in ('c', 'f')`,
    );
    for (const { table, name } of constraints) await service.pool.query(`alter table ${table} drop constraint ${name}`);
    await service.pool.query('drop index movements_one_reservation');
  });
  after(() => service.stop());

  /** Reserved 1000, charged 400 and 300, refunded 100 of the first, cancelled 200; all with keys. */
  const makePayment = async (): Promise<Record<string, string>> => {
    const send = async (path: string, body: object) => (await client.post(path, body, keyed('k'))).body;
    const item = {
      reference: 'a',
      name: 'A',
      quantity: 1,
      unit: 'pcs',
      unitPrice: 1,
      grossTotalAmount: 1_000,
      netTotalAmount: 1,
    };
    const order = { items: [item], amount: 1_000, currency: 'SEK' };
    const body = { order, checkout: { url: 'https://shop.example' } };
    const created = await client.post('/v1/payments', body, keyed(crypto.randomUUID()));
    const payment: string = created.body.paymentId;
    await client.must(201, 'POST', `/v1/sandbox/payments/${payment}/reserve`, {});
    const { chargeId: charge } = await send(`/v1/payments/${payment}/charges`, { amount: 400 });
    const { refundId: refund } = await send(`/v1/charges/${charge}/refunds`, { amount: 100 });
    const other = await client.charge(payment, 300);
    await send(`/v1/payments/${payment}/cancels`, { amount: 200 });
    return { PAYMENT: payment, CHARGE: charge, OTHER: other, REFUND: refund, PART: String(partOf(payment)) };
  };

  test('books that nobody touched balance, and are counted', async () => {
    await makePayment();
    const { counts, differences } = await verifyBooks(service.pool);
    assert.deepEqual(differences, []);
    // The reservation, two charges, a refund and a cancel; payment.created, three for the reservation, two for each charge,
    // three for the refund and one for the cancel.
    const { merchants, ...rest } = counts;
    assert.deepEqual(rest, { payments: 1, movements: 5, pending: 0, events: 12, idempotencyRecords: 4 });
    assert.ok(merchants >= 1);
  });

  for (const [what, sql, difference] of corruptions)
    test(`${what} is found, and its payment named`, async () => {
      const ids = await makePayment();
      // What is published later would be published to whoever it is to be told to by then.
      await until('all events are published', async () => {
        const waiting = 'select 1 from events where subject_id = $1 and position is null';
        return (await service.pool.query(waiting, [ids['PAYMENT']])).length === 0;
      });
      const text = sql.replaceAll(/\b(?:PAYMENT|CHARGE|OTHER|REFUND)\b/g, (name) => `'${ids[name]}'`);
      await service.pool.query(text);
      const { differences } = await verifyBooks(service.pool);
      const found = differences.filter(({ paymentId = NOBODY }) => [ids['PAYMENT'], NOBODY].includes(paymentId));
      assert.ok(
        found.some((each) => difference.test(each.difference)),
        JSON.stringify(found),
      );
      await service.pool.query(
        'truncate payments, movements, events, idempotency_records, lanes, deliveries, ' +
          'subscriptions, renewals, bulks, bulk_entries, invoice_numbers, payouts, payout_actions, payout_walks, daily_figures, ' +
          'figure_walks, figure_waits',
      );
    });

  test('every kind of difference that the statement knows has a case here', () => {
    const statements = ['verify', 'verify-subscriptions', 'verify-invoices', 'verify-payouts', 'verify-figures'];
    const text = statements.map((name) => readStatement(name).text).join('\n');
    const kinds = [...text.matchAll(/(?:format\(|, )'((?:[^']|'')*(?:%s|it is)(?:[^']|'')*)'/g)].map(
      ([, kind]) => kind ?? '',
    );
    assert.ok(kinds.length >= 20, String(kinds.length));
    for (const kind of kinds) {
      const words = kind
        .replaceAll("''", "'")
        .split('%s')
        .filter((part) => part.trim() !== '');
      const isTried = corruptions.some(([, , { source }]) =>
        words.every((part) => source.replaceAll('\\', '').includes(part.trim())),
      );
      assert.ok(isTried, `no case for: ${kind}`);
    }
  });

  test('kassa verify tells the difference and ends with 1, and with 0 when there is none', async () => {
    const env = { DATABASE_URL: service.databaseUrl };
    const { PAYMENT: paymentId = '' } = await makePayment();
    assert.equal((await runKassa(['verify'], { env })).code, 0);
    await service.pool.query('update payments set charged = charged + 1 where id = $1', [paymentId]);
    const { code, out } = await runKassa(['verify'], { env });
    assert.equal(code, 1);
    assert.ok(out.includes(`${paymentId}: charged is 701, but its movements sum up to 700\n`), out);
  });

  test('a connection that verified has its time limit again', async () => {
    await verifyBooks(service.pool);
    const limits = await Promise.all(Array.from({ length: 4 }, () => service.pool.query('show statement_timeout')));
    assert.deepEqual(
      limits.flat(),
      Array.from({ length: 4 }, () => ({ statement_timeout: '10s' })),
    );
  });
});
