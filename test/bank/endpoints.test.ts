// Goal: every endpoint of the bank answers as it is described, to the right key alone, and says what is wrong with a
// request. Method: plain HTTP against a real bank; after every refusal the book is as it was.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startBank } from '../support/bank.ts';
import type { RunningBank } from '../support/bank.ts';
import { Client } from '../support/client.ts';
import { anOperation, aCharge, aRefund, newId } from './an-operation.ts';
import type { Operation } from '../../src/bank/operation.ts';

let bank: RunningBank;
before(async () => {
  bank = await startBank();
});
after(() => bank.stop());

const send = (operation: object | string) => bank.client.post('/operations', operation);

describe('POST /operations', () => {
  test('answers with the state, and with the moment by its clock', async () => {
    const sentAt = Date.now();
    const operation = anOperation();
    const { status, body, headers } = await send(operation);
    assert.equal(status, 200);
    assert.equal(headers.get('repeated'), null);
    assert.deepEqual(body, { id: operation.id, state: 'approved', at: body.at });
    assert.ok(body.at >= sentAt && body.at <= Date.now());
  });

  test('says why it declines, and whether a later try can do better', async () => {
    const reservation = anOperation();
    await send(reservation);
    const charge = aCharge(reservation, { amount: 10_001 });
    const { status, body } = await send(charge);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      id: charge.id,
      state: 'declined',
      reason: 'more than is left',
      retryable: false,
      at: body.at,
    });
  });

  test('the same again has the same answer, and says that it is repeated', async () => {
    const operation = anOperation();
    const first = await send(operation);
    const again = await send(operation);
    assert.equal(again.status, 200);
    assert.equal(again.headers.get('repeated'), 'true');
    assert.equal(again.text, first.text);
  });

  test('other content under a known id is 409, whatever differs', async () => {
    const reservation = anOperation();
    const charge = aCharge(reservation, { amount: 2 });
    const refund = aRefund(charge, { amount: 1 });
    for (const operation of [reservation, charge, refund]) assert.equal((await send(operation)).status, 200);
    const book = await bank.book();
    const others: readonly Operation[] = [
      { ...reservation, amount: 9_999 },
      { ...reservation, currency: 'NOK' },
      { ...reservation, source: 'sim_invoice' },
      { ...charge, kind: 'cancel' },
      { ...charge, reservationId: newId() },
      { ...refund, chargeId: newId() },
    ];
    for (const other of others) {
      const { status, body } = await send(other);
      assert.equal(status, 409);
      assert.deepEqual(body, { id: other.id, message: 'Another operation has this id.' });
    }
    assert.deepEqual(await bank.book(), book);
  });

  test('a malformed body is 400 and names the field', async () => {
    const book = await bank.book();
    const good = anOperation();
    const { id: _id, ...withoutId } = good;
    const bad: readonly (readonly [field: string, body: object | string])[] = [
      ['body', ''],
      ['body', 'not JSON'],
      ['body', '[]'],
      ['body', 'null'],
      ['body', '"text"'],
      ['body', '{"__proto__": {}}'],
      ['id', withoutId],
      ['id', { ...good, id: '' }],
      ['id', { ...good, id: 'a/b' }],
      ['id', { ...good, id: 'a'.repeat(65) }],
      ['id', { ...good, id: 7 }],
      ['kind', { ...good, kind: 'gift' }],
      ['kind', { ...good, kind: undefined }],
      ['amount', { ...good, amount: 0 }],
      ['amount', { ...good, amount: -1 }],
      ['amount', { ...good, amount: 1.5 }],
      ['amount', { ...good, amount: '100' }],
      ['amount', { ...good, amount: null }],
      ['amount', { ...good, amount: 2 ** 53 }],
      ['amount', JSON.stringify(good).replace('10000', '9007199254740993')],
      ['amount', JSON.stringify(good).replace('10000', '1e400')],
      ['currency', { ...good, currency: 'sek' }],
      ['currency', { ...good, currency: 'XXX' }],
      ['currency', { ...good, currency: ['SEK'] }],
      ['source', { ...good, source: '' }],
      ['source', { ...good, source: 'a'.repeat(201) }],
      ['source', { ...good, source: '\uD800' }],
      ['reservationId', { ...good, reservationId: undefined }],
      ['reservationId', { ...good, reservationId: newId() }],
      ['chargeId', { ...good, chargeId: newId() }],
      ['chargeId', { ...good, kind: 'refund' }],
      ['tip', { ...good, tip: 1 }],
    ];
    for (const [field, body] of bad) {
      const { status, body: answer } = await send(body);
      assert.equal(status, 400, JSON.stringify(body));
      assert.equal(answer.field, field, JSON.stringify(body));
      assert.ok(answer.message.startsWith(`${field} `), answer.message);
    }
    assert.equal((await send('a'.repeat(20_000))).status, 413);
    assert.deepEqual(await bank.book(), book);
  });

  test('the largest amount is kept to the last unit', async () => {
    const reservation = anOperation({ amount: Number.MAX_SAFE_INTEGER });
    const charge = aCharge(reservation, { amount: Number.MAX_SAFE_INTEGER - 1 });
    const states = [reservation, charge, aCharge(reservation, { amount: 2 }), aCharge(reservation, { amount: 1 })];
    const seen: string[] = [];
    for (const operation of states) seen.push((await send(operation)).body.state);
    assert.deepEqual(seen, ['approved', 'approved', 'declined', 'approved']);
    assert.equal((await bank.book()).find(({ id }) => id === charge.id)?.amount, Number.MAX_SAFE_INTEGER - 1);
  });
});

describe('POST /operations/{id}/forbid', () => {
  const forbid = (id: string) => bank.client.post(`/operations/${id}/forbid`, {});

  test('what was not done is forbidden: sent later it is 410, and not written; a restart changes nothing in that', async () => {
    const operation = anOperation();
    const book = await bank.book();
    for (let times = 0; times < 2; times += 1) {
      const forbidden = await forbid(operation.id);
      assert.deepEqual([forbidden.status, forbidden.body], [200, { id: operation.id, state: 'forbidden' }]);
      const { status, body } = await send(operation);
      const message = 'It was forbidden; nothing was done.';
      assert.deepEqual([status, body], [410, { id: operation.id, state: 'forbidden', message }]);
      assert.equal((await bank.client.get(`/operations/${operation.id}`)).status, 404);
      assert.match(bank.err(), new RegExp(`forbidden {2}POST /operations/${operation.id}/forbid$`, 'm'));
      if (times === 0) await bank.restart();
    }
    assert.deepEqual(await bank.book(), book);
  });

  test('what was done is told, and stays', async () => {
    for (const source of ['sim_approved', 'sim_wrong_cvc']) {
      const operation = anOperation({ source });
      const { text } = await send(operation);
      const found = await forbid(operation.id);
      assert.deepEqual([found.status, found.text], [200, text]);
      assert.equal((await send(operation)).text, text);
    }
  });

  test('an id that cannot be one is 400', async () => {
    const { status, body } = await forbid('a.b');
    assert.deepEqual([status, body.field], [400, 'id']);
  });
});

describe('sums', () => {
  const judge = async (operation: Operation): Promise<string> => {
    const { body } = await send(operation);
    return body.reason ?? body.state;
  };

  test('a charge takes from an approved reservation in its currency', async () => {
    const reservation = anOperation();
    assert.equal(await judge(aCharge(reservation)), 'the reservation is not known here');
    await send(reservation);
    assert.equal(await judge(aCharge(reservation, { currency: 'NOK' })), 'the reservation is in another currency');
    const charge = aCharge(reservation, { amount: 10 });
    await send(charge);
    assert.equal(await judge(aCharge(charge, { amount: 1 })), 'the reservation is not known here', 'but a charge is');
  });

  test('a refund takes from an approved charge of its own reservation', async () => {
    const [one, other] = [anOperation(), anOperation()];
    const charge = aCharge(one);
    for (const operation of [one, other, charge]) await send(operation);
    assert.equal(await judge(aRefund(charge, { reservationId: other.id })), 'the charge is of another reservation');
    assert.equal(await judge(aRefund(charge, { chargeId: one.id })), 'the charge is not known here');
    assert.equal(await judge(aRefund(charge, { currency: 'EUR' })), 'the charge is in another currency');
    assert.equal(await judge(aRefund(charge)), 'approved');
    assert.equal(await judge(aCharge(one, { amount: 1 })), 'more than is left', 'a refund fills up no reservation');
  });

  test('what the card declines takes nothing', async () => {
    const reservation = anOperation({ source: 'sim_charge_declined' });
    await send(reservation);
    assert.equal(await judge(aCharge(reservation, { source: 'sim_charge_declined' })), 'declined by the issuer');
    assert.equal(await judge(anOperation({ kind: 'cancel', reservationId: reservation.id })), 'approved');
  });
});

describe('GET', () => {
  test('/operations/{id} says the same as the answer did, and 404 with the id of what is not known', async () => {
    const operation = anOperation({ source: 'sim_wrong_cvc' });
    const { text } = await send(operation);
    const found = await bank.client.get(`/operations/${operation.id}`);
    assert.deepEqual([found.status, found.text], [200, text]);
    const id = newId();
    const missing = await bank.client.get(`/operations/${id}`);
    assert.equal(missing.status, 404);
    assert.deepEqual(missing.body, { id, state: 'not_found', message: 'There is no such operation.' });
  });

  test('/book goes from page to page, also while it grows', async () => {
    const start = (await bank.book()).length;
    const ids = Array.from({ length: 7 }, newId);
    for (const id of ids.slice(0, 5)) await send(anOperation({ id }));
    const seen: string[] = [];
    let next: string | undefined = String(start);
    for (const size of [2, 2, 2, 1]) {
      const page = await bank.client.must(200, 'GET', `/book?limit=2&after=${next}`);
      assert.equal(page.lines.length, size);
      seen.push(...page.lines.map(({ id }: { id: string }) => id));
      if (size === 2 && seen.length === 2) for (const id of ids.slice(5)) await send(anOperation({ id }));
      next = page.next;
    }
    assert.equal(next, undefined);
    assert.deepEqual(seen, ids);
  });

  test('/book shows a line as it is written', async () => {
    const operation = anOperation({ source: 'sim_expired_card' });
    const { at } = (await send(operation)).body;
    const line = (await bank.book()).at(-1);
    const { id, kind, amount, currency } = operation;
    const declined = { state: 'declined', reason: 'expired card', issuerCode: '54', at };
    assert.deepEqual(line, { id, kind, amount, currency, reservationId: id, ...declined });
    const reservation = anOperation();
    const charge = aCharge(reservation);
    const refund = aRefund(charge);
    for (const each of [reservation, charge, refund]) await send(each);
    const lines = (await bank.book()).slice(-2);
    assert.deepEqual(
      lines.map(({ reservationId, chargeId }) => [reservationId, chargeId]),
      [
        [reservation.id, undefined],
        [reservation.id, charge.id],
      ],
    );
  });

  test('/book refuses what it does not understand', async () => {
    for (const [field, query] of [
      ['limit', 'limit=0'],
      ['limit', 'limit=5001'],
      ['limit', 'limit=1&limit=2'],
      ['after', 'after=x'],
      ['after', 'after=-1'],
      ['from', 'from=yesterday'],
      ['to', 'to=1.5'],
      ['until', 'until=1'],
    ]) {
      const { status, body } = await bank.client.get(`/book?${query}`);
      assert.deepEqual([status, body.field], [400, field], query);
    }
  });

  test('/healthz needs no key, and other addresses say which there are', async () => {
    assert.equal((await new Client(bank.url).get('/healthz')).status, 200);
    const { status, body } = await bank.client.get('/payments');
    assert.equal(status, 404);
    assert.match(body.message, /\/operations/);
    assert.equal(body.state, undefined);
  });
});

test('without the key everything is 401, and nothing is done', async () => {
  const operation = anOperation();
  for (const key of [undefined, '', 'bank-key-0', `${bank.key}0`, bank.key.slice(0, -1), bank.key.toUpperCase()]) {
    const stranger = new Client(bank.url, key);
    for (const answer of [
      await stranger.post('/operations', operation),
      await stranger.get(`/operations/${operation.id}`),
      await stranger.post(`/operations/${operation.id}/forbid`, {}),
      await stranger.get('/book'),
      await stranger.get('/faults'),
      await stranger.put('/faults', { hang: 1 }),
    ]) {
      assert.equal(answer.status, 401);
      assert.equal(answer.text.includes(bank.key), false);
    }
  }
  assert.equal((await bank.client.get(`/operations/${operation.id}`)).status, 404);
  assert.equal((await send(operation)).status, 200, 'nobody has forbidden it');
  assert.equal((await new Client(bank.url, `Bearer ${bank.key}`).get('/book')).status, 200);
});
