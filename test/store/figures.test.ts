// Goal: the figures of a day are those of its movements, whoever adds them up, however often, and whenever an outcome
// becomes known; what is too new to be added up is in them all the same. Method: rows made by hand, summed up by the very
// function of the housekeeping.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gatherFigures } from '../../src/store/books/figures/gather.ts';
import { readFigures } from '../../src/store/books/figures/read.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { cloneDatabase } from '../support/database.ts';
import * as rows from '../support/rows.ts';

const NEVER = new AbortController().signal;
const PERIOD = { from: '2026-01-01', to: '2026-12-31' };
const VISA = JSON.stringify({ paymentType: 'CARD', paymentMethod: 'Visa' });

describe('daily figures', () => {
  let pool: Pool;
  before(async () => {
    pool = openPool(await cloneDatabase(), { size: 4 });
  });
  after(() => pool.close());

  let parts = 0;
  /** Of a merchant in a part of its own. */
  async function openShop(): Promise<{ id: number; part: number }> {
    parts += 1;
    const { id } = await rows.insertRow(pool, 'merchants', rows.aMerchantRow({ parts: `{${parts}}` }));
    return { id: Number(id), part: parts };
  }

  /** A payment of 1,000 with a reservation and a charge of that moment. */
  async function sell(shop: { id: number; part: number }, at: string, charge: rows.Row = {}): Promise<string> {
    const id = rows.newRowId(shop.part);
    const common = { part: shop.part, created_at: at };
    await rows.insertRow(
      pool,
      'payments',
      rows.aPaymentRow({ ...common, id, merchant_id: shop.id, method: VISA, reserved: 1_000 }),
    );
    await rows.insertRow(pool, 'movements', rows.aReservationRow(id, { ...common, id: rows.newRowId(shop.part) }));
    const chargeId = rows.newRowId(shop.part);
    await rows.insertRow(pool, 'movements', rows.aChargeRow(id, { ...common, id: chargeId, ...charge }));
    return chargeId;
  }

  const figuresOf = async ({ id, part }: { id: number; part: number }): Promise<unknown> => {
    const { figures, isBehind } = await readFigures(pool, { merchant: { id, parts: [part] }, ...PERIOD });
    assert.equal(isBehind, false);
    return figures.map(({ day, kind, state, method, reason, count, amount }) =>
      [day, kind, state, method || reason, count, amount].join(' '),
    );
  };
  const differences = async (): Promise<unknown> =>
    (await verifyBooks(pool)).differences.filter(({ difference }) => difference.startsWith('figures'));

  test('the same before they are added up, while they are, and after, by several at once', async () => {
    const shop = await openShop();
    for (let n = 0; n < 30; n += 1) await sell(shop, `2026-03-0${1 + (n % 2)}T12:00:${String(n).padStart(2, '0')}Z`);
    const expected = [
      '2026-03-01 charge approved Visa 15 9000',
      '2026-03-01 reservation approved Visa 15 15000',
      '2026-03-02 charge approved Visa 15 9000',
      '2026-03-02 reservation approved Visa 15 15000',
    ];
    assert.deepEqual(await figuresOf(shop), expected);
    await Promise.all([gatherFigures(pool, NEVER), gatherFigures(pool, NEVER), gatherFigures(pool, NEVER)]);
    await gatherFigures(pool, NEVER);
    assert.deepEqual(await figuresOf(shop), expected);
    assert.equal((await pool.query('select 1 from daily_figures where merchant_id = $1', [shop.id])).length, 4);
    await sell(shop, '2026-03-02T13:00:00Z');
    const more = ['2026-03-02 charge approved Visa 16 9600', '2026-03-02 reservation approved Visa 16 16000'];
    assert.deepEqual(await figuresOf(shop), [...expected.slice(0, 2), ...more]);
    assert.deepEqual(await differences(), []);
  });

  test('what was pending is counted once, when its outcome is known, on the day on which it was asked for', async () => {
    const shop = await openShop();
    const [approved, declined] = [
      await sell(shop, '2026-04-01T12:00:00Z', { state: 'pending' }),
      await sell(shop, '2026-04-01T12:00:01Z', { state: 'pending' }),
    ];
    await gatherFigures(pool, NEVER);
    const reserved = '2026-04-01 reservation approved Visa 2 2000';
    assert.deepEqual(await figuresOf(shop), [reserved]);
    await pool.query(`update movements set state = 'approved' where id = $1`, [approved]);
    await pool.query(`update movements set state = 'declined', reason = 'no funds' where id = $1`, [declined]);
    const expected = ['2026-04-01 charge approved Visa 1 600', '2026-04-01 charge declined no funds 1 600', reserved];
    assert.deepEqual(await figuresOf(shop), expected, 'known, and not added up yet');
    await gatherFigures(pool, NEVER);
    await gatherFigures(pool, NEVER);
    assert.deepEqual(await figuresOf(shop), expected);
    assert.deepEqual(await pool.query('select 1 from figure_waits where part = $1', [shop.part]), []);
    assert.deepEqual(await differences(), []);
  });

  test('a card that was saved for 0 is counted like any other reservation, and holds up nothing', async () => {
    const shop = await openShop();
    const id = rows.newRowId(shop.part);
    const common = { part: shop.part, created_at: '2026-06-01T12:00:00Z' };
    const saved = { ...common, id, merchant_id: shop.id, method: VISA, amount: 0, items: '[]' };
    await rows.insertRow(pool, 'payments', rows.aPaymentRow(saved));
    const reservation = { ...common, id: rows.newRowId(shop.part), amount: 0 };
    await rows.insertRow(pool, 'movements', rows.aReservationRow(id, reservation));
    await gatherFigures(pool, NEVER);
    assert.deepEqual(await figuresOf(shop), ['2026-06-01 reservation approved Visa 1 0']);
    const added = await pool.query('select 1 from daily_figures where merchant_id = $1', [shop.id]);
    assert.equal(added.length, 1);
    assert.deepEqual(await differences(), []);
  });

  test('what may still be joined by an older one waits; other merchants of the part are told apart', async () => {
    const shop = await openShop();
    const [{ now }] = (await pool.query<{ now: string }>('select now()::text as now')) as [{ now: string }];
    await sell(shop, now);
    const neighbour = {
      ...shop,
      id: Number((await rows.insertRow(pool, 'merchants', rows.aMerchantRow({ parts: `{${shop.part}}` })))['id']),
    };
    await sell(neighbour, '2026-05-01T12:00:00Z');
    await gatherFigures(pool, NEVER);
    const added = await pool.query('select merchant_id from daily_figures where part = $1', [shop.part]);
    assert.deepEqual([...new Set(added.map(({ merchant_id: id }) => Number(id)))], [neighbour.id]);
    assert.equal(((await figuresOf(neighbour)) as unknown[]).length, 2);
    const { figures } = await readFigures(pool, {
      merchant: { id: shop.id, parts: [shop.part] },
      from: now.slice(0, 10),
      to: now.slice(0, 10),
    });
    assert.equal(figures.length, 2);
  });
});
