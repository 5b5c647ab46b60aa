// Prints the plan of every query that reads for a request, carried out on a database with so many payments: a Postgres of
// its own is started, filled and removed again. `npm run plans -- --payments 1000000`; the test of plans holds the same
// on fewer. Each plan is printed with the rows that its scans came upon, its time, and its tree.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { print, runByHand, unlessAborted } from '../proof/by-hand.ts';
import { startEmbeddedDatabase } from '../src/database/embedded.ts';
import { migrate } from '../src/store/schema/migrate.ts';
import { openPool } from '../src/store/connections/pool.ts';
import { explainReading, fillWith, readingsOf, rowsReadBy, scansOf } from '../test/store/readings.ts';
import type { Node } from '../test/store/readings.ts';

const { values } = parseArgs({ options: { payments: { type: 'string', default: '1000000' } } });
const payments = Number(values.payments);

function treeOf(node: Node, depth = 0): string {
  const scanned = node['Relation Name'] === undefined ? '' : ` on ${node['Relation Name']}`;
  const by = node['Index Name'] === undefined ? '' : ` by ${node['Index Name']}`;
  const removed = node['Rows Removed by Filter'] ? `, ${node['Rows Removed by Filter']} passed over` : '';
  const line = `${'  '.repeat(depth + 1)}${node['Node Type']}${scanned}${by} (${node['Actual Rows']} rows${removed})`;
  return [line, ...(node.Plans ?? []).map((plan) => treeOf(plan, depth + 1))].join('\n');
}

async function printPlans(): Promise<number> {
  const embedded = await startEmbeddedDatabase({ dataDir: join(tmpdir(), 'data') });
  const pool = openPool(embedded.url, { size: 2 });
  const grouped = openPool(embedded.url, { size: 2, lookUpsOnly: true });
  await migrate(pool);
  const start = performance.now();
  await fillWith(pool, payments);
  print(`${payments} payments, filled in ${Math.round((performance.now() - start) / 1000)} s\n`);
  for (const reading of readingsOf(payments))
    for (const { mode, plan, ms } of await explainReading(reading.isGrouped ? grouped : pool, reading)) {
      const most = Math.max(0, ...scansOf(plan).map(rowsReadBy));
      print(`${reading.name} (${mode}): at most ${most} rows of a table, ${ms.toFixed(1)} ms\n${treeOf(plan)}\n`);
    }
  await pool.close();
  await grouped.close();
  await embedded.stop();
  return 0;
}

await runByHand('plans', (signal) => unlessAborted(signal, printPlans()));
