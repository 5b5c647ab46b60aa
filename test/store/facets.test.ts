// Goal: a filtered list is what the payments are, whether the walk has met them or not, whoever walks and whatever changes
// meanwhile; what was missed is told by the check of the books. Method: rows made by hand, and lists asked for before,
// between and after the steps of the walk, by the very functions of the console and of the housekeeping.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findAttention } from '../../src/store/lists/attention.ts';
import { gatherFacets } from '../../src/store/lists/facets/gather.ts';
import { listForPeople } from '../../src/store/lists/listing/listing.ts';
import type { ListingQuery } from '../../src/store/lists/listing/listing.ts';
import { STATE_NAMES } from '../../src/domain/state.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { cloneDatabase } from '../support/database.ts';
import * as rows from '../support/rows.ts';

const NEVER = new AbortController().signal;
const HOUR_MS = 3_600_000;
const LIFETIMES = { paymentMs: 48 * HOUR_MS, reservationMs: 7 * 24 * HOUR_MS };
const CARD = JSON.stringify({ paymentType: 'CARD', paymentMethod: 'Visa' });
const INVOICE = JSON.stringify({ paymentType: 'INVOICE', paymentMethod: 'Invoice' });

describe('facets of payments', () => {
  let pool: Pool;
  before(async () => {
    pool = openPool(await cloneDatabase(), { size: 4 });
  });
  after(() => pool.close());

  let parts = 0;
  async function openShop(part = (parts += 1)): Promise<{ id: number; part: number }> {
    // What is made here is dated back: the walk meets it all the same.
    await pool.query(`update housekeeping set walked_to = '-infinity' where job = 'facets'`);
    const { id } = await rows.insertRow(pool, 'merchants', rows.aMerchantRow({ parts: `{${part}}` }));
    return { id: Number(id), part };
  }
  type Shop = Awaited<ReturnType<typeof openShop>>;

  /** A payment of so long ago, by the clock of the database, reserved unless it says otherwise. */
  async function sell({ id: merchantId, part }: Shop, changes: rows.Row = {}, ago = '1 hour'): Promise<string> {
    const [{ at }] = (await pool.query<{ at: string }>(`select (now() - $1::interval)::text as at`, [ago])) as [
      { at: string },
    ];
    const id = rows.newRowId(part, at);
    const row = { part, id, merchant_id: merchantId, method: CARD, reserved: 1_000, created_at: at, ...changes };
    await rows.insertRow(pool, 'payments', rows.aPaymentRow(row));
    if (row.method !== null)
      await rows.insertRow(
        pool,
        'movements',
        rows.aReservationRow(id, { part, id: rows.newRowId(part, at), created_at: at, amount: row.reserved || 1_000 }),
      );
    return id.replaceAll('-', '');
  }

  const list = async ({ id }: Shop, query: Partial<ListingQuery>): Promise<string[]> => {
    const ids: string[] = [];
    for (let cursor: string | undefined; ;) {
      const asked = { merchantId: id, limit: 3, sort: 'newest', ...query, ...(cursor && { after: cursor }) } as const;
      const page = await listForPeople(pool, asked, Date.now(), LIFETIMES);
      ids.push(...page.payments.map((payment) => payment.id));
      if (page.cursor === undefined) return ids;
      cursor = page.cursor;
    }
  };

  const change = (id: string, text: string): Promise<unknown> =>
    pool.query(`update payments set version = version + 1, ${text} where id = $1`, [id]);
  const walk = (): Promise<void> => gatherFacets(pool, NEVER);
  const kept = async ({ id }: Shop): Promise<string[]> =>
    (
      await pool.query<{ facets: string }>(
        `select concat_ws(' ', standing, method, currency) as facets from payment_facets
         where merchant_id = $1 order by payment_id`,
        [id],
      )
    ).map(({ facets }) => facets);
  const differences = async (): Promise<string[]> =>
    (await verifyBooks(pool)).differences
      .map(({ difference }) => difference)
      .filter((difference) => difference.includes('facets'));

  test('every filter finds the same before the walk, by several at once, and after it', async () => {
    const shop = await openShop();
    const [visa, invoice, euro, large] = [
      await sell(shop, { charged: 600 }),
      await sell(shop, { method: INVOICE, charged: 1_000, refunded: 400 }),
      await sell(shop, { currency: 'EUR', cancelled: 1_000 }),
      await sell(shop, { amount: 250_000, reserved: 250_000, charged: 250_000 }),
    ];
    const [unpaid, terminated] = [
      await sell(shop, { method: null, reserved: 0 }),
      await sell(shop, { method: null, reserved: 0, terminated_at: new Date().toISOString() }),
    ];
    const expected: readonly (readonly [Partial<ListingQuery>, readonly string[]])[] = [
      [{ state: 'partly charged' }, [visa]],
      [{ state: 'partly refunded' }, [invoice]],
      [{ state: 'cancelled' }, [euro]],
      [{ state: 'charged' }, [large]],
      [{ state: 'created' }, [unpaid]],
      [{ state: 'terminated' }, [terminated]],
      [{ state: 'terminated', sort: 'largest' }, [terminated]],
      [{ state: 'terminated', currency: 'SEK' }, [terminated]],
      [{ state: 'terminated', currency: 'EUR' }, []],
      [{ state: 'refunded' }, []],
      [{ method: 'INVOICE' }, [invoice]],
      [{ method: 'Visa' }, [large, euro, visa]],
      [{ currency: 'EUR' }, [euro]],
      [{ currency: 'SEK', method: 'CARD', sort: 'largest' }, [large, visa]],
      [{ currency: 'SEK', sort: 'smallest', least: '11' }, [large]],
      [{ least: '100' }, [large]],
      [{ most: '10', state: 'created' }, [unpaid]],
      [{ least: '10', most: '10' }, [terminated, unpaid, euro, invoice, visa]],
    ];
    const look = async (when: string): Promise<void> => {
      for (const [query, ids] of expected)
        assert.deepEqual((await list(shop, query)).toSorted(), ids.toSorted(), `${when}: ${JSON.stringify(query)}`);
    };
    await look('before');
    await Promise.all([walk(), walk(), walk()]);
    await walk();
    await look('after');
    assert.deepEqual((await kept(shop)).length, 6);
    assert.deepEqual(await differences(), []);
  });

  test('each payment has one state, and the lists of all states are all payments', async () => {
    const shop = await openShop();
    for (let n = 0; n < 20; n += 1)
      await sell(shop, {
        charged: 100 * (n % 11),
        cancelled: n % 11 === 0 ? 1_000 : 0,
        refunded: 50 * (n % 3) * Math.sign(n % 11),
      });
    await walk();
    const all: string[] = [];
    for (const state of STATE_NAMES) all.push(...(await list(shop, { state })));
    assert.deepEqual(all.toSorted(), (await list(shop, {})).toSorted());
  });

  test('what moves after it was met is found as it is, at once', async () => {
    const shop = await openShop();
    const id = await sell(shop);
    await walk();
    assert.deepEqual(await list(shop, { state: 'reserved' }), [id]);
    await change(id, 'charged = 600');
    const charge = { part: shop.part, id: rows.newRowId(shop.part), created_at: new Date().toISOString() };
    await rows.insertRow(pool, 'movements', rows.aChargeRow(id, charge));
    const look = async (): Promise<void> => {
      assert.deepEqual(await list(shop, { state: 'reserved' }), []);
      assert.deepEqual(await list(shop, { state: 'partly charged' }), [id]);
    };
    await look();
    await walk();
    assert.deepEqual(await kept(shop), ['reserved CARD/Visa SEK'], 'what may be joined by an older one waits');
    await look();
    await pool.query(`update movements set created_at = now() - interval '20 minutes' where payment_id = $1`, [id]);
    await pool.query(`update facet_walks set walked_at = now() - interval '30 minutes' where part = $1`, [shop.part]);
    await walk();
    assert.deepEqual(await kept(shop), ['partly charged CARD/Visa SEK']);
    await look();
    assert.deepEqual(await differences(), []);
  });

  test('what was pending when it was met is looked at until it is not', async () => {
    const shop = await openShop();
    const id = await sell(shop, { charging: 600 });
    await walk();
    assert.deepEqual(await kept(shop), ['pending CARD/Visa SEK']);
    assert.deepEqual(await list(shop, { state: 'pending' }), [id]);
    await change(id, 'charging = 0, charged = 600');
    assert.deepEqual(await list(shop, { state: 'pending' }), []);
    assert.deepEqual(await list(shop, { state: 'partly charged' }), [id]);
    await walk();
    assert.deepEqual(await kept(shop), ['partly charged CARD/Visa SEK']);
    assert.deepEqual(await differences(), []);
  });

  test('what changes without a movement is found as it is', async () => {
    const shop = await openShop();
    const id = await sell(shop, { method: null, reserved: 0 });
    await walk();
    await change(id, 'amount = 3000');
    assert.deepEqual(await list(shop, { least: '30', currency: 'SEK' }), [id]);
    assert.deepEqual(await list(shop, { state: 'created', most: '20' }), []);
    await change(id, 'terminated_at = now()');
    assert.deepEqual(await list(shop, { state: 'created' }), []);
    assert.deepEqual(await list(shop, { state: 'terminated', currency: 'SEK' }), [id]);
    assert.deepEqual(await list(shop, { currency: 'SEK' }), [id]);
    assert.deepEqual(await differences(), []);
  });

  test('few are listed in the order of their amounts, page by page', async () => {
    const shop = await openShop();
    const sold: { id: string; amount: number }[] = [];
    for (const amount of [3_000, 1_000, 2_000, 5_000, 1_000, 4_000, 2_000, 6_000])
      sold.push({ id: await sell(shop, { amount, reserved: amount }), amount });
    await sell(shop, { amount: 9_000, reserved: 9_000, currency: 'EUR' });
    const rising = sold
      .toSorted((one, other) => one.amount - other.amount || (one.id < other.id ? -1 : 1))
      .map(({ id }) => id);
    for (const when of ['before', 'after']) {
      assert.deepEqual(await list(shop, { currency: 'SEK', sort: 'smallest' }), rising, when);
      assert.deepEqual(await list(shop, { currency: 'SEK', sort: 'largest' }), rising.toReversed(), when);
      await walk();
    }
  });

  test('of two who met it, the one that read it later stays', async () => {
    const shop = await openShop();
    const id = await sell(shop, { charged: 600 });
    await walk();
    await pool.query(`update payment_facets set version = 5, standing = 'refunded' where payment_id = $1`, [id]);
    await pool.query(`update facet_walks set walked_at = '-infinity' where part = $1`, [shop.part]);
    await walk();
    assert.deepEqual(await kept(shop), ['refunded CARD/Visa SEK']);
    const [difference] = await differences();
    assert.match(difference ?? '', /its facets say refunded, CARD\/Visa, SEK .* but it is partly charged/);
    await pool.query('delete from payment_facets where payment_id = $1', [id]);
    assert.match((await differences())[0] ?? '', /it has no facets, so no filter of the console finds it/);
  });

  test('what nobody thought of is mended by the walk over all of them, once more', async () => {
    await pool.query(`update housekeeping set walk_began_at = now() - interval '8 days' where job = 'facets again'`);
    await walk();
    assert.deepEqual(await differences(), []);
    const [{ ended }] = (await pool.query<{ ended: boolean }>(
      `select walked_to = 'infinity' as ended from housekeeping where job = 'facets again'`,
    )) as [{ ended: boolean }];
    assert.ok(ended, 'until it is due again');
  });

  /** How many reservations end soon, so many days from now. */
  const countIn = async ({ id, part }: Shop, days: number): Promise<number> => {
    const at = Date.now() + days * 24 * HOUR_MS;
    return (await findAttention(pool, { id, parts: [part] }, at, LIFETIMES.reservationMs)).expiring;
  };

  test('reservations that end soon are counted as they are, before the walk, after it and after a charge', async () => {
    const shop = await openShop();
    const look = async (expected: number, when: string): Promise<void> =>
      assert.deepEqual(await Promise.all([4, 6, 8].map((days) => countIn(shop, days))), [0, expected, 0], when);
    const reserved = await sell(shop);
    const partly = await sell(shop, { charged: 600, refunded: 600 });
    await sell(shop, { charged: 400, cancelled: 600 });
    await sell(shop, { charging: 1_000 });
    await sell(shop, { method: null, reserved: 0 });
    await look(2, 'before');
    await walk();
    await look(2, 'after');
    await change(reserved, 'charged = 1000');
    await look(1, 'at once');
    await pool.query('update payment_facets set reservation_id = null where payment_id = $1', [partly]);
    assert.match((await differences()).join(), /its facets are wrong about what is left of its reservation/);
    await pool.query(`update housekeeping set walked_to = '-infinity' where job = 'facets'`);
    await walk();
    await look(1, 'once more');
  });

  test('what a merchant has charged, and what others of its part do, hides none that ends soon', async () => {
    const shop = await openShop();
    const neighbour = await openShop(shop.part);
    // More than are looked at, and older: every other one is of the shop and charged, the rest the neighbour's and open.
    await pool.query(
      `with made as (
         select n % 2 = 0 as is_own, lpad(to_hex($4::bigint + n), 12, '0') || '7' || lpad(to_hex($1::int), 3, '0')
           || '8' || lpad(to_hex(n), 15, '0') as id
         from generate_series(1, 10100) as n
       ),
       payment as (
         insert into payments (part, id, merchant_id, version, created_at, amount, currency, items, checkout, consumer,
           method, reserved, charged)
         select $1::int, id::uuid, case when is_own then $2::bigint else $3::bigint end, 1, now() - interval '2 hours',
           1, 'SEK', '[]', '{}', '{}', $5::json, 1, is_own::int
         from made returning id
       )
       insert into movements (part, id, payment_id, sequence, kind, state, amount, created_at, updated_at, acquirer, source)
       select $1::int, id, id, 1, 'reservation', 'approved', 1, now() - interval '2 hours', now(), 'simulator', 's'
       from payment`,
      [shop.part, shop.id, neighbour.id, Date.now() - 2 * HOUR_MS, CARD],
    );
    const [charged] = [await sell(shop), await sell(shop), await sell(shop)];
    await walk();
    assert.deepEqual([await countIn(shop, 6), await countIn(neighbour, 6)], [3, 1_000]);
    // What happens in the part faster than the walk goes does not change it, and a charge is seen at once.
    await pool.query(
      `insert into movements (part, id, payment_id, sequence, kind, state, amount, updated_at, acquirer, source, reason)
       select $1::int, overlay(id::text placing '9' from 20)::uuid, id, 2, 'reservation', 'declined', 1, now(),
         'simulator', 's', 'declined'
       from payments where part = $1 and amount = 1`,
      [shop.part],
    );
    await change(charged, 'charged = 1000');
    assert.equal(await countIn(shop, 6), 2);
  });

  test('what is forgotten has no facets', async () => {
    const shop = await openShop();
    const id = await sell(shop, { method: null, reserved: 0 });
    await walk();
    await pool.query('delete from payments where id = $1', [id]);
    assert.deepEqual(await kept(shop), []);
  });
});
