// Goal: what a merchant is paid for each day and currency is reported once the day is over, adds up, never changes, and is
// nobody else's. Method: payments made through the API, whose movements are dated back by SQL; the days are gathered by the
// very function of the housekeeping, by one process and by several.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Payment } from '../../src/domain/payment.ts';
import { taxLinesOfCharge, taxLinesOfRefund } from '../../src/domain/tax-lines.ts';
import { loadGroup } from '../../src/store/payments/load.ts';
import type { Loaded } from '../../src/store/payments/load.ts';
import { createKey } from '../../src/store/merchants/keys.ts';
import { createMerchant } from '../../src/store/merchants/merchants.ts';
import { gatherPayouts } from '../../src/store/books/payouts/gather.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { DIALECTS, expectErrors, expectNoBody } from '../support/answers.ts';
import { anItem, anOrder } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { dateBack, gatherNow, openInOwnParts } from '../support/payouts.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';
import { subscribe } from '../support/subscriptions.ts';

const NEVER = new AbortController().signal;
const PERIOD = 'fromDate=2026-01-01&toDate=2026-01-31';
const DAY = '2026-01-10';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const openShop = (settings?: Parameters<Service['openShop']>[0]): Promise<Shop> =>
  openInOwnParts(service.pool, () => service.openShop(settings));

const gather = (): Promise<unknown> => gatherNow(service.pool);

async function sell(client: Client, amount: number, currency = 'SEK'): Promise<string> {
  const order = { ...anOrder(amount, { currency }), items: [anItem({ grossTotalAmount: amount, taxAmount: 200 })] };
  const body = { order, checkout: { url: 'https://shop.example/' } };
  const { paymentId } = await client.must(201, 'POST', '/v1/payments', body);
  await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
  return paymentId;
}

const list = async (client: Client, query = PERIOD): Promise<Reply['body']> =>
  client.must(200, 'GET', `/report/v1/payouts?${query}`);

for (const dialect of DIALECTS)
  describe(`payouts in the dialect ${dialect}`, () => {
    // decision: payout-reports, time-of-a-payout
    test('one for each day and currency, of what was charged and refunded; not of a day that is not over', async () => {
      const { client, merchant } = await openShop({ dialect });
      const [first, euros, next] = [await sell(client, 1_000), await sell(client, 500, 'EUR'), await sell(client, 300)];
      await client.refund(await client.charge(first, 600), 100);
      await client.charge(first, 400);
      await client.charge(euros, 500);
      await client.refund(await client.charge(next, 300), 300);
      await dateBack(service.pool, merchant, { '2026-01-11': [next], [DAY]: [first, euros] });
      const today = await sell(client, 700);
      await client.charge(today, 700);
      await gather();
      const { numberOfPayouts, payouts } = await list(client);
      assert.equal(numberOfPayouts, 3);
      const common = {
        depositedAmount: 0,
        fees: 0,
        feeVATpercent: 0,
        feeTaxRate: 0,
        feeTaxAmount: 0,
        transactionTaxDetails: [],
      };
      assert.deepEqual(
        payouts.map(({ id, ...payout }: Reply['body']) => {
          assert.match(id, /^[0-9a-f]{32}$/);
          return payout;
        }),
        [
          ['2026-01-10', 'EUR', 500, 0, 1],
          ['2026-01-10', 'SEK', 1_000, 100, 2],
          ['2026-01-11', 'SEK', 300, 300, 1],
        ].map(([date, currency, charged, refunded, numberOfCharges]) => ({
          reference: `${merchant.id}-${String(date).replaceAll('-', '')}-${currency}`,
          date,
          currency,
          amount: Number(charged) - Number(refunded),
          chargedAmount: charged,
          refundedAmount: refunded,
          ...common,
          numberOfCharges,
        })),
      );
      const { day } = (
        await service.pool.query<{ day: string }>(`select (now() at time zone 'UTC')::date::text as day`)
      )[0] ?? { day: '' };
      assert.deepEqual(await list(client, `fromDate=${day}&toDate=${day}`), { numberOfPayouts: 0, payouts: [] });
      await gather();
      assert.deepEqual(await list(client), { numberOfPayouts, payouts }, 'the same for good');
    });

    // decision: payout-reports
    test('one with its actions, page by page; with dashes, and however a client begins its query', async () => {
      const { client, merchant } = await openShop({ dialect });
      const paymentId = await sell(client, 1_000);
      const { chargeId } = await client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, {
        amount: 500,
        orderItems: [anItem({ grossTotalAmount: 500, taxAmount: 80 })],
      });
      const refundId = await client.refund(chargeId, 250);
      await dateBack(service.pool, merchant, { [DAY]: [paymentId] });
      await gather();
      const [listed] = (await list(client)).payouts;
      const { numberOfCharges: _charges, ...head } = listed;
      const path = `/report/v1/payouts/${listed.id}`;
      const { paymentActions, numberOfPaymentActions, ...payout } = await client.must(200, 'GET', path);
      assert.deepEqual(payout, head);
      assert.equal(numberOfPaymentActions, 2);
      const fees = {
        fee: 0,
        flexibleFee: 0,
        fixedFee: 0,
        feeVATpercent: 0,
        feeTaxRate: 0,
        feeTaxAmount: 0,
        transactionTaxDetails: [],
      };
      const common = { paymentId, paymentMethod: 'Visa', paymentType: 'CARD', reference: 'order-1', currency: 'SEK' };
      const { invoiceNumber, ...charge } = paymentActions[0];
      assert.match(invoiceNumber, /^\d{24}$/);
      assert.deepEqual(charge, {
        id: chargeId,
        paymentAction: 'CHARGE',
        timestamp: '2026-01-10T12:00:02.000Z',
        amount: 500,
        vatAmount: 80,
        ...common,
        ...fees,
      });
      assert.deepEqual(paymentActions[1], {
        id: refundId,
        paymentAction: 'REFUND',
        timestamp: '2026-01-10T12:00:03.000Z',
        amount: 250,
        // Half of its charge's.
        vatAmount: 40,
        ...common,
        ...fees,
      });
      const dashed = listed.id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
      for (const same of [
        `${path}?`,
        `${path}?&pageNumber=0`,
        `/report/v1/payouts/${dashed}`,
        `/REPORT/V1/payouts/${listed.id}/`,
      ])
        assert.equal((await client.must(200, 'GET', same)).paymentActions.length, 2, same);
      const page = (number: number): Promise<Reply['body']> =>
        client.must(200, 'GET', `${path}?&merchantNumber=${merchant.id}&pageNumber=${number}&pageSize=1`);
      assert.deepEqual((await page(0)).paymentActions, [paymentActions[0]]);
      assert.deepEqual((await page(1)).paymentActions, [paymentActions[1]]);
      const beyond = await page(2);
      assert.deepEqual([beyond.paymentActions, beyond.numberOfPaymentActions], [[], 2]);
    });

    test('both dates are of the period; by currency and page, and all are counted on each', async () => {
      const { client, merchant } = await openShop({ dialect });
      const sold = async (currency: string): Promise<string[]> => {
        const paymentId = await sell(client, 1_000, currency);
        await client.charge(paymentId, 1_000);
        return [paymentId];
      };
      await dateBack(service.pool, merchant, {
        '2026-01-12': await sold('SEK'),
        '2026-01-11': await sold('EUR'),
        '2026-01-10': await sold('SEK'),
      });
      await gather();
      const days = async (query: string): Promise<unknown> => {
        const { numberOfPayouts, payouts } = await list(client, query);
        return [numberOfPayouts, ...payouts.map(({ date }: Reply['body']) => Number(date.slice(-2)))];
      };
      assert.deepEqual(await days('fromDate=2026-01-10&toDate=2026-01-12'), [3, 10, 11, 12]);
      assert.deepEqual(await days('fromDate=2026-01-11&toDate=2026-01-11'), [1, 11]);
      assert.deepEqual(await days(`&${PERIOD}&currency=sek`), [2, 10, 12]);
      assert.deepEqual(await days(`${PERIOD}&pageNumber=1&pageSize=2`), [3, 12]);
      assert.deepEqual(await days(`${PERIOD}&pageNumber=7`), [3]);
      assert.deepEqual(await days(`${PERIOD}&merchantNumber=${merchant.id}`), [3, 10, 11, 12]);
      assert.deepEqual(await days(`${PERIOD}&merchantNumber=123456789`), [0], 'another has nothing here');
    });

    test('400 by the name of the field', async () => {
      const { client } = await openShop({ dialect });
      const refused: Record<string, Record<string, (string | RegExp)[]>> = {
        '': { fromDate: ['is required'], toDate: ['is required'] },
        'fromDate=2026-01-01': { toDate: ['is required'] },
        'fromDate=2026-02-30&toDate=2026-03-01': {
          fromDate: ['must be a date as YYYY-MM-DD, such as 2026-12-31, found "2026-02-30"'],
        },
        'fromDate=01/03/2026&toDate=2026-03-01': { fromDate: [/, found "01\/03\/2026"$/] },
        'fromDate=&toDate=March': { fromDate: [/, found an empty text$/], toDate: [/, found a text of 5 characters$/] },
        'fromDate=4925000000000004&toDate=2026-03-01': { fromDate: [/, found a text of 16 characters$/] },
        'fromDate=0000-01-01&toDate=0000-01-02': { fromDate: [/^must be a date/], toDate: [/^must be a date/] },
        'fromDate=2026-01-01T00:00:00Z&toDate=2026-03-01': { fromDate: [/^must be a date/] },
        'fromDate=2026-01-02&toDate=2026-01-01': {
          toDate: ['must not be before fromDate, 2026-01-02, found 2026-01-01'],
        },
        'fromDate=2025-01-01&toDate=2026-01-02': { toDate: ['must leave a period of at most 366 days, found 367'] },
        [`${PERIOD}&currency=ABC`]: { currency: [/ISO 4217/] },
        [`${PERIOD}&pageSize=0`]: { pageSize: ['must be a whole number from 1 to 1000'] },
        [`${PERIOD}&pageSize=1001`]: { pageSize: ['must be a whole number from 1 to 1000'] },
        [`${PERIOD}&pageNumber=-1`]: { pageNumber: [/^must be a whole number from 0/] },
        [`${PERIOD}&merchantNumber=me`]: { merchantNumber: [/^must be a whole number/] },
        [`${PERIOD}&curency=SEK`]: { curency: [/^there is no such filter/] },
      };
      for (const [query, errors] of Object.entries(refused))
        expectErrors(await client.get(`/report/v1/payouts?${query}`), errors);
      expectErrors(await client.get(`/report/v1/payouts/${'a'.repeat(129)}`), {
        payoutId: ['must have at most 128 characters, found 129'],
      });
      expectErrors(await client.get(`/report/v1/payouts/${'0'.repeat(32)}?pageSize=x`), {
        pageSize: ['must be a whole number from 1 to 1000'],
      });
      assert.equal((await client.get('/report/v1/payouts?fromDate=2025-01-01&toDate=2026-01-01')).status, 200);
    });

    // decision: payout-reports
    test('404 without a body: nobody’s, another merchant’s, malformed; 401 without a key', async () => {
      const [{ client, merchant }, other] = [await openShop({ dialect }), await openShop({ dialect })];
      const paymentId = await sell(client, 1_000);
      await client.charge(paymentId, 1_000);
      await dateBack(service.pool, merchant, { [DAY]: [paymentId] });
      await gather();
      const [{ id }] = (await list(client)).payouts;
      const live = await openShop({ live: true });
      for (const asking of [other.client, live.client]) {
        expectNoBody(await asking.get(`/report/v1/payouts/${id}`), 404);
        assert.deepEqual(await list(asking), { numberOfPayouts: 0, payouts: [] });
      }
      for (const unknown of ['nonsense', '0'.repeat(32), paymentId, `${id}?merchantNumber=123456789`])
        expectNoBody(await client.get(`/report/v1/payouts/${unknown}`), 404);
      expectNoBody(await service.client().get(`/report/v1/payouts/${id}`), 401);
      expectNoBody(await service.client().get(`/report/v1/payouts?${PERIOD}`), 401);
    });
  });

describe('gathering payouts', () => {
  // decision: time-of-a-payout
  test('a charge whose outcome is not known yet is paid out with the day on which it is', async () => {
    const { client, merchant } = await openShop();
    const [known, approved, declined] = [await sell(client, 100), await sell(client, 20), await sell(client, 3)];
    for (const paymentId of [known, approved, declined])
      await client.charge(paymentId, (await client.payment(paymentId)).orderDetails.amount);
    const become = (paymentId: string, state: string): Promise<unknown> =>
      service.pool.query(
        `update movements set state = $2, reason = case when $2 = 'declined' then 'no' end
         where payment_id = $1 and kind = 'charge'`,
        [paymentId, state],
      );
    for (const paymentId of [approved, declined]) await become(paymentId, 'pending');
    await dateBack(service.pool, merchant, { [DAY]: [known, approved, declined] });
    await gather();
    const sums = async (): Promise<unknown> =>
      (await list(client)).payouts.map(({ date, amount }: Reply['body']) => [date, amount]);
    assert.deepEqual(await sums(), [[DAY, 100]]);
    await become(approved, 'approved');
    await become(declined, 'declined');
    await service.pool.query('update payout_walks set day = $2 where part = $1', [merchant.parts[0], '2026-01-15']);
    await gather();
    assert.deepEqual(await sums(), [
      [DAY, 100],
      ['2026-01-15', 20],
    ]);
    await service.pool.query('update payout_walks set day = $2 where part = $1', [merchant.parts[0], '2026-01-16']);
    await gather();
    assert.equal((await list(client)).numberOfPayouts, 2, 'once');
  });

  // decision: time-of-a-payout
  test('of a merchant in several parts, by several processes at once: each movement is in one payout', async () => {
    const settings = { name: 'Large', dialect: 'spec', strictItems: false, reserveOnDemand: false } as const;
    const { merchant } = await openInOwnParts(service.pool, async () => ({
      merchant: await createMerchant(service.pool, false, { ...settings, acquirer: 'simulator' }, { parts: 3 }),
    }));
    const client = service.client((await createKey(service.pool, merchant)).secret);
    const count = 650;
    // One that is real, and copies of it, more than one step takes.
    const [first = '', ...others] = await Promise.all(Array.from({ length: 12 }, () => sell(client, 10)));
    for (const paymentId of [first, ...others]) await client.charge(paymentId, 10);
    await service.pool.query(
      `insert into movements
       select (jsonb_populate_record(movement, jsonb_build_object(
         'id', overlay(movement.id::text placing lpad(to_hex(n), 8, '0') from 29),
         'sequence', n + 2, 'invoice_number', lpad(n::text, 24, '0')))).*
       from movements as movement, generate_series(1, ${count}) as n
       where payment_id = $1 and kind = 'charge'`,
      [first],
    );
    await dateBack(service.pool, merchant, { [DAY]: [first, ...others] });
    await Promise.all([gather(), gather(), gather()]);
    await gather();
    const { payouts } = await list(client);
    assert.equal(payouts.length, 1);
    assert.equal(payouts[0].chargedAmount, 10 * (12 + count));
    assert.equal(payouts[0].numberOfCharges, 12 + count);
    const ids = new Set<string>();
    for (let page = 0; page < 7; page += 1) {
      const { paymentActions } = await client.must(
        200,
        'GET',
        `/report/v1/payouts/${payouts[0].id}?pageNumber=${page}`,
      );
      for (const { id } of paymentActions) ids.add(id);
    }
    assert.equal(ids.size, 12 + count, 'every page shows others, and all are there');
    const { differences } = await verifyBooks(service.pool);
    assert.deepEqual(
      differences.filter(({ difference }) => difference.includes('payout')),
      [],
    );
  });

  test('a part whose step fails holds up no other, is told of, and is paid out once it is mended', async () => {
    const bad = await openShop();
    const good = await openShop();
    const ids: string[] = [];
    for (const { client } of [bad, good]) {
      const paymentId = await sell(client, 1_000);
      await client.charge(paymentId, 1_000);
      ids.push(paymentId);
    }
    const [[item]] = (
      await service.pool.query<{ items: object[] }>('select items from payments where id = $1', [ids[0]])
    ).map(({ items }) => items) as [[object]];
    const setItem = (changed: object): Promise<unknown> =>
      service.pool.query('update payments set items = $2 where id = $1', [ids[0], JSON.stringify([changed])]);
    await setItem({ ...item, taxAmount: 'nothing' });
    await dateBack(service.pool, bad.merchant, { [DAY]: [ids[0] as string] });
    await dateBack(service.pool, good.merchant, { [DAY]: [ids[1] as string] });
    await service.pool.query(`update payout_walks set stepped_at = '-infinity' where part = any ($1::smallint[])`, [
      bad.merchant.parts,
    ]);
    await until('the other part is paid out', async () => {
      await assert.rejects(gatherPayouts(service.pool, NEVER), /invalid input syntax/);
      return (await list(good.client)).numberOfPayouts === 1;
    });
    assert.equal((await list(bad.client)).numberOfPayouts, 0);
    await setItem(item);
    await gather();
    assert.equal((await list(bad.client)).numberOfPayouts, 1);
  });

  test('the tax of a refund of a whole charge is that of the items which the charge named', async () => {
    const { client, merchant } = await openShop();
    const paymentId = await sell(client, 1_000);
    const orderItems = [anItem({ grossTotalAmount: 400, taxAmount: 60 })];
    const path = `/v1/payments/${paymentId}/charges`;
    const { chargeId } = await client.must(201, 'POST', path, { amount: 400, orderItems });
    await client.refund(chargeId, 400);
    await client.charge(paymentId, 600);
    await dateBack(service.pool, merchant, { [DAY]: [paymentId] });
    await gather();
    const [payout] = (await list(client)).payouts;
    const { paymentActions } = await client.must(200, 'GET', `/report/v1/payouts/${payout.id}`);
    assert.deepEqual(
      paymentActions.map(({ vatAmount }: Reply['body']) => vatAmount),
      // The last names none: what is left of the order's 200.
      [60, 60, 140],
    );
  });

  // decision: payout-reports
  test('the tax of each is that of its invoice or credit note: of a whole, and of parts with items and without', async () => {
    const { client, merchant } = await openShop();
    const shoes = anItem({ taxRate: 2500, grossTotalAmount: 667, taxAmount: 133, netTotalAmount: 534 });
    const books = anItem({ reference: 'b', taxRate: 600, grossTotalAmount: 333, taxAmount: 19, netTotalAmount: 314 });
    const order = { ...anOrder(1_000), items: [shoes, books] };
    const open = async (): Promise<string> => {
      const body = { order, checkout: { url: 'https://shop.example/' } };
      const { paymentId } = await client.must(201, 'POST', '/v1/payments', body);
      await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
      return paymentId;
    };
    const chargeItems = async (paymentId: string, item: { grossTotalAmount: number }): Promise<string> => {
      const body = { amount: item.grossTotalAmount, orderItems: [item] };
      return (await client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, body)).chargeId;
    };
    const histories: readonly ((paymentId: string) => Promise<unknown>)[] = [
      async (id) => client.refund(await client.charge(id, 1_000), 1_000),
      async (id) => {
        const chargeId = await client.charge(id, 1_000);
        for (const amount of [333, 333, 334]) await client.refund(chargeId, amount);
      },
      async (id) => {
        const [, second, third] = [
          await client.charge(id, 333),
          await client.charge(id, 333),
          await client.charge(id, 334),
        ];
        await client.refund(second, 333);
        await client.refund(third, 101);
        await client.refund(third, 233);
      },
      async (id) => {
        await client.refund(await chargeItems(id, shoes), 250);
        await client.refund(await client.charge(id, 333), 100);
      },
      async (id) => {
        await client.must(204, 'POST', `/v1/payments/${id}/cancels`, { amount: 499 });
        await client.charge(id, 501);
      },
    ];
    const ids: string[] = [];
    for (const history of histories) {
      const paymentId = await open();
      await history(paymentId);
      ids.push(paymentId);
    }
    await dateBack(service.pool, merchant, { [DAY]: ids });
    await gather();
    const [payout] = (await list(client)).payouts;
    const { paymentActions } = await client.must(200, 'GET', `/report/v1/payouts/${payout.id}`);
    const told = new Map<string, number>(paymentActions.map(({ id, vatAmount }: Reply['body']) => [id, vatAmount]));
    const loaded = await loadGroup(service.pool, 'any')(ids.map((target) => ({ merchantId: null, target })));
    let count = 0;
    for (const { payment } of loaded as readonly Loaded[]) {
      const { movements = [] } = payment ?? {};
      const charges = movements.filter(({ kind }) => kind === 'charge');
      const printed = movements.flatMap((movement) => {
        const charge = charges.find(({ id }) => id === movement.chargeId);
        if (charge) return [[movement.id, taxLinesOfRefund(payment as Payment, charge, movement)] as const];
        return movement.kind === 'charge'
          ? [[movement.id, taxLinesOfCharge(payment as Payment, movement)] as const]
          : [];
      });
      for (const [id, lines] of printed) {
        assert.equal(
          told.get(id),
          lines.reduce((sum, { tax }) => sum + tax, 0),
          id,
        );
        count += 1;
      }
      const sum = charges.reduce((all, { id }) => all + (told.get(id) ?? 0), 0);
      if (payment?.totals.charged === 1_000) assert.equal(sum, 152, 'the charges come to the tax of the order');
    }
    assert.deepEqual([count, told.size], [17, 17]);
  });

  test('a charge of a subscription names it', async () => {
    const { client, merchant } = await openShop();
    const id = await subscribe(client, 'unscheduled');
    const path = `/v1/unscheduledsubscriptions/${id}/charges`;
    const { paymentId } = await client.must(200, 'POST', path, { order: anOrder(900) });
    await dateBack(service.pool, merchant, { [DAY]: [paymentId] });
    await gather();
    const [payout] = (await list(client)).payouts;
    const { paymentActions } = await client.must(200, 'GET', `/report/v1/payouts/${payout.id}`);
    assert.deepEqual(
      paymentActions.map(({ subscriptionId }: Reply['body']) => subscriptionId),
      [id],
    );
  });
});
