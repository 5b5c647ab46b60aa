// The figures of several processes as those of one service: what is added up, what is taken once, and that no counter ever
// falls. Method: real registries, of processes that are played.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMetrics } from '../../ops/metrics.ts';
import type { Figures, Metrics } from '../../ops/metrics.ts';
import { commit, version } from '../../ops/version.ts';
import { sumFigures } from './figures.ts';
import type { Life } from './life.ts';

type Played = Life & { readonly metrics: Metrics };

function play({ isHung = false } = {}): Played {
  const metrics = createMetrics();
  let last: Figures | undefined;
  return {
    metrics,
    isServing: () => true,
    // As they come over a channel.
    askFigures: async () => (isHung ? last : (last = structuredClone(await metrics.figures()))),
    lastFigures: () => last,
  } as Partial<Played> as Played;
}

/** Past the second for which a page is shared. */
const FRESH_MS = 1_100;

const valueOf = (page: string, name: string): number =>
  Number(new RegExp(`^${name.replaceAll(/[{}]/g, String.raw`\$&`)} (\\S+)$`, 'm').exec(page)?.[1]);

test('counters and histograms are added up; what all count in one database is taken once', async () => {
  const lives = [play(), play(), play()];
  for (const [at, { metrics }] of lives.entries()) {
    metrics.onConflicts(at + 1);
    metrics.onRequest('GET', '/v1/payments', 200, 0.003);
    metrics.onBacklog({ lanes: 7, oldestSeconds: 10 + at, oldestFailingSeconds: 0, unpublished: 2 });
    metrics.onPending([{ acquirer: 'bank', count: 4, oldestSeconds: at }]);
    metrics.onBulkEntries(5);
    metrics.onAcquirerOpen('bank', at === 1);
    metrics.onJob('purge', 0.1);
  }
  const page = (await sumFigures(() => lives).read()).toString();
  assert.equal(valueOf(page, 'kassa_conflicts_total'), 6);
  const ofRequests = '{method="GET",route="/v1/payments",status="200"}';
  assert.equal(valueOf(page, `kassa_http_request_seconds_count${ofRequests}`), 3);
  assert.match(page, /kassa_http_request_seconds_bucket\{le="\+Inf",[^}]*\} 3\n/);
  assert.match(page, /kassa_http_request_seconds_bucket\{le="0.0025",[^}]*\} 0\n/);
  assert.equal(valueOf(page, 'kassa_deliveries_waiting'), 7);
  assert.equal(valueOf(page, 'kassa_deliveries_oldest_seconds'), 12);
  assert.equal(valueOf(page, 'kassa_events_unpublished'), 2);
  assert.equal(valueOf(page, 'kassa_pending_movements{acquirer="bank"}'), 4);
  assert.equal(valueOf(page, 'kassa_bulk_entries_pending'), 5);
  assert.equal(valueOf(page, 'kassa_acquirer_open{acquirer="bank"}'), 1);
  assert.equal(valueOf(page, 'kassa_job_runs_total{name="purge"}'), 3);
  const succeeded = valueOf(page, 'kassa_job_last_success_timestamp_seconds{name="purge"}');
  assert.ok(Math.abs(succeeded - Date.now() / 1_000) < 60, String(succeeded));
  assert.equal(valueOf(page, 'kassa_processes_serving'), 3);
  const memory = valueOf(page, 'process_resident_memory_bytes');
  assert.ok(memory > 2 * process.memoryUsage.rss(), 'memory is that of all');
  assert.doesNotMatch(page, /NaN|undefined|null/);
  const build = `version="${version}",commit="${commit ?? 'unknown'}",node="${process.versions.node}"`;
  assert.equal(valueOf(page, `kassa_build_info{${build}}`), 1);
  assert.match(page, /kassa_build_info\{.*commit="(?:[0-9a-f]{40}|unknown)"/);
});

test('what an ended process has counted stays in the sum, whether it told its last or was killed', async () => {
  const [steady, told, killed] = [play(), play(), play()] as const;
  let lives = [steady, told, killed];
  const figures = sumFigures(() => lives);
  for (const { metrics } of lives) metrics.onConflicts(10);
  assert.equal(valueOf((await figures.read()).toString(), 'kassa_conflicts_total'), 30);
  told.metrics.onConflicts(1);
  await told.askFigures(0);
  killed.metrics.onConflicts(100);
  lives = [steady];
  figures.onEnded(told, false);
  figures.onEnded(killed, true);
  await sleep(FRESH_MS);
  const page = (await figures.read()).toString();
  assert.equal(valueOf(page, 'kassa_conflicts_total'), 31, 'but for what a killed one told nobody');
  assert.equal(valueOf(page, 'kassa_process_deaths_total'), 1);
  assert.equal(valueOf(page, 'kassa_processes_serving'), 1);
});

test('one that does not answer is counted as it was', async () => {
  const life = play();
  life.metrics.onConflicts(3);
  await life.askFigures(0);
  const hung = { ...play({ isHung: true }), askFigures: async () => life.lastFigures() } as Life;
  const page = (await sumFigures(() => [hung, play()]).read()).toString();
  assert.equal(valueOf(page, 'kassa_conflicts_total'), 3);
});
