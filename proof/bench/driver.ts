// Runs a floor without pgbench: the same statements, prepared, on as many connections of the driver. It is heavier
// than pgbench, so a ratio to this floor flatters; the report says which one it was.
import pg from 'pg';
import { driverVariables } from './floor.ts';
import type { Floor, FloorRun } from './floor.ts';
import type { Finished } from './floor-window.ts';
import type { RunFloor } from './pgbench.ts';

type Prepared = { readonly name: string; readonly text: string; readonly names: readonly string[] };

/** :name becomes $1, $2, …; two colons are a cast. */
function prepare(statement: string, index: number): Prepared {
  const names: string[] = [];
  const text = statement.replaceAll(/(?<!:):([a-z]\w*)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { name: `floor_${index}`, text, names };
}

async function runClient(
  client: pg.Client,
  number: number,
  floor: Floor,
  run: FloorRun,
  signal: AbortSignal,
): Promise<Finished[]> {
  const statements = floor.statements.map(prepare);
  const finished: Finished[] = [];
  for (let i = 0; i < run.each; i += 1) {
    signal.throwIfAborted();
    const start = performance.now();
    const values = { ...floor.values, ...driverVariables(floor, run.first + i * run.clients + number) };
    for (const { name, text, names } of statements)
      await client.query({ name, text, values: names.map((variable) => values[variable]), rowMode: 'array' });
    const end = performance.now();
    finished.push({ client: number, endUs: end * 1_000, tookUs: (end - start) * 1_000 });
  }
  return finished;
}

export const runWithDriver: RunFloor = async (url, floor, run, signal) => {
  const clients = Array.from({ length: run.clients }, () => new pg.Client({ connectionString: url }));
  try {
    for (const client of clients) client.on('error', () => {});
    await Promise.all(clients.map((client) => client.connect()));
    const finished = await Promise.all(clients.map((client, number) => runClient(client, number, floor, run, signal)));
    return finished.flat();
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
};
