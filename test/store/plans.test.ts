// Goal: the group statements look every row up by its key, on an empty database as on a filled one, whether the plan is
// made for the values or once for all. Method: the sessions of the group calls explain the very statements; every scan of
// a table that lives in parts must be an index look-up.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PoolClient } from 'pg';
import { FIND_FREE, FIND_MARKS } from '../../src/store/payments/commit-look-ups.ts';
import { commitOf } from '../../src/store/payments/commit-statement.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool, Statement } from '../../src/store/connections/pool.ts';
import { readStatement } from '../../src/store/statements/statement.ts';
import { queriesOf } from '../../src/store/books/verify/ranges.ts';
import type { Range } from '../../src/store/books/verify/ranges.ts';
import { cloneDatabase } from '../support/database.ts';

const TABLES = new Set([
  'payments',
  'movements',
  'events',
  'idempotency_records',
  'lanes',
  'deliveries',
  'subscriptions',
  'renewals',
]);
const ROWS = 4_000;
// Few parts, so that each has many rows, as all of them have in a large database.
const PARTS = 16;

const id = '0199f0a07abc7abc8000000000000001';
const [part, merchant] = [0xabc, 100_000_001];

/** Values of the shape that each statement is called with. */
type Values = readonly (object[] | number | string)[];

const record = { part, target: id, subject_id: id, key: 'k', request: 'ab'.repeat(32) };
const commitOfAll = {
  statement: readStatement('commit'),
  values: [
    [{ part, id, keyed: true }],
    [{ part, id, version: 1 }],
    [{ part, id, payment_id: id }],
    [{ part, id, payment_id: id }],
    [{ part, subject_id: id }],
    [{ ...record, operation: 'create' }],
    [{ ...record, operation: 'charge' }],
    [{ part, id, payment_part: part, payment_id: id }],
    [{ part, id, payment_part: part, payment_id: id }],
    [{ part, id, version: 1, payment_id: id }],
    [{ part, subject_id: id, version: 2 }],
    [{ part, payment_id: id, version: 2 }],
  ],
};

/** The statement of a group that has something at these places alone. */
function commitWith(...places: number[]): { readonly statement: Statement; readonly values: Values } {
  const given = commitOfAll.values.map((rows, place) => JSON.stringify(places.includes(place) ? rows : []));
  const { statement, values } = commitOf(given);
  return { statement, values: values.map((value) => JSON.parse(value) as object[]) };
}

// Creates write, and look nothing up.
const commits = [commitOfAll, { ...commitWith(0, 4, 5), fewest: 0 }, commitWith(1, 2, 3, 4, 6)];

const statements: readonly { readonly statement: Statement; readonly values: Values; readonly fewest?: number }[] = [
  {
    statement: readStatement('load'),
    values: [
      [{ n: 0, part, target: id, is_movement: true, merchant_id: merchant, operation: 'charge', key: 'k' }],
      65_536,
    ],
  },
  ...commits,
  { statement: FIND_MARKS, values: [[{ part, id, payment_id: id }]] },
  { statement: FIND_FREE, values: [[{ part, id }]] },
];

const lane = { part, subject_id: id, subscriber: 'hook-0' };

/** What publishes and delivers: it looks for what is due, and reaches the rest by key. */
const queueStatements: readonly { readonly statement: Statement; readonly values: Values }[] = [
  { statement: readStatement('publish'), values: [[{ part, subject_id: id }], 500] },
  { statement: readStatement('due-endpoints'), values: [0, 10, 10, [{ merchant_id: merchant, after: 'https://a' }]] },
  {
    statement: readStatement('due-again'),
    values: [[{ merchant_id: merchant, endpoint: 'https://shop.example', since: '2026-11-15' }], 15],
  },
  {
    statement: readStatement('claim-lanes'),
    values: [[{ merchant_id: merchant, endpoint: 'https://shop.example', room: 32 }], 30, 15],
  },
  { statement: readStatement('redeliver'), values: [part, id, 500, 2_000, 100, 1_000] },
  { statement: readStatement('load-lanes'), values: [[lane]] },
  {
    statement: readStatement('record-lanes'),
    values: [
      [{ ...lane, version: 1, ordinal: 0, state: 'delivered', attempts: [] }],
      [{ ...lane, lease_number: 1, entry_count: 1, ended: false }],
      [{ part, id, ok: true, gone: false }],
      3,
      20,
    ],
  },
];

type Node = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly Operation?: string;
  readonly 'Join Type'?: string;
  readonly Alias?: string;
  readonly Plans?: readonly Node[];
};

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const TYPES: Readonly<Record<string, string>> = { number: 'int', string: 'text', object: 'json' };

async function explain(client: PoolClient, { text }: Statement, values: Values): Promise<Node[]> {
  const types = values.map((value) => TYPES[typeof value]).join();
  const literals = values.map((value) => `'${typeof value === 'string' ? value : JSON.stringify(value)}'`).join();
  await client.query(`prepare plan_of ${values.length > 0 ? `(${types})` : ''} as ${text}`);
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      `explain (format json) execute plan_of ${values.length > 0 ? `(${literals})` : ''}`,
    );
    return nodesOf(rows[0]?.['QUERY PLAN'][0].Plan ?? assert.fail());
  } finally {
    await client.query('deallocate plan_of');
  }
}

const BY_KEY = /\((?:part|merchant_id|endpoint|id) = /;

/** The lists of what waits are read in their order; all the rest is looked up. */
const withoutLists = (nodes: readonly Node[]): Node[] =>
  nodes.filter((node) => !/^lanes_due$/.test(node['Index Name'] ?? ''));

function expectLookUpsOnly(nodes: readonly Node[], by: RegExp, fewest = 1): void {
  const joins = nodes.filter((node) => /^(?:Hash|Merge) Join$/.test(node['Node Type']));
  assert.deepEqual(joins, []);
  const scans = nodes.filter((node) => TABLES.has(node['Relation Name'] ?? '') && node['Node Type'] !== 'ModifyTable');
  assert.ok(scans.length >= fewest, 'the plan reaches no table');
  for (const scan of scans) {
    const what = `${scan['Node Type']} of ${scan['Relation Name']} by ${scan['Index Cond']}`;
    assert.match(scan['Node Type'], /^Index (?:Only )?Scan$/, what);
    assert.match(scan['Index Cond'] ?? '', by, what);
  }
}

/** Each row to be written is looked for among the gates; the list of them is not read again for every gate. */
function expectListsReadOnce(nodes: readonly Node[]): void {
  const gates = nodes.flatMap(({ Alias: alias }) => (alias && /^gate_\d+$/.test(alias) ? [alias] : []));
  const asked = nodes.flatMap((node) => (node['Join Type'] === 'Semi' ? [node.Plans?.[1]?.Alias] : []));
  assert.ok(gates.length > 0);
  assert.deepEqual(new Set(asked), new Set(gates));
}

/** Payments with a charge and an idempotency record each; ids as the program makes them. */
const FILL = `
  with made as (
    select n % ${PARTS} as part, lpad(to_hex(1763193600000 + n), 12, '0') || '7' || lpad(to_hex(n % ${PARTS}), 3, '0')
      || '8' || lpad(to_hex(n), 15, '0') as id
    from generate_series(1, ${ROWS}) as n
  ),
  payment as (
    insert into payments (part, id, merchant_id, version, created_at, amount, currency, items, checkout, consumer, reserved)
    select part, id::uuid, ${merchant}, 1, now(), 1, 'SEK', '[]', '{}', '{}', 1 from made returning part, id
  ),
  movement as (
    insert into movements (part, id, payment_id, sequence, kind, state, amount, created_at, updated_at, acquirer, source)
    select part, id, id, 1, 'reservation', 'approved', 1, now(), now(), 'simulator', 's' from payment
  ),
  merchant as (
    insert into merchants (id, name, live, dialect, checkout_key, parts)
    values (${merchant}, 'Shop', false, 'spec', 'key-of-the-plans', '{0}')
  ),
  subscription as (
    insert into subscriptions
      (part, id, merchant_id, kind, began_on, payment_id, acquirer, source, method, consent, secret)
    select part, id, ${merchant}, 'unscheduled', now(), id, 'simulator', 's', '{}', '{}', repeat('a', 32) from payment
  ),
  event as (
    insert into events (part, subject_id, version, ordinal, name, happened_at, merchant_id, position)
    select part, id, 1, 0, 'payment.created', now(), ${merchant}, row_number() over () from payment
  ),
  lane as (
    insert into lanes (part, subject_id, subscriber, merchant_id, endpoint, entry_count, next_try_at)
    select part, id, 'hook-0', ${merchant}, 'https://shop.example', 1, now() from payment
  ),
  delivery as (
    insert into deliveries (part, subject_id, subscriber, version, ordinal, state, next_try_at)
    select part, id, 'hook-0', 1, 0, 'pending', now() from payment
  )
  insert into idempotency_records (part, merchant_id, operation, target, key, subject_id, request, created_at)
  select part, ${merchant}, 'charge', id, 'k', id, decode(repeat('ab', 32), 'hex'), now() from payment`;

describe('plans', () => {
  let pool: Pool;
  before(async () => {
    pool = openPool(await cloneDatabase(), { size: 1, lookUpsOnly: true });
  });
  after(() => pool.close());

  test('no index of payments has a total in it: a charge, a refund or a cancel writes to none', async () => {
    const columns = 'version|bytes|reserved|charged|charging|cancelled|cancelling|refunded|refunding';
    const rows = await pool.query(
      `select indexdef from pg_indexes where tablename = 'payments' and indexdef ~ '\\m(${columns})\\M'`,
    );
    assert.deepEqual(rows, []);
  });

  test('what is due is looked up by its acquirer', async () => {
    const claim = readStatement('claim-movements');
    await pool.withClient(async (client) => {
      const nodes = await explain(client, { ...claim, text: claim.text.replace('$2::int', '32') }, [[{ bank: 3 }]]);
      const due = nodes.find((node) => node['Index Cond']?.includes('next_try_at'));
      assert.match(due?.['Index Cond'] ?? '', /acquirer = /);
    });
  });

  test('a step of verify reads the lanes of its parts alone, or of its slice of one', async () => {
    const steps: readonly [Range, RegExp][] = [
      [{ kind: 'parts', first: 0, last: 63 }, /\(part >= .*\(part <= /],
      [{ kind: 'ids', part, from: id, before: id }, /\(part = .*\(subject_id >= .*\(subject_id < /],
      [{ kind: 'ids', part, from: id }, /\(part = .*\(subject_id >= /],
    ];
    await pool.withClient(async (client) => {
      for (const [range, within] of steps) {
        const [{ text, values } = assert.fail()] = queriesOf(range);
        const nodes = await explain(client, { name: 'verify', text }, values as Values);
        const scans = nodes.filter((node) => node['Relation Name'] === 'lanes');
        assert.ok(scans.length > 0);
        for (const { 'Index Cond': cond = '', Filter: filter = '' } of scans) assert.match(cond + filter, within);
      }
    });
  });

  test('a step of verify reads the movements of its merchants alone for their daily figures', async () => {
    const [{ text, values } = assert.fail()] = queriesOf({
      kind: 'figures',
      first: 0,
      last: 63,
      from: '2026-11-15',
      before: '2026-11-16',
    });
    await pool.withClient(async (client) => {
      const nodes = await explain(client, { name: 'verify-figures', text }, values as Values);
      const scans = nodes.filter((node) => node['Relation Name'] === 'movements');
      assert.ok(scans.length > 0);
      for (const { 'Index Cond': cond = '' } of scans) assert.match(cond, /\(part = home\.part\)/);
    });
  });

  // Where a part has a row or none, its rows are read by the part alone, which costs the same as by the id.
  const sizes: readonly [what: string, by: RegExp, prepare: () => Promise<unknown>][] = [
    ['an empty database', /\((?:part|id|payment_id|subject_id|target) = /, async () => {}],
    [
      `${ROWS} payments that nobody has counted yet`,
      /\((?:part|id|payment_id|subject_id|target) = /,
      () => pool.query(FILL),
    ],
    [`${ROWS} payments`, /\((?:id|payment_id|subject_id|target) = /, () => pool.query('analyze')],
  ];
  for (const [what, by, prepare] of sizes)
    test(`on ${what} the group statements look every row up by its key`, async () => {
      await prepare();
      for (const mode of ['force_custom_plan', 'force_generic_plan'])
        await pool.withClient(async (client) => {
          await client.query(`set plan_cache_mode = ${mode}`);
          for (const { statement, values, fewest } of statements)
            expectLookUpsOnly(await explain(client, statement, values), by, fewest);
          for (const { statement, values } of commits) expectListsReadOnce(await explain(client, statement, values));
          for (const { statement, values } of queueStatements)
            expectLookUpsOnly(withoutLists(await explain(client, statement, values)), BY_KEY, 0);
        });
    });
});
