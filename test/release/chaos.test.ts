// Goal: money moves exactly once, whatever dies, hangs, lies or is cut off meanwhile. Method: a short run of chaos;
// `npm run chaos` makes long ones, with other seeds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeFindings, tableOf } from '../../proof/chaos/report.ts';
import { runChaos } from '../../proof/chaos/run.ts';

// Its first troubles are a rolling restart and a primary that is lost while commits wait for the standby.
const SEED = 34;
const SECONDS = 8;
const CLIENTS = 12;

test('nothing is lost, nothing is doubled, the books agree with the bank’s', async (t) => {
  const run = await runChaos({
    seed: SEED,
    seconds: SECONDS,
    clients: CLIENTS,
    signal: t.signal,
    onProgress: () => {},
  });
  t.diagnostic(tableOf(run));
  assert.equal(run.journal.findings.length, 0, `\n${tableOf(run)}\n${describeFindings(run)}`);
  assert.ok(run.journal.lives.length > 0);
  assert.ok((run.books?.bank.length ?? 0) > 0);
  assert.ok(run.journal.troubles.size > 0);
});
