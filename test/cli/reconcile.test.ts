// Goal: `kassa reconcile` finds every difference between our books and an acquirer's, and makes none up; `kassa verify`
// tells what is pending for long. Method: a real bank, a real service, the real command; lines are falsified in the
// bank's file or in our rows, since neither program does that by itself. Each test has a day of its own.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { makeId, partOf } from '../../src/domain/id.ts';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { readReconcileFigures } from '../../src/store/connections/database-figures.ts';
import { listOutcomes } from '../../src/store/books/reconcile-outcomes.ts';
import { startBank } from '../support/bank.ts';
import { runCommand } from '../support/commands.ts';
import type { Ran } from '../support/kassa.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

const DECLINED_CARD = '4925000000000087';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Bank = Awaited<ReturnType<typeof startBank>>;
type Pair = { readonly at: number; readonly here?: object | false; readonly there?: object | false };
// oxlint-disable-next-line typescript/no-explicit-any -- looked into field by field
type Told = any;

const NO_DIFFERENCE = { onlyHere: 0, onlyThere: 0, twiceThere: 0, different: 0 };
const NOTHING = { matched: 0, inFlight: 0, pending: 0, neverArrived: 0, ...NO_DIFFERENCE };

describe('reconcile', () => {
  let service: Service;
  let bank: Bank;
  let shop: Shop;
  let book: DatabaseSync;
  before(async () => {
    [service, bank] = await Promise.all([startService(), startBank()]);
    await putAcquirer(service.pool, { name: 'bank', url: bank.url, key: bank.key });
    shop = await service.openShop({ acquirer: 'bank' });
    book = new DatabaseSync(join(bank.dataDir, 'book.sqlite'), { timeout: 60_000 });
  });
  after(async () => {
    book.close();
    await service.stop();
    await bank.stop();
  });

  const kassa = (...args: string[]): Promise<Ran> => runCommand(args, { env: { DATABASE_URL: service.databaseUrl } });
  const reconcile = (...args: string[]): Promise<Ran> => kassa('reconcile', '--acquirer', 'bank', ...args);
  const iso = (ms: number): string => new Date(ms).toISOString();

  let days = 0;
  /** Midnight of a day that no other test has, far from those of the others. */
  const newDay = (): number => Date.UTC(2026, 0, 1) + DAY * 3 * (days += 1);

  /** What the command says of a day, as JSON. */
  const judgeDay = async (day: number): Promise<Told> => {
    const { code, out, err } = await reconcile('--from', iso(day), '--to', iso(day + DAY), '--json');
    assert.equal(err, '');
    const { acquirer, from, to, ...told } = JSON.parse(out);
    assert.deepEqual([acquirer, from, to], ['bank', iso(day), iso(day + DAY)]);
    assert.equal(code, told.differences.length === 0 ? 0 : 1);
    return told;
  };

  /** For the figures. */
  const countKept = async (): Promise<[string, number][]> =>
    (await readReconcileFigures(service.pool)).map(({ acquirer, differences }) => [acquirer, differences]);

  let made = 0;
  /** Reservations of 1,000, in our rows and in the bank's book, but for the changes; gives their ids. */
  const write = async (pairs: readonly Pair[]): Promise<string[]> => {
    const ids = pairs.map(({ at }) => {
      made += 1;
      return makeId(at, made % 4096, `8${made.toString(16).padStart(15, '0')}`);
    });
    const id = (index: number): string => ids[index] as string;
    const line = { kind: 'reservation', state: 'approved', amount: 1_000, reason: null };
    const rows = pairs.flatMap(({ at, here = {} }, index) =>
      here === false
        ? []
        : [{ part: partOf(id(index)), id: id(index), at: iso(at), acquirer: 'bank', ...line, ...here }],
    );
    await service.pool.query(
      `with line as (
         select * from json_to_recordset($1) as line (
           part smallint, id uuid, at timestamptz, acquirer text, kind text, state text, amount bigint, reason text
         )
       ),
       payment as (
         insert into payments (
           part, id, merchant_id, version, created_at, amount, currency, items, checkout, consumer, reserved
         )
         select part, id, $2, 1, at, amount, 'SEK', json_build_array(json_build_object('grossTotalAmount', amount)),
           '{}', '{}', case when state = 'pending' then 0 else amount end
         from line
       )
       insert into movements (
         part, id, payment_id, sequence, kind, state, amount, created_at, updated_at, acquirer, source, invoice_number,
         reason
       )
       select part, id, id, 1, kind, state, amount, at, at, acquirer, case kind when 'reservation' then 'sim_approved' end,
         case kind when 'charge' then translate(right(id::text, 12), 'abcdef', '000000') || '000000000000' end, reason
       from line`,
      [JSON.stringify(rows), shop.merchant.id],
    );
    const insert = book.prepare(
      `insert into operations (id, kind, amount, currency, source, reservation_id, state, reason, at)
       values (:id, :kind, :amount, :currency, 'sim_approved', :id, :state, :reason, :at)`,
    );
    book.exec('begin immediate');
    for (const [index, { at, there = {} }] of pairs.entries())
      if (there !== false) insert.run({ id: id(index), at: at + 5, currency: 'SEK', ...line, ...there });
    book.exec('commit');
    return ids;
  };

  test('what the service and the bank did is matched, approved and declined, and the table says so', async () => {
    const paymentId = await shop.client.createReserved(1_000);
    const chargeId = await shop.client.charge(paymentId, 600);
    await shop.client.refund(chargeId, 100);
    await shop.client.cancel(paymentId, 400);
    const declined = await shop.client.create(1_000);
    await shop.client.must(402, 'POST', `/v1/sandbox/payments/${declined}/reserve`, { card: DECLINED_CARD });
    const { code, out, err } = await reconcile('--from', iso(Date.now() - HOUR));
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    const rows = [...out.matchAll(/^([a-z ]+?) +(\d+)$/gm)].map(([, name, count]) => [name, Number(count)]);
    const none = ['in flight', 'pending', 'never arrived', 'only here', 'only there', 'twice there', 'different'];
    assert.deepEqual(rows, [['matched', 5], ...none.map((name) => [name, 0])]);
    assert.match(out, /\n\nThe books agree\.\n$/);
    assert.deepEqual(await countKept(), [['bank', 0]]);
  });

  test('beside a service at work nothing is made up', async () => {
    const working = new AbortController();
    const work = async (): Promise<void> => {
      while (!working.signal.aborted) {
        const paymentId = await shop.client.createReserved(1_000);
        await shop.client.refund(await shop.client.charge(paymentId, 600), 100);
      }
    };
    const workers = Array.from({ length: 6 }, work);
    for (let times = 0; times < 3; times += 1) {
      const { code, out } = await reconcile();
      assert.equal(code, 0, out);
    }
    working.abort();
    await Promise.all(workers);
  });

  describe('each difference is told, and ends with 1', () => {
    const LINE = { kind: 'reservation', state: 'approved', amount: 1_000, currency: 'SEK' };
    type Case = readonly [what: string, pair: Omit<Pair, 'at'>, count: string, told: object];
    const different = (fields: string[], there: object, here: object = {}): object => ({
      difference: 'different',
      fields,
      here: { ...LINE, ...here },
      there: { ...LINE, ...there },
    });
    const cases: readonly Case[] = [
      ['only here', { there: false }, 'onlyHere', { difference: 'only_here', here: LINE }],
      ['only there', { here: false }, 'onlyThere', { difference: 'only_there', there: LINE }],
      [
        'here, but at another acquirer',
        { here: { acquirer: 'simulator' } },
        'onlyThere',
        { difference: 'only_there', there: LINE },
      ],
      ['another amount', { there: { amount: 1_001 } }, 'different', different(['amount'], { amount: 1_001 })],
      ['another currency', { there: { currency: 'NOK' } }, 'different', different(['currency'], { currency: 'NOK' })],
      ['another kind', { there: { kind: 'charge' } }, 'different', different(['kind'], { kind: 'charge' })],
      [
        'declined there',
        { there: { state: 'declined', reason: 'no' } },
        'different',
        different(['state'], { state: 'declined' }),
      ],
      [
        'declined here',
        { here: { state: 'declined', reason: 'no' } },
        'different',
        different(['state'], {}, { state: 'declined' }),
      ],
      [
        'pending here, for long, and final there',
        { here: { state: 'pending' } },
        'different',
        different(['state'], {}, { state: 'pending' }),
      ],
      [
        'a charge that was declined here, and is unknown there',
        { here: { kind: 'charge', state: 'declined', reason: 'no' }, there: false },
        'onlyHere',
        { difference: 'only_here', here: { ...LINE, kind: 'charge', state: 'declined' } },
      ],
      [
        'a reservation that the bank had declined, by our books, and is unknown there',
        { here: { state: 'declined', reason: 'expired card' }, there: false },
        'onlyHere',
        { difference: 'only_here', here: { ...LINE, state: 'declined' } },
      ],
    ];
    // All on one day, so that one run of the command judges them.
    let ids: string[];
    let judged: Told;
    before(async () => {
      const day = newDay();
      ids = await write([...cases.map(([, pair], index) => ({ at: day + index * HOUR, ...pair })), { at: day + 1 }]);
      judged = await judgeDay(day);
    });

    test('and nothing else', async () => {
      const { differences, ...counts } = judged;
      const expected: Record<string, number> = { ...NOTHING, matched: 1 };
      for (const [, , count] of cases) expected[count] = (expected[count] ?? 0) + 1;
      assert.deepEqual(counts, expected);
      assert.equal(differences.length, cases.length);
      // Those count as well that no payment of ours is of.
      assert.deepEqual(await countKept(), [['bank', cases.length]]);
    });

    for (const [index, [what, , , told]] of cases.entries())
      test(what, () => {
        const found = judged.differences.find(({ movementId }: Told) => movementId === ids[index]);
        const { movementId, paymentId, ...difference } = structuredClone(found ?? assert.fail('it is not told'));
        for (const side of [difference.here, difference.there]) if (side) delete side.at;
        assert.deepEqual(difference, told);
        // Our payments are made with the id of their reservation here.
        assert.equal(paymentId, 'here' in told ? movementId : undefined);
      });

    test('a line there under a name that cannot be ours', async () => {
      const day = newDay();
      await write([{ at: day }]);
      book.exec(
        `insert into operations (id, kind, amount, currency, source, reservation_id, state, at)
         values ('theirs_1', 'reservation', 1, 'SEK', 's', 'theirs_1', 'approved', ${day})`,
      );
      const { onlyThere, differences } = await judgeDay(day);
      assert.equal(onlyThere, 1);
      const line = { kind: 'reservation', state: 'approved', amount: 1, currency: 'SEK', at: iso(day) };
      assert.deepEqual(differences, [{ movementId: 'theirs_1', difference: 'only_there', there: line }]);
    });

    test('as a table: the movement, its payment, and what each side says', async () => {
      const day = newDay();
      const [id] = await write([{ at: day, there: { amount: 1_234, state: 'declined', reason: 'no' } }]);
      const { code, out } = await reconcile('--from', iso(day), '--to', iso(day + DAY));
      assert.equal(code, 1);
      assert.match(out, /^different +1$/m);
      assert.match(out, /^MOVEMENT +PAYMENT +DIFFERENCE +HERE +THERE$/m);
      const here = 'reservation, 10.00 SEK, approved';
      const there = 'reservation, 12.34 SEK, declined';
      assert.match(out, new RegExp(`^${id} +${id} +another amount, state +${here} +${there}$`, 'm'));
      assert.match(out, /\n\nThe books do not agree: 1 difference\.\n$/);
    });

    test('of many, a hundred are shown; --json lists all', async () => {
      const day = newDay();
      await write(Array.from({ length: 120 }, (_, index) => ({ at: day + index, there: { amount: 1 } })));
      const { out } = await reconcile('--from', iso(day), '--to', iso(day + DAY));
      assert.equal(out.match(/ another amount /g)?.length, 100);
      assert.match(out, /\n… and 20 more; --json lists all\.\n\nThe books do not agree: 120 differences\.\n$/);
      assert.equal((await judgeDay(day)).differences.length, 120);
    });
  });

  describe('no difference', () => {
    test('pending here and unknown there, however old', async () => {
      const day = newDay();
      await write([{ at: day, here: { state: 'pending' }, there: false }]);
      assert.deepEqual(await judgeDay(day), { ...NOTHING, pending: 1, differences: [] });
    });

    test('pending here for less than a minute, and final there', async () => {
      await write([{ at: Date.now() - 5_000, here: { state: 'pending' } }]);
      const { code, out } = await reconcile('--from', iso(Date.now() - MINUTE), '--json');
      assert.equal(code, 0, out);
      assert.equal(JSON.parse(out).inFlight, 1);
    });

    test('a reservation that was given up, as the bank had never heard of it', async () => {
      const day = newDay();
      await write([{ at: day, here: { state: 'declined', reason: 'the acquirer never heard of it' }, there: false }]);
      assert.deepEqual(await judgeDay(day), { ...NOTHING, neverArrived: 1, differences: [] });
    });
  });

  test('where there is nothing to compare, it says so, and --json names the period', async () => {
    const day = newDay();
    const { code, out } = await reconcile('--from', iso(day), '--to', iso(day + DAY));
    assert.equal(code, 0);
    assert.match(out, /^matched +0$/m);
    assert.match(out, /\n\nNothing to compare in this period\.\n$/);
    assert.deepEqual(await judgeDay(day), { ...NOTHING, differences: [] });
    const { from, to } = JSON.parse((await reconcile('--from', iso(day), '--json')).out);
    assert.deepEqual([from, to], [iso(day), null]);
  });

  describe('a period', () => {
    test('is that of our movements: from the first moment on, and before the last', async () => {
      const day = newDay();
      await write([day - 1, day, day + DAY - 1, day + DAY].map((at) => ({ at })));
      const told = { ...NOTHING, differences: [] };
      assert.deepEqual(
        await Promise.all([day - DAY, day, day + DAY].map(judgeDay)),
        [1, 2, 1].map((matched) => ({ ...told, matched })),
      );
      const { out } = await reconcile('--from', iso(day).slice(0, 10), '--to', iso(day + DAY).slice(0, 16), '--json');
      assert.equal(JSON.parse(out).matched, 2);
      const spaced = ['--from', iso(day).slice(0, 16).replace('T', ' '), '--to', iso(day + DAY).slice(0, 10), '--json'];
      assert.equal(JSON.parse((await reconcile(...spaced)).out).matched, 2);
    });

    test('a bank whose clock is some minutes off is matched at the edges, and nothing is counted twice', async () => {
      const day = newDay();
      await write([
        { at: day + MINUTE, there: { at: day - 8 * MINUTE } },
        { at: day + DAY - MINUTE, there: { at: day + DAY + 8 * MINUTE } },
      ]);
      const told = { ...NOTHING, differences: [] };
      assert.deepEqual(
        await Promise.all([day - DAY, day, day + DAY].map(judgeDay)),
        [0, 2, 0].map((matched) => ({ ...told, matched })),
      );
    });

    test('what the bank did hours after it was made is found: what differs on either day, the amount on the later', async () => {
      const day = newDay();
      const late = { at: day + DAY + 9 * HOUR };
      const pairs = [
        { at: day + 20 * HOUR, there: late },
        { at: day + 20 * HOUR, there: { ...late, state: 'declined', reason: 'no' } },
      ];
      const [, movementId] = await write(pairs);
      for (const [index, told] of (await Promise.all([day, day + DAY].map(judgeDay))).entries()) {
        const { differences, ...counts } = told;
        assert.deepEqual(
          counts,
          { ...NOTHING, matched: index === 0 ? 1 : 0, different: 1 },
          'counted when it was made',
        );
        assert.deepEqual([differences[0].movementId, differences[0].fields], [movementId, ['state']]);
      }
    });

    test('another amount, done at the end of the next day, is told by that day', async () => {
      const day = newDay();
      await write([{ at: day + HOUR, there: { at: day + 2 * DAY - 5 * MINUTE, amount: 999_999 } }]);
      const told = await Promise.all([day, day + DAY, day + 2 * DAY].map(judgeDay));
      assert.deepEqual(
        told.map(({ different, differences }) => [different, differences[0]?.fields]),
        [
          [0, undefined],
          [1, ['amount']],
          [0, undefined],
        ],
      );
    });

    test('what is only there, just outside, is left to the period beside', async () => {
      const day = newDay();
      await write([
        { at: day - MINUTE, here: false },
        { at: day + DAY, here: false },
      ]);
      const [earlier, during] = await Promise.all([day - DAY, day].map(judgeDay));
      assert.deepEqual(during, { ...NOTHING, differences: [] });
      assert.equal(earlier.onlyThere, 1);
    });
  });

  test('thousands of lines are compared from page to page, and one that is wrong is found', async () => {
    const day = newDay();
    const pairs: Pair[] = Array.from({ length: 12_000 }, (_, index) => ({ at: day + index * 5_000 }));
    pairs[7_777] = { ...(pairs[7_777] as Pair), there: { amount: 999 } };
    const ids = await write(pairs);
    const { differences, ...counts } = await judgeDay(day);
    assert.deepEqual(counts, { ...NOTHING, matched: 11_999, different: 1 });
    assert.equal(differences[0].movementId, ids[7_777]);
  });

  describe('what cannot be is one sentence, and ends with 2', () => {
    const refuse = async (args: readonly string[], sentence: string | RegExp): Promise<void> => {
      const { code, out, err } = await kassa('reconcile', ...args);
      assert.deepEqual([code, out], [2, '']);
      if (typeof sentence === 'string') assert.equal(err, `kassa: ${sentence}\n`);
      else assert.match(err, sentence);
    };

    test('in its options', async () => {
      const at = ['--acquirer', 'bank'];
      const moment = 'it must be a date such as 2026-11-15 or a timestamp such as 2026-11-15T08:00:00Z.';
      await Promise.all([
        refuse([], '--acquirer is missing, for example: kassa reconcile --acquirer bank'),
        refuse([...at, '--from', 'yesterday'], `--from is yesterday; ${moment}`),
        refuse([...at, '--to', '2026-02-30'], `--to is 2026-02-30; ${moment}`),
        refuse(
          [...at, '--from', '2026-02-03', '--to', '2026-02-03'],
          '--from must be earlier than --to; a whole day is --from 2026-02-03 --to 2026-02-04.',
        ),
        refuse(['bank'], /^kassa: Unexpected argument bank; did you mean --acquirer bank\?\nUsage: /),
        refuse(['--acquirer', 'bnak'], 'There is no acquirer bnak. kassa acquirer list shows all.'),
      ]);
    });

    test('the simulator', () =>
      refuse(
        ['--acquirer', 'simulator'],
        'The simulator keeps no book: it runs inside Kassa, and kassa verify checks its movements.',
      ));

    test('a bank that is not there, or does not know us', async () => {
      await putAcquirer(service.pool, { name: 'away', url: 'http://127.0.0.1:9', key: bank.key });
      await refuse(['--acquirer', 'away'], /^kassa: The book of the acquirer away cannot be read: [^\n]+\.\n$/);
      await putAcquirer(service.pool, { name: 'strange', url: bank.url, key: 'another-key' });
      await refuse(
        ['--acquirer', 'strange'],
        'The book of the acquirer strange cannot be read: it refuses this key (401).',
      );
    });

    test('a bank whose book has no end', async (t) => {
      const server = createServer((_request, response) => {
        response.end(JSON.stringify({ lines: [], next: '7' }));
      }).listen(0, '127.0.0.1');
      t.after(() => {
        server.close();
        server.closeAllConnections();
      });
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await putAcquirer(service.pool, { name: 'endless', url, key: bank.key });
      await refuse(
        ['--acquirer', 'endless'],
        'The book of the acquirer endless cannot be read: the page after 7 leads back to one that was read.',
      );
    });

    test('a bank that does not say what came of a movement', async () => {
      const day = newDay();
      const [id] = await write([{ at: day, there: false }]);
      await bank.setFaults({ errorBefore: 1 });
      await refuse(
        ['--acquirer', 'bank', '--from', iso(day), '--to', iso(day + DAY)],
        `The acquirer bank does not report the outcome of movement ${id}.`,
      );
      await bank.setFaults({});
    });
  });

  test('verify tells what is pending for more than an hour, and ends with 0', async () => {
    await service.pool.query('truncate payments, movements, events, idempotency_records cascade');
    const oldest = Date.now() - 3 * HOUR;
    const pending = { here: { state: 'pending' }, there: false } as const;
    await write([
      { at: oldest, ...pending },
      { at: oldest + HOUR, ...pending },
      { at: Date.now() - 59 * MINUTE, ...pending },
      { at: oldest, here: { state: 'pending', acquirer: 'other' }, there: false },
    ]);
    // They are due for the resolver some day, but not for the one that runs beside this test.
    await service.pool.query(`update movements set next_try_at = now() + interval '1 day'`);
    const { code, out, err } = await kassa('verify');
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    assert.ok(
      out.includes(`2 movements are pending at bank for more than an hour, the oldest since ${iso(oldest)}.\n`),
    );
    assert.ok(out.includes(`1 movement is pending at other for more than an hour, since ${iso(oldest)}.\n`), out);
    assert.match(out, /\nThe books balance\.\n$/);
    const { longPending } = JSON.parse((await kassa('verify', '--json')).out);
    assert.deepEqual(longPending, [
      { acquirer: 'bank', count: 2, oldest: iso(oldest) },
      { acquirer: 'other', count: 1, oldest: iso(oldest) },
    ]);
  });

  test('what the last one found is kept for the merchant, until the next one', async () => {
    const day = newDay();
    const ids = await write([
      { at: day + HOUR, there: { amount: 999 } },
      { at: day + 2 * HOUR, there: false },
      { at: day + 3 * HOUR },
    ]);
    await judgeDay(day);
    const kept = await listOutcomes(service.pool, shop.merchant);
    assert.deepEqual(
      kept.map(({ acquirer, count, paymentIds }) => [acquirer, count, paymentIds.toSorted()]),
      [['bank', 2, ids.slice(0, 2).toSorted()]],
    );
    const other = await service.openShop({ acquirer: 'bank', beside: shop });
    assert.deepEqual(await listOutcomes(service.pool, other.merchant), []);
    await judgeDay(newDay());
    assert.deepEqual(await listOutcomes(service.pool, shop.merchant), []);
  });
});
