// Goal: the verification of the books finds every kind of difference it knows, and names the payment: at once, cut to
// pieces, by what was changed of late, and when a run that was interrupted is gone on with. Method: payments made through
// the API on a database whose constraints were dropped; one row of each is then corrupted by SQL. The texts of the
// statements are read from their files, so that a kind without a case here fails.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeId, partOf } from '../../src/domain/id.ts';
import { readStatement } from '../../src/store/statements/statement.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import type { Checkpoint, Findings, Verification } from '../../src/store/books/verify.ts';
import { readSince } from '../../src/store/books/verify/changed.ts';
import type { Since } from '../../src/store/books/verify/changed.ts';
import { STATEMENTS } from '../../src/store/books/verify/ranges.ts';
import type { Client } from '../support/client.ts';
import { runCommand } from '../support/commands.ts';
import { depth } from '../support/depth.ts';
import { launchKassa, until } from '../support/kassa.ts';
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
    'a payment without the list of its hooks',
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
    'two events with one number',
    `update events set position = 1 where movement_id = OTHER`,
    /^merchant \d{9} has numbered its events up to \d+, but 12 are there, 1[01] of them different, up to \d+$/,
  ],
  [
    'an event with a number that was not given',
    `update events set position = position + 1000 where movement_id = OTHER`,
    /^merchant \d{9} has numbered its events up to \d+, but 12 are there, 12 of them different, up to \d+$/,
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
    `update idempotency_records set answer = '{"paymentId": "${NOBODY}"}', seal = null
     where subject_id = PAYMENT and operation = 'create'`,
    /^the idempotency record of a create names what is not there$/,
  ],
  [
    'a key whose cancel was never made',
    `insert into idempotency_records
       (part, merchant_id, operation, target, key, subject_id, request, status, answer, movement_id)
       select part, merchant_id, operation, target, 'other', subject_id, request, status, answer, movement_id
       from idempotency_records where subject_id = PAYMENT and operation = 'cancel'`,
    /^2 keys were told of a cancel, but it has 1$/,
  ],
  [
    'an event that tells something else than was told',
    `update events set name = 'payment.cart.updated' where subject_id = PAYMENT and name = 'payment.created'`,
    /^event payment\.cart\.updated of version 2 was changed after it was written$/,
  ],
  [
    'a reservation at another acquirer than the one that took it',
    `update movements set acquirer = 'other' where payment_id = PAYMENT and kind = 'reservation'`,
    /^reservation .* was changed after its outcome was written$/,
  ],
  [
    'an answer that was another',
    `update idempotency_records set status = 402 where subject_id = PAYMENT and operation = 'charge'`,
    /^the answer to a charge was changed after it was given$/,
  ],
  [
    'a payment of another reference than its shop gave',
    `update payments set reference = 'another' where id = PAYMENT`,
    /^it was changed after it was written: order, consumer, method or terms are not what they were$/,
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
    aBulk({}, anEntry({ state: "'succeeded'", charge_id: 'REFUND' })),
    /^an entry of bulk [0-9a-f-]+ says that charge [0-9a-f-]+ was made$/,
  ],
  [
    'an entry of a bulk that failed and is charged',
    aBulk({}, anEntry({ state: "'failed'" })),
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
    `update payments set method = '{"paymentType": "INVOICE", "invoice": {}}' where id = PAYMENT`,
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
     select part, merchant_id, current_date, 'SEK', 'charge', 'approved', 'Visa', '', 2, 5
     from payments where id = PAYMENT`,
    /^figures of merchant \d+ on [-0-9]{10}: approved charge in SEK by "Visa" sum up to 5 in 2, but the books say 0 in 0$/,
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

  const forgetAll = (): Promise<unknown> =>
    service.pool.query(
      'truncate payments, movements, events, idempotency_records, lanes, deliveries, ' +
        'subscriptions, renewals, bulks, bulk_entries, invoice_numbers, payouts, payout_actions, payout_walks, daily_figures, ' +
        'figure_walks, figure_waits',
    );
  const lately = async (): Promise<Since> => (await readSince(service.pool, { agoMs: 3_600_000 })) as Since;
  /** Each payment is a piece of its own, and two are looked at at once. */
  const CUT = { size: 1, parallel: 2 };

  /** Going on from where a run was when it was interrupted, as late as can be: so all was looked at before. */
  const resume = async (more: Verification): Promise<Findings> => {
    let last: Checkpoint | undefined;
    await verifyBooks(service.pool, { ...CUT, ...more, onCheckpoint: (checkpoint) => (last = checkpoint) });
    // As it comes out of a file.
    const from = JSON.parse(JSON.stringify(last)) as Checkpoint;
    return verifyBooks(service.pool, { ...CUT, ...more, from });
  };
  const modes: readonly (readonly [mode: string, verify: () => Promise<Findings>])[] = [
    ['at once', () => verifyBooks(service.pool)],
    ['by what was changed', async () => verifyBooks(service.pool, { since: await lately() })],
    ['cut, and gone on with', () => resume({})],
  ];

  test('books that nobody touched balance, and are counted', async () => {
    await makePayment();
    const { counts, differences } = await verifyBooks(service.pool);
    assert.deepEqual(differences, []);
    // The reservation, two charges, a refund and a cancel; payment.created, three for the reservation, two for each charge,
    // three for the refund and one for the cancel.
    const { merchants, ...rest } = counts;
    assert.deepEqual(rest, { payments: 1, movements: 5, pending: 0, events: 12, idempotencyRecords: 4 });
    assert.ok(merchants >= 1);
    const changed = await verifyBooks(service.pool, { since: await lately() });
    assert.deepEqual(changed, { counts: { merchants: 1, ...rest }, differences: [], leftOut: 0 });
    assert.deepEqual((await resume({})).differences, []);
  });

  test('what was not changed since is not looked at, nor counted', async () => {
    const { PAYMENT: paymentId = '' } = await makePayment();
    await service.pool.query('update payments set charged = charged + 1 where id = $1', [paymentId]);
    const tables = { payments: 'id', movements: 'payment_id', idempotency_records: 'subject_id' };
    for (const [table, column] of Object.entries(tables))
      await service.pool.query(
        `update ${table} set created_at = created_at - interval '2 hours' where ${column} = $1`,
        [paymentId],
      );
    await service.pool.query(`update events set recorded_at = recorded_at - interval '2 hours' where subject_id = $1`, [
      paymentId,
    ]);
    const of = async (since: Since): Promise<number> =>
      (await verifyBooks(service.pool, { since })).differences.filter(
        (one) => one.paymentId === paymentId && one.difference.startsWith('charged is 701'),
      ).length;
    assert.equal(await of(await lately()), 0);
    assert.equal(await of((await readSince(service.pool, { agoMs: 3 * 3_600_000 })) as Since), 1);
    assert.equal(await readSince(service.pool, { atMs: Date.now() + 86_400_000 }), undefined, 'still to come');
    await forgetAll();
  });

  test('a run that was interrupted finds what it found, what it had not come to, and what was done meanwhile', async () => {
    const [first, second, third] = [await makePayment(), await makePayment(), await makePayment()].map(
      (ids) => ids['PAYMENT'] as string,
    );
    const falsify = (id: string | undefined): Promise<unknown> =>
      service.pool.query('update payments set charged = charged + 1 where id = $1', [id]);
    await falsify(first);
    let last: Checkpoint | undefined;
    // The first two are pieces that were looked at; then it breaks off.
    const interrupted = verifyBooks(service.pool, {
      size: 1,
      onCheckpoint: (checkpoint) => {
        last = checkpoint;
        if (checkpoint.payments === 2) throw new Error('interrupted');
      },
    });
    await assert.rejects(interrupted, /interrupted/);
    assert.equal(last?.payments, 2);
    const { again = [], to } = last?.reached['payments'] ?? {};
    assert.equal(again.length, 1, 'the one with the difference');
    assert.ok(to);
    await falsify(second);
    await falsify(third);
    const { differences } = await verifyBooks(service.pool, { size: 1, from: last });
    assert.deepEqual(new Set(differences.map(({ paymentId }) => paymentId)), new Set([first, second, third]));
    assert.equal(differences.length, 3, 'each once');
    const late = await resume({ since: await lately() });
    assert.deepEqual(late.differences.length, 3, 'also of what was changed');
    await forgetAll();
  });

  // The kinds of one statement are cut alike: of some of each it is seen that going on finds them.
  const modesOf = (place: number) =>
    place % 4 === 0 ? modes : depth({ daily: modes.slice(place % 2, (place % 2) + 1), release: modes.slice(0, 2) });

  const corrupt = async (sql: string): Promise<Record<string, string>> => {
    const ids = await makePayment();
    // What is published later would be published to whoever it is to be told to by then.
    await until('all events are published', async () => {
      const waiting = 'select 1 from events where subject_id = $1 and position is null';
      return (await service.pool.query(waiting, [ids['PAYMENT']])).length === 0;
    });
    await service.pool.query(sql.replaceAll(/\b(?:PAYMENT|CHARGE|OTHER|REFUND)\b/g, (name) => `'${ids[name]}'`));
    return ids;
  };
  const expectFound = (found: Findings, [what, , difference]: Corruption, paymentId: string, mode: string): void => {
    const own = found.differences.filter(({ paymentId: id = NOBODY }) => [paymentId, NOBODY].includes(id));
    assert.ok(
      own.some((each) => difference.test(each.difference)),
      `${what}, ${mode}: ${JSON.stringify(own)}`,
    );
  };

  // What is of one payment alone can stand beside others of its kind; the sums of a merchant and what is nobody's cannot.
  const isOfOnePayment = ([, sql, { source }]: Corruption): boolean =>
    sql.startsWith('update ') && !sql.includes(NOBODY) && !source.startsWith('^merchant');
  const [beside, alone] = depth({
    daily: [corruptions.filter(isOfOnePayment), corruptions.filter((each) => !isOfOnePayment(each))],
    release: [[], corruptions],
  }) as [readonly Corruption[], readonly Corruption[]];

  for (const [place, corruption] of alone.entries())
    test(`${corruption[0]} is found, and its payment named`, async () => {
      const { PAYMENT = '' } = await corrupt(corruption[1]);
      for (const [mode, verify] of modesOf(place)) expectFound(await verify(), corruption, PAYMENT, mode);
      await forgetAll();
    });

  if (beside.length > 0)
    test(`${beside.length} differences of as many payments are found, and each is named`, async () => {
      const ids: string[] = [];
      for (const [, sql] of beside) ids.push((await corrupt(sql))['PAYMENT'] as string);
      for (const [mode, verify] of modes) {
        const found = await verify();
        for (const [n, corruption] of beside.entries()) expectFound(found, corruption, ids[n] as string, mode);
      }
      await forgetAll();
    });

  test('every kind of difference that the statement knows has a case here', () => {
    // Facets and seals have tests of their own.
    const statements = STATEMENTS.filter((name) => name !== 'verify-facets' && name !== 'verify-seals');
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
    assert.equal((await runCommand(['verify'], { env })).code, 0);
    await service.pool.query('update payments set charged = charged + 1 where id = $1', [paymentId]);
    const { code, out } = await runCommand(['verify'], { env });
    assert.equal(code, 1);
    assert.ok(out.includes(`${paymentId}: charged is 701, but its movements sum up to 700\n`), out);
  });

  test('kassa verify that is killed goes on from its file, and finds what it had found', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'kassa-verify-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'verify.json');
    const env = { DATABASE_URL: service.databaseUrl };
    await forgetAll();
    const { PAYMENT: paymentId = '' } = await makePayment();
    await service.pool.query('update payments set charged = charged + 1 where id = $1', [paymentId]);
    const line = `${paymentId}: charged is 701, but its movements sum up to 700\n`;
    await service.pool.withClient(async (holder) => {
      // It looks at them last, and does not get beyond.
      await holder.query('begin; lock table daily_figures in access exclusive mode');
      const killed = launchKassa(['verify', '--checkpoint', file], { env });
      await until('the rest is looked at', () => existsSync(file) && readFileSync(file, 'utf8').includes('"infinity"'));
      await killed.end('SIGKILL');
      await holder.query('rollback');
    });
    const content = readFileSync(file, 'utf8');
    assert.ok(!content.includes(paymentId), 'it names nobody');
    const resumed = await runCommand(['verify', '--checkpoint', file], { env });
    assert.equal(resumed.err, `Resuming from ${file}.\n`);
    assert.deepEqual([resumed.code, resumed.out.includes(line), existsSync(file)], [1, true, false]);
    await service.pool.query('update payments set charged = charged - 1 where id = $1', [paymentId]);
    await writeFile(file, content);
    const mended = await runCommand(['verify', '--checkpoint', file, '--json'], { env });
    assert.equal(mended.code, 0, mended.out);
    // As if an older copy of the database had been put in its place.
    const { of: looked, ...rest } = JSON.parse(content) as { of: { written: number } };
    await writeFile(file, JSON.stringify({ ...rest, of: { ...looked, written: looked.written * 2 } }));
    const restored = await runCommand(['verify', '--checkpoint', file], { env });
    assert.match(
      restored.err,
      /Ignoring .*: it is from another database, from before a restore, or from another version/,
    );
    await writeFile(file, content);
    const changed = await runCommand(['verify', '--since', '1h', '--parallel', '1', '--checkpoint', file], { env });
    assert.equal(changed.err, `Ignoring ${file}: it is from a run without --since. Checking everything.\n`);
    assert.equal(changed.code, 0);
    assert.match(changed.out, /^Changed since [-0-9]{10}T[0-9:.]+Z: 1 payment of 1 merchant, 5 movements/);
    assert.match(changed.out, /\nThe changed books balance\.\n$/);
    assert.ok(!existsSync(file));
    await writeFile(file, 'something else');
    const refused = await runCommand(['verify', '--checkpoint', file], { env });
    assert.deepEqual(
      [refused.code, refused.err],
      [2, `kassa: --checkpoint ${file} is not a checkpoint file: choose another one, or delete it.\n`],
    );
    const wrong = {
      '--since 2999-01-01': '--since is in the future.',
      '--since never':
        '--since is never; it must be a duration such as 26h or 7d, a date such as 2026-11-15 or a timestamp such as 2026-11-15T08:00:00Z.',
      '--parallel 0': '--parallel is 0; it must be a number from 1 to 32.',
    };
    for (const [options, sentence] of Object.entries(wrong)) {
      const { code, err } = await runCommand(['verify', ...options.split(' ')], { env });
      assert.deepEqual([code, err], [2, `kassa: ${sentence}\n`]);
    }
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
