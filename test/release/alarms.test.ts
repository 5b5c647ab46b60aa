// Goal: the alarms and the board ask for nothing that a running Kassa does not show, and every alarm has its section that
// says what to do. Method: the names and labels of all expressions are held against the pages of figures of a real Kassa
// with two processes, an acquirer that refuses and then answers, and an endpoint that does not.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { root } from '../../proof/program.ts';
import { createMetrics } from '../../src/ops/metrics.ts';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { keepOutcome } from '../../src/store/books/reconcile-outcomes.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import { startBank } from '../support/bank.ts';
import { aCreate } from '../support/client.ts';
import { cloneDatabase } from '../support/database.ts';
import { until } from '../support/kassa.ts';
import { namedIn } from '../support/promql.ts';
import { spawnService } from '../support/service.ts';
import { anchorsOf, readDocument } from '../start/documents.ts';

const RULES = 'deploy/prometheus/kassa-rules.yaml';
const BOARD = 'deploy/grafana/kassa.json';
const DEAD = 'http://127.0.0.1:1/';

// What Prometheus itself puts on everything that it asks for.
const OF_TARGETS = ['job', 'instance', 'namespace'];
// What others show: Prometheus, node_exporter, postgres_exporter.
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  up: [],
  ALERTS: ['alertname', 'alertstate', 'severity'],
  node_filesystem_avail_bytes: ['fstype', 'mountpoint'],
  node_filesystem_size_bytes: ['fstype', 'mountpoint'],
  pg_up: [],
};
// Of the embedded Postgres and of one with a standby: test/start/start.test.ts and test/release/synchronous-standby.test.ts
// see these in a running Kassa.
const SEEN_ELSEWHERE = /^kassa_database_(?:disk|standby_lag)_/;
// Labels with few values, all of which the page has.
const CLOSED = new Set(['name', 'reason', 'kind']);

type Rule = { readonly alert: string; readonly expression: string; readonly summary: string; readonly runbook: string };
type Query = { readonly of: string; readonly expression: string; readonly told: readonly string[] };

/** The file has one shape: `- alert:` begins a rule, `expr:` stands on its line or on those below that are indented. */
function readRules(): Rule[] {
  const rules = readFileSync(join(root, RULES), 'utf8')
    .split(/^ {6}- alert: /m)
    .slice(1);
  return rules.map((text) => {
    const field = (name: string): string => new RegExp(`^ +${name}: (.+)$`, 'm').exec(text)?.[1] ?? '';
    const block = /^ {8}expr: \|\n((?: {10}.*\n)+)/m.exec(text)?.[1];
    const alert = text.slice(0, text.indexOf('\n'));
    return { alert, expression: block ?? field('expr'), summary: field('summary'), runbook: field('runbook') };
  });
}

type Panel = { readonly title: string; readonly targets?: readonly { readonly expr: string; legendFormat: string }[] };

function readBoard(): { readonly panels: readonly Panel[]; readonly annotations: readonly string[] } {
  const board = JSON.parse(readFileSync(join(root, BOARD), 'utf8'));
  return { panels: board.panels, annotations: board.annotations.list.map(({ expr }: { expr: string }) => expr) };
}

const labelsIn = (text: string): string[] =>
  Array.from(text.matchAll(/\{\{ ?(?:\$labels\.)?([a-z_]+) ?\}\}/g), ([, label = '']) => label);

const ruleQueries = (): Query[] =>
  readRules().map(({ alert, expression, summary }) => ({ of: alert, expression, told: labelsIn(summary) }));

function boardQueries(): Query[] {
  const { panels, annotations } = readBoard();
  const ofPanels = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ of: title, expression: expr, told: labelsIn(legendFormat) })),
  );
  return [...ofPanels, ...annotations.map((expression) => ({ of: 'annotations', expression, told: [] }))];
}

/** By metric its labels, and by label its values: gathered over all pages. */
class Shown {
  readonly #metrics = new Map<string, Map<string, Set<string>>>();

  add(page: string, isWanted: (metric: string) => boolean = () => true): void {
    for (const [, metric = '', inside = ''] of page.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
      if (!isWanted(metric)) continue;
      const labels = this.#metrics.get(metric) ?? new Map<string, Set<string>>();
      this.#metrics.set(metric, labels);
      for (const [, label = '', value = ''] of inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
        labels.set(label, (labels.get(label) ?? new Set()).add(value));
    }
  }

  /** Undefined when nobody has shown it. */
  labelsOf(metric: string): readonly string[] | undefined {
    const own =
      OF_OTHERS[metric] ?? (this.#metrics.has(metric) ? [...(this.#metrics.get(metric)?.keys() ?? [])] : undefined);
    return own && [...own, ...OF_TARGETS];
  }

  hasValue(metric: string, label: string, value: string): boolean {
    return this.#metrics.get(metric)?.get(label)?.has(value) ?? false;
  }

  /** What is wrong with a query. */
  faultsOf({ of, expression, told }: Query): string[] {
    const { selectors, groupings, isOneFigure } = namedIn(expression);
    assert.ok(selectors.length > 0, `${of} asks for nothing`);
    const faults: string[] = [];
    const known = new Set<string>();
    for (const { metric, matchers } of selectors) {
      const labels = this.labelsOf(metric);
      if (labels === undefined) faults.push(`${of}: nobody shows ${metric}`);
      for (const label of labels ?? []) known.add(label);
      for (const { label, operator, value } of matchers) {
        if (labels && !labels.includes(label)) faults.push(`${of}: ${metric} has no label ${label}`);
        else if (CLOSED.has(label) && operator === '=' && !this.hasValue(metric, label, value))
          faults.push(`${of}: ${metric} is never shown with ${label} ${value}`);
      }
    }
    for (const label of groupings.flat()) if (!known.has(label)) faults.push(`${of}: nothing has the label ${label}`);
    const isLeft = (label: string): boolean =>
      groupings.length === 0 ? !isOneFigure && known.has(label) : groupings.every((list) => list.includes(label));
    for (const label of told) if (!isLeft(label)) faults.push(`${of}: the label ${label} is told and not there`);
    return faults;
  }
}

describe('the alarms and the board', () => {
  const shown = new Shown();

  before(async () => {
    // What is there before the start is told by the first look, and not by the next.
    const [databaseUrl, bank] = await Promise.all([cloneDatabase(), startBank()]);
    const pool = openPool(databaseUrl, { size: 1 });
    await putAcquirer(pool, { name: 'bank', url: bank.url, key: 'a-wrong-key' });
    await keepOutcome(pool, 'bank', []);
    await pool.close();
    const service = await spawnService({ databaseUrl, env: { KASSA_PROCESSES: '2', KASSA_ACQUIRER_TIMEOUT: '3s' } });
    try {
      const played = createMetrics();
      const disk = { folder: '/data', bytes: 2, freeBytes: 1 };
      played.onDatabase({ bytes: 1, standbys: [{ name: 'standby', lagSeconds: 1 }], disk });
      shown.add(String(await played.read()), (metric) => SEEN_ELSEWHERE.test(metric));
      const look = async (wanted: string): Promise<void> =>
        void (await until(wanted, async () => {
          shown.add((await service.client().get('/metrics')).text);
          return shown.labelsOf(wanted) !== undefined;
        }));

      const { client } = await service.openShop({ acquirer: 'bank' });
      const webhooks = [{ eventName: 'payment.created', url: DEAD, authorization: 'a-secret' }];
      const body = { ...aCreate(1_000), notifications: { webhooks } };
      const { paymentId } = await client.must(201, 'POST', '/v1/payments', body);
      await client.must(500, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
      for (const metric of ['kassa_pending_movements', 'kassa_reconcile_differences', 'kassa_delivery_seconds_count'])
        await look(metric);
      await putAcquirer(service.pool, { name: 'bank', url: bank.url, key: bank.key });
      for (const metric of ['kassa_movements_resolved_total', 'kassa_purged_rows_total', 'kassa_logged_requests_total'])
        await look(metric);
    } finally {
      await service.stop();
      await bank.stop();
    }
  });

  test('name only metrics and labels that a running Kassa shows', () => {
    const queries = [...ruleQueries(), ...boardQueries()];
    assert.ok(queries.length > 60, String(queries.length));
    assert.deepEqual(
      queries.flatMap((query) => shown.faultsOf(query)),
      [],
    );
  });

  test('are held to it: a metric, a label, a value or a function that is not there is found', () => {
    const faults = (expression: string, ...told: string[]): string[] => shown.faultsOf({ of: 'x', expression, told });
    assert.deepEqual(faults('max by (name) (kassa_job_runs_total{name="purge"}) > 1', 'name'), []);
    assert.deepEqual(faults('rate(kassa_nothing_total[5m])'), ['x: nobody shows kassa_nothing_total']);
    assert.deepEqual(faults('kassa_job_runs_total{task="purge"}'), ['x: kassa_job_runs_total has no label task']);
    assert.deepEqual(faults('kassa_job_runs_total{name="dig"}'), [
      'x: kassa_job_runs_total is never shown with name dig',
    ]);
    assert.deepEqual(faults('sum by (shop) (kassa_job_runs_total)'), ['x: nothing has the label shop']);
    const isLost = ['x: the label name is told and not there'];
    assert.deepEqual(faults('sum(kassa_job_runs_total)', 'name'), isLost);
    assert.deepEqual(faults('sum by (job) (kassa_job_runs_total)', 'name'), isLost);
    assert.throws(() => faults('ratio(kassa_job_runs_total)'), /ratio is no function/);
    assert.throws(() => faults('kassa_job_runs_total{name='), /the end is there/);
    assert.throws(() => faults('kassa_job_runs_total ; 1'), /cannot be read/);
  });

  test('every alarm has its section and its trials, and every section its alarm', () => {
    const document = readDocument('docs/operate/alarms.md');
    const headings = Array.from(document.text.matchAll(/^## (\w+)$/gm), ([, name = '']) => name);
    const rules = readRules();
    assert.deepEqual(
      headings,
      rules.map(({ alert }) => alert),
    );
    const trials = readFileSync(join(root, 'deploy/prometheus/kassa-rules.test.yaml'), 'utf8');
    for (const { alert, runbook, summary } of rules) {
      const [file, anchor = ''] = runbook.split('#');
      assert.equal(file, document.path, alert);
      assert.equal(anchor, alert.toLowerCase());
      assert.ok(anchorsOf(document).includes(anchor), alert);
      assert.ok(summary.length > 20, alert);
      for (const ending of ['is raised', 'is not']) assert.ok(trials.includes(`name: ${alert} ${ending}\n`), alert);
    }
  });
});
