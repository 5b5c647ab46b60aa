// Goal: the schema stays one that can be sharded and that any Postgres takes, and the statements reach payments by part
// and id. Method: reads the system catalogue of a migrated database and the files of the statements, and holds the rules
// of the design against them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { cloneDatabase } from '../support/database.ts';
import { root } from '../../proof/program.ts';

/** The tables that live in parts; the others are small, and reference tables where the database is sharded. */
const PARTED = [
  'payments',
  'movements',
  'events',
  'idempotency_records',
  'event_counters',
  'invoice_numbers',
  'webhooks',
  'lanes',
  'deliveries',
  'redeliveries',
  'endpoints',
  'subscriptions',
  'renewals',
  'bulks',
  'bulk_entries',
  'payouts',
  'payout_actions',
  'payout_walks',
  'daily_figures',
  'figure_walks',
  'figure_waits',
  'payment_facets',
  'facet_walks',
  'reconcile_outcomes',
  'audit_heads',
  'audit_records',
  'payment_changes',
  'request_log',
  'request_log_omissions',
  'audit_waits',
];
const SMALL = [
  'merchants',
  'merchant_logos',
  'secret_keys',
  'acquirers',
  'clock_moves',
  'people',
  'memberships',
  'sign_in_links',
  'link_requests',
  'sessions',
  'passwords',
  'recovery_codes',
  'passkeys',
  'sign_in_tries',
  'console_secret',
  'saved_views',
  'housekeeping',
  'schema_migrations',
];

describe('catalogue', () => {
  let pool: Pool;
  before(async () => {
    pool = openPool(await cloneDatabase(), { size: 1 });
  });
  after(() => pool.close());

  const names = async (text: string, values: readonly unknown[] = []): Promise<string[]> =>
    (await pool.query<{ name: string }>(text, values)).map(({ name }) => name);

  test('there are the tables that these rules know, and no others', async () => {
    const tables = await names("select tablename as name from pg_tables where schemaname = 'public'");
    assert.deepEqual(tables.toSorted(), [...PARTED, ...SMALL].toSorted());
  });

  test('part is in every primary key, unique index and exclusion of the tables that live in parts', async () => {
    const rows = await pool.query<{ name: string; table: string; columns: string[] }>(
      `select index.relname as name, indrelid::regclass::text as table,
         array(select attname::text from pg_attribute
           where attrelid = indrelid and attnum = any (indkey)) as columns
       from pg_index join pg_class as index on index.oid = indexrelid
       where (indisunique or indisexclusion) and indrelid::regclass::text = any ($1)`,
      [PARTED],
    );
    assert.deepEqual([...new Set(rows.map(({ table }) => table))].toSorted(), PARTED.toSorted());
    for (const { name, columns } of rows) assert.ok(columns.includes('part'), `${name} is unique without part`);
  });

  test('part is on both sides of every foreign key of the tables that live in parts', async () => {
    const rows = await pool.query<{ name: string; here: string[]; there: string[]; target: string }>(
      `select conname as name, confrelid::regclass::text as target,
         array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any (conkey)) as here,
         array(select attname::text from pg_attribute where attrelid = confrelid and attnum = any (confkey)) as there
       from pg_constraint where contype = 'f' and conrelid::regclass::text = any ($1)`,
      [PARTED],
    );
    assert.ok(rows.length >= 4);
    // The tables of merchants are the same in every shard.
    for (const { name, here, there, target } of rows.filter((row) => !SMALL.includes(row.target))) {
      assert.ok(here.includes('part') && there.includes('part'), `${name} leaves the part`);
      assert.ok(PARTED.includes(target), `${name} points to ${target}`);
    }
  });

  // decision: ids
  test('the ids of payments, movements, webhooks, redeliveries, subscriptions, bulks and payouts are checked to carry their part', async () => {
    const rows = await pool.query<{ name: string; text: string }>(
      `select conrelid::regclass::text as name, pg_get_constraintdef(oid) as text from pg_constraint
       where contype = 'c' and conname like '%_id_carries_part' order by 1`,
    );
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['bulks', 'movements', 'payments', 'payouts', 'redeliveries', 'request_log', 'subscriptions', 'webhooks'],
    );
    for (const { text } of rows)
      assert.match(text, /part = .*get_byte\(uuid_send\(id\), 6\).*get_byte\(uuid_send\(id\), 7\)/);
  });

  test('there are no sequences, identities, triggers, rules, functions, views, types or extensions of ours', async () => {
    const ours = "in (select oid from pg_namespace where nspname = 'public')";
    const forbidden: Readonly<Record<string, string>> = {
      sequences: `select relname as name from pg_class where relkind = 'S' and relnamespace ${ours}`,
      'views and the like': `select relname as name from pg_class where relkind in ('v', 'm', 'f') and relnamespace ${ours}`,
      identities: "select attname as name from pg_attribute where attidentity <> '' or attgenerated <> ''",
      triggers: 'select tgname as name from pg_trigger where not tgisinternal',
      rules: `select rulename as name from pg_rules where schemaname = 'public'`,
      functions: `select proname as name from pg_proc where pronamespace ${ours}`,
      types: `select typname as name from pg_type where typnamespace ${ours} and typtype in ('e', 'd', 'r')`,
      extensions: "select extname as name from pg_extension where extname <> 'plpgsql'",
      'event triggers': 'select evtname as name from pg_event_trigger',
      policies: 'select polname as name from pg_policy',
    };
    for (const [what, text] of Object.entries(forbidden)) assert.deepEqual(await names(text), [], what);
  });

  test('no constraint is deferrable, and every one holds for all rows', async () => {
    assert.deepEqual(
      await names('select conname as name from pg_constraint where condeferrable or not convalidated'),
      [],
    );
  });

  // decision: limits-on-totals
  test('money is in whole numbers, and every total has a check of its own', async () => {
    const columns = await names(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and data_type in ('real', 'double precision', 'money')`,
    );
    assert.deepEqual(columns, []);
    const checks = await names("select conname as name from pg_constraint where contype = 'c' and conname ~ '_check$'");
    for (const total of ['reserved', 'charged', 'charging', 'cancelled', 'cancelling', 'refunded', 'refunding'])
      assert.ok(checks.includes(`payments_${total}_check`), total);
  });

  test('every table says what it is', async () => {
    const silent = await names(
      `select relname as name from pg_class
       where relkind = 'r' and relname = any ($1) and obj_description(oid, 'pg_class') is null`,
      [[...PARTED, ...SMALL.filter((table) => table !== 'schema_migrations')]],
    );
    assert.deepEqual(silent, []);
  });
});

describe('statements', () => {
  const folder = join(root, 'src/store/statements');
  /** What a walk over the books and a look for what is due may do, and nothing else. */
  const WITHOUT_ID = [
    'claim-lanes.sql',
    'claim-movements.sql',
    'due-again.sql',
    'due-endpoints.sql',
    'publish.sql',
    'redeliver.sql',
    'verify.sql',
    'verify-bulks.sql',
    'verify-facets.sql',
    'verify-figures.sql',
    'verify-invoices.sql',
    'verify-payouts.sql',
    'verify-records.sql',
    'verify-seals.sql',
    'verify-subscriptions.sql',
    'verify-whole.sql',
  ];
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql') && !WITHOUT_ID.includes(file));

  test('there are statements to look at, and the exceptions are there', () => {
    assert.deepEqual(files, ['commit.sql', 'load-lanes.sql', 'load.sql', 'record-lanes.sql']);
    for (const file of WITHOUT_ID) assert.ok(readdirSync(folder).includes(file));
  });

  for (const file of files)
    test(`${file} reaches every table that lives in parts by part and id`, () => {
      const text = readFileSync(join(folder, file), 'utf8').replaceAll(/--.*|\{seal [^}]*\}/g, '');
      // Where a table is read or changed: its name, its alias if any, and what follows up to the next clause of its kind.
      const table = new RegExp(`\\b(?:from|join|update)\\s+(${PARTED.join('|')})\\b(?:\\s+as\\s+(\\w+))?`, 'g');
      const reached = [...text.matchAll(table)];
      assert.ok(reached.length > 0);
      for (const { index, 0: found, 1: name, 2: alias = name } of reached) {
        const rest = text.slice(index, text.indexOf(';', index) === -1 ? undefined : text.indexOf(';', index));
        assert.match(rest, new RegExp(`\\b${alias}\\.part\\s*=`), `${found} without part`);
        assert.match(
          rest,
          new RegExp(`\\b${alias}\\.(?:id|payment_id|subject_id|merchant_id|target)\\s*=`),
          `${found} without id`,
        );
      }
    });
});
