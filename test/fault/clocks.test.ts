// Goal: no promise hangs on the clock of a process. Method: a service whose clock is days behind beside one whose
// clock is right, on one database; and every statement is read for a comparison of the two clocks.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { purgeIdempotencyRecords } from '../../src/store/purge/idempotency-records.ts';
import { isReplayed, keyed } from '../support/keyed-operations.ts';
import { purgeNow } from '../support/purge.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { root } from '../../proof/program.ts';
import { spawnService, startService } from '../support/service.ts';
import type { Service, SpawnedService } from '../support/service.ts';

const DAY_MS = 86_400_000;
const BEHIND_MS = 9 * DAY_MS;

/** What is loaded before the program, so that its clock is behind by so much. */
const behind = (ms: number): string[] => [
  '--import',
  `data:text/javascript,${encodeURIComponent(`const { now } = Date; Date.now = () => now() - ${ms};`)}`,
];

describe('clocks that differ', () => {
  let right: Service;
  let behindByDays: SpawnedService;
  let receiver: Receiver;
  before(async () => {
    right = await startService();
    const { databaseUrl } = right;
    behindByDays = await spawnService({ databaseUrl, flags: behind(BEHIND_MS) });
    receiver = await openReceiver();
  });
  after(async () => {
    for (const service of [behindByDays, right]) await service.stop();
    await receiver.close();
  });

  test('a webhook is told of everything after it, whichever process made it or tells of it, and of nothing before', async () => {
    const { secretKey, client } = await right.openShop();
    const clients = [client, behindByDays.client(secretKey)];
    for (const each of clients) await each.createReserved();
    await client.must(201, 'POST', '/v1/webhooks', { url: receiver.url, events: ['payment.created'] });
    const made = [];
    for (const each of clients) made.push(await each.createReserved());
    const received = await receiver.until(made.length);
    assert.deepEqual(new Set(received.map(({ body }) => body.data.paymentId)), new Set(made));
    const since = new Date(Date.now() - DAY_MS).toISOString();
    const { events } = await client.must(200, 'GET', `/v1/events?since=${since}&type=payment.created`);
    assert.equal(events.length, 2 * clients.length, 'since counts by one clock, too');
  });

  test('the answer to an idempotency key is kept, though the process that made it is days behind', async () => {
    const { secretKey, client } = await right.openShop();
    const late = behindByDays.client(secretKey);
    const paymentId = await late.createReserved(1_000);
    const path = `/v1/payments/${paymentId}/charges`;
    const first = await late.post(path, { amount: 100 }, keyed('k'));
    assert.equal(first.status, 201);
    assert.deepEqual(await purgeNow(purgeIdempotencyRecords(right.pool, 8 * 86_400_000)), { idempotency_records: 0 });
    const again = await client.post(path, { amount: 100 }, keyed('k'));
    assert.deepEqual([again.text, isReplayed(again)], [first.text, true]);
    assert.equal((await client.payment(paymentId)).summary.chargedAmount, 100);
  });
});

describe('statements', () => {
  // Of the process that made the change; all other times are of the database.
  const OF_A_PROCESS = '(?:happened_at|updated_at|terminated_at|told_at|minute)';
  const OF_THE_DATABASE =
    '(?:now\\(\\)|clock_timestamp\\(\\)|current_timestamp|created_at|recorded_at|logged_at|next_try_at|\\w+_purged_before|ended_at)';
  const mixed = [
    new RegExp(`\\b${OF_A_PROCESS}\\s*(?:[<>]=?|=|-)\\s*[\\w.]*${OF_THE_DATABASE}`),
    new RegExp(`\\b${OF_THE_DATABASE}\\s*(?:[<>]=?|=|-)\\s*[\\w.]*\\b${OF_A_PROCESS}`),
  ];
  // A time of the database that comes in with the rows was made elsewhere.
  const given = /\b(?:created_at|recorded_at|logged_at|next_try_at|ended_at) timestamptz/;
  const complaintsOf = (text: string): string[] => [...mixed, given].flatMap((rule) => rule.exec(text)?.[0] ?? []);

  test('no statement compares a time of the database with one of a process', () => {
    const files = globSync('src/**/*.{sql,ts}', { cwd: root }).filter((file) => !file.includes('/migrations/'));
    assert.ok(files.includes('src/store/statements/commit.sql') && files.includes('src/store/events/publish.ts'));
    for (const file of files) assert.deepEqual(complaintsOf(readFileSync(join(root, file), 'utf8')), [], file);
  });

  test('and the rule finds what was wrong', () => {
    for (const text of [
      'webhook.created_at <= published.happened_at + interval',
      'where happened_at < now() - interval',
      'status smallint, created_at timestamptz',
    ])
      assert.equal(complaintsOf(text).length, 1, text);
  });

  test('what is read from the database is not compared with the clock of the process', () => {
    // Where a moment is only shown, signed, or put into an id.
    const shown = ['src/payments/clock.ts', 'src/events/lane-run.ts', 'src/events/ping.ts'];
    // The other side's clock: of an answer's date, of an acquirer's book; how far both are apart is what the doctor asks.
    const others = ['src/events/sender.ts', 'src/payments/reconcile.ts', 'src/store/schema/doctors-view.ts'];
    // What it compares is all of its own clock.
    const allowed = new Set([...others, 'src/store/audit/refusals.ts', ...shown]);
    const files = globSync('src/{store,events,payments}/**/*.ts', { cwd: root }).filter((file) => !/test/.test(file));
    const asking = files.filter((file) => /\bDate\.now\b|new Date\(\)/.test(readFileSync(join(root, file), 'utf8')));
    assert.deepEqual(
      asking.filter((file) => !allowed.has(file)),
      [],
    );
  });
});
