// Goal: kill -9 in the middle of a bulk loses no charge and doubles none: each subscription is charged once. Method: a
// short run of `npm run chaos -- --bulk`, which makes long ones: two services, a bank, and as many subscriptions as
// entries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeFindings, tableOf } from '../../proof/chaos/report.ts';
import { runChaos } from '../../proof/chaos/run.ts';

const ENTRIES = 240;
// Half a second after the bulks are asked for both are killed, and one of them again a little later.
const SEED = 365;
const SECONDS = 8;

test('each subscription is charged once, whoever is killed meanwhile', async (t) => {
  const options = { seed: SEED, seconds: SECONDS, clients: 1, bulk: ENTRIES, only: ['kassa'] } as const;
  const run = await runChaos({ ...options, signal: t.signal, onProgress: () => {} });
  t.diagnostic(tableOf(run));
  assert.equal(run.journal.findings.length, 0, `\n${tableOf(run)}\n${describeFindings(run)}`);
  const entries = run.books?.entries ?? [];
  assert.equal(entries.length, ENTRIES);
  assert.equal(new Set(entries.map(({ chargeId }) => chargeId)).size, ENTRIES);
  assert.ok(run.journal.troubles.size > 0);
});
