// Goal: whichever column of a row with money, consent, an answer or a delivery in it is changed by hand, `kassa verify`
// names a difference, or it is written here why it cannot or need not. Method: one shop's life through the API; then each
// column that the database lists, one after the other, is changed in one row, looked at by the very statements of verify,
// and taken back. A new table or column fails until it is covered or has its reason here.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PoolClient } from 'pg';
import { gatherFigures } from '../../src/store/books/figures/gather.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { queriesOf } from '../../src/store/books/verify/ranges.ts';
import { anItem, anOrder } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { keyed } from '../support/keyed-operations.ts';
import { dateBack, gatherNow, openInOwnParts } from '../support/payouts.ts';
import { openReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { subscribe } from '../support/subscriptions.ts';

const SCHEDULE = 'says when it is tried next, and how often it was: nothing that is told to anybody';
const RECORDED = 'says when it was written, by which it is forgotten';
const VERSION = 'a gate for changes: one that is ahead of its events is told from no other';
const FAILURE = 'says why an entry failed; whether it did is compared with its charge';
const COUNTER = 'a counter in another place gives no positions: events wait, and metrics and console say so';
const LEFTOVER = 'is forgotten while the rest stays';

/** Columns that may be changed without a difference, and why. */
const EXEMPT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  payments: {
    version: VERSION,
    created_at: RECORDED,
    bytes: 'an estimate of the size of its reading',
  },
  payment_changes: {},
  movements: { tries: SCHEDULE, next_try_at: SCHEDULE },
  idempotency_records: { created_at: RECORDED },
  events: { recorded_at: RECORDED },
  event_counters: {
    part: COUNTER,
    merchant_id: COUNTER,
    events_purged_to: RECORDED,
    deliveries_purged_to: RECORDED,
    events_purged_before: RECORDED,
    deliveries_purged_before: RECORDED,
  },
  subscriptions: { version: VERSION, created_at: RECORDED },
  renewals: {},
  bulks: {
    external_id: LEFTOVER,
    web_hooks: LEFTOVER,
    created_at: RECORDED,
  },
  bulk_entries: {
    purchase: 'is gone once it is done: its payment has the order',
    code: FAILURE,
    message: FAILURE,
    source: FAILURE,
    tries: SCHEDULE,
    next_try_at: SCHEDULE,
  },
  payouts: { created_at: RECORDED },
  payout_actions: {},
  invoice_numbers: { created_at: RECORDED },
  daily_figures: {
    part: 'figures are added up wherever they stand',
    reason: 'declines are not compared, as payments that never held money are forgotten',
  },
  deliveries: { redelivery_count: SCHEDULE, next_try_at: SCHEDULE },
};

/** Tables without money, consent, answers and deliveries, and what they hold. */
const OTHER_TABLES: Readonly<Record<string, string>> = {
  acquirers: 'settings; the audit has their changes',
  audit_heads: 'chained, and signed outside of the database',
  audit_records: 'chained by their hashes, which verify walks along',
  audit_waits: 'until its record is in the chain',
  clock_moves: 'the clock of a test merchant, which has no money',
  console_secret: 'a key',
  endpoints: 'whether an endpoint answers',
  facet_walks: 'what is to be gathered',
  figure_waits: 'what is to be gathered',
  figure_walks: 'what is to be gathered',
  housekeeping: 'what is done when',
  lanes: 'a queue; its deliveries are looked at',
  link_requests: 'people',
  memberships: 'people; the audit has their changes',
  merchant_logos: 'a picture',
  merchants: 'settings; the audit has their changes',
  passkeys: 'people',
  passwords: 'people',
  payment_facets: 'what lists are led by; compared with payments, which facets.test.ts holds',
  payout_walks: 'what is to be gathered',
  people: 'people; the audit has their changes',
  reconcile_outcomes: 'what a comparison found',
  recovery_codes: 'people',
  redeliveries: 'a queue; its deliveries are looked at',
  request_log: 'a log, kept for days',
  request_log_omissions: 'a log, kept for days',
  saved_views: 'people',
  schema_migrations: 'the schema; who starts compares the checksums',
  secret_keys: 'keys; the audit has their changes',
  sessions: 'people',
  sign_in_links: 'people',
  sign_in_tries: 'people',
  webhooks: 'settings; the audit has their changes',
};

/** What a column is changed to where the next value of its type says nothing. */
const OTHER_ITEMS = `(items::jsonb || '[{"name": "Gift", "grossTotalAmount": 0}]')::json`;
const OTHER_PART = '(part + 1) % 4096';
const CHANGES: Readonly<Record<string, string>> = {
  'payments.items': OTHER_ITEMS,
  'payments.hooks': `(hooks::jsonb || '[{"event": "payment.created", "lane": 0, "n": 1}]')::json`,
  'movements.items': OTHER_ITEMS,
  'bulk_entries.state': `'failed'`,
  'subscriptions.state': `'ended'`,
  'event_counters.last': 'last - 1',
};

/** Which row is changed first, where not any will do. */
const FIRST: Readonly<Record<string, string>> = {
  'movements.created_at': 'created_at',
  'movements.refunded': `kind <> 'charge'`,
  'movements.refunding': `kind <> 'charge'`,
  'event_counters.last': 'last desc',
};

const NEXT: Readonly<Record<string, (column: string) => string>> = {
  boolean: (column) => `not coalesce(${column}, false)`,
  smallint: (column) => `coalesce(${column}, 0) + 1000`,
  integer: (column) => `coalesce(${column}, 0) + 1000`,
  bigint: (column) => `coalesce(${column}, 0) + 1000`,
  text: (column) => `coalesce(${column}, '') || 'x'`,
  ARRAY: (column) => `${column} || ${column}`,
  uuid: () => 'gen_random_uuid()',
  json: () => `'{"other": 1}'`,
  jsonb: (column) => `case jsonb_typeof(${column}) when 'array' then '[]' else '{"other": 1}' end::jsonb`,
  bytea: () => `'\\x00'`,
  date: (column) => `coalesce(${column}, '2026-01-01') + 1`,
  'timestamp with time zone': (column) => `coalesce(${column}, now()) + interval '1 day'`,
};

type Column = { readonly table: string; readonly column: string; readonly type: string };

describe('every column', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const live = async (): Promise<void> => {
    const { pool } = service;
    const receiver = await openReceiver();
    const { client, merchant } = await openInOwnParts(pool, () => service.openShop());
    const must = (path: string, body: object) => client.must(201, 'POST', path, body);
    const sell = async (paid: object = {}): Promise<string> => {
      const order = {
        ...anOrder(1_000, { reference: 'order' }),
        items: [anItem({ grossTotalAmount: 1_000, taxAmount: 200 })],
      };
      const body = {
        order,
        myReference: 'mine',
        checkout: { url: 'https://shop.example/' },
        notifications: {
          webHooks: [{ eventName: 'payment.charge.created', url: receiver.url, authorization: 'of-the-shop' }],
        },
      };
      const { paymentId } = await must('/v1/payments', body);
      await must(`/v1/sandbox/payments/${paymentId}/reserve`, {
        consumer: { email: 'ada@example.test', reference: 'ada' },
        ...paid,
      });
      return paymentId;
    };
    const paymentId = await sell({ paymentType: 'INVOICE' });
    const charged = await client.post(`/v1/payments/${paymentId}/charges`, { amount: 700 }, keyed('charge'));
    await client.refund(charged.body.chargeId, 100);
    await client.cancel(paymentId, 300);
    const other = await client.create();
    await client.must(204, 'PUT', `/v1/payments/${other}/referenceinformation`, {
      reference: 'new',
      checkoutUrl: 'https://shop.example/',
    });
    const id = await subscribe(client, 'scheduled');
    const { bulkId } = (
      await client.post('/v1/subscriptions/charges', {
        externalBulkChargeId: 'bulk',
        subscriptions: [{ subscriptionId: id, order: anOrder(5_000), myReference: 'mine' }],
      })
    ).body;
    await until('the bulk is done', async () => {
      return (await client.must(200, 'GET', `/v1/subscriptions/charges/${bulkId}`)).status === 'Done';
    });
    await receiver.until(1);
    await until('its delivery is written down', async () => {
      return (await pool.query(`select 1 from deliveries where state = 'delivered'`)).length > 0;
    });
    await dateBack(pool, merchant, { '2026-01-10': [paymentId] });
    await gatherNow(pool);
    await gatherFigures(pool, new AbortController().signal);
    await receiver.close();
    assert.deepEqual((await verifyBooks(pool)).differences, []);
  };

  test('that is changed by hand is found, or has a reason here', async () => {
    const { pool } = service;
    await live();
    const columns = await pool.query<Column>(
      `select table_name as table, column_name as column, data_type as type from information_schema.columns
       where table_schema = 'public' order by table_name, ordinal_position`,
    );
    const constraints = await pool.query<{ table: string; name: string }>(
      `select conrelid::regclass::text as table, conname as name from pg_constraint
       where connamespace = 'public'::regnamespace and contype in ('c', 'f')`,
    );
    const statements = [
      { kind: 'parts', first: 0, last: 4_095 } as const,
      { kind: 'answers', after: '-infinity', to: 'infinity' } as const,
      { kind: 'whole', first: 0, last: 4_095 } as const,
      { kind: 'figures', first: 0, last: 4_095, from: '-infinity', before: 'infinity' } as const,
    ]
      .flatMap(queriesOf)
      .map(({ text, values }, n) => ({ name: `verify_${n}`, text, values }))
      .toSorted((one, two) => Number(two.text.includes('.seal <>')) - Number(one.text.includes('.seal <>')));
    const isFound = async (client: PoolClient): Promise<boolean> => {
      for (const statement of statements) if ((await client.query(statement)).rows.length > 0) return true;
      return false;
    };
    const missed: string[] = [];
    const needless: string[] = [];
    await pool.withClient(async (client) => {
      await client.query('begin; set local statement_timeout = 0; set local jit = off');
      for (const { table, name } of constraints) await client.query(`alter table ${table} drop constraint ${name}`);
      await client.query('drop index movements_one_reservation');
      for (const { table, column, type } of columns) {
        const name = `${table}.${column}`;
        const exempt = EXEMPT[table];
        if (exempt === undefined) {
          if (OTHER_TABLES[table] === undefined) missed.push(`${table}: no such table here`);
          continue;
        }
        const next = CHANGES[name] ?? (column === 'part' ? OTHER_PART : NEXT[type]?.(column));
        assert.ok(next, `${name} is of type ${type}`);
        const isSealed = columns.some((one) => one.table === table && one.column === 'seal');
        const order = `${isSealed ? 'seal is null, ' : ''}${column} is null`;
        await client.query('savepoint untouched');
        const { rowCount } = await client.query(
          `update ${table} set ${column} = ${next}
           where ctid = (select ctid from ${table} order by ${FIRST[name] ?? order} limit 1)`,
        );
        assert.equal(rowCount, 1, `${table} has a row`);
        const found = await isFound(client);
        if (found && exempt[column] !== undefined) needless.push(name);
        if (!found && exempt[column] === undefined) missed.push(name);
        await client.query('rollback to savepoint untouched');
      }
      await client.query('rollback');
    });
    assert.deepEqual({ missed, needless }, { missed: [], needless: [] });
  });
});
