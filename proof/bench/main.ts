// `npm run bench`: how much a Kassa bears on this machine, and what the machine itself gives, in one run.
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { print, runByHand } from '../by-hand.ts';
import { bulkJson, bulkTable, runBulk } from './bulk.ts';
import { runWithDriver } from './driver.ts';
import { HELP, readOptions } from './options.ts';
import type { FairOptions, Options } from './options.ts';
import { findPgbench, runWithPgbench } from './pgbench.ts';
import { fairJson, fairTable } from './fair/report.ts';
import { runFair } from './fair/run.ts';
import { peerJson, peerTable, runPeer } from './peer/run.ts';
import { ratesJson, ratesTable } from './rates/report.ts';
import { runRates } from './rates/run.ts';
import { ratesSvg } from './rates/svg.ts';
import type { RatesOptions } from './rates/rates-options.ts';
import { jsonReport, machineOf, tableReport } from './report.ts';
import type { Environment } from './report.ts';
import { runScenario } from './run.ts';
import type { Result } from './run.ts';
import { takeSamples } from './samples.ts';
import { openSetup } from './setup.ts';
import type { BenchSetup } from './setup.ts';
import type { Run } from './side.ts';

const startedAt = performance.now();
// Of Postgres' connections, those that the service and the bench itself need.
const OTHER_CONNECTIONS = 25;
// What the service bears is measured with as many before rates are shares of it.
const CLOSED_CONNECTIONS = 64;

function tell(text: string): void {
  process.stderr.write(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4)} s  ${text}\n`);
}

async function readEnvironment({ pool }: BenchSetup, options: Options, hasPgbench: boolean): Promise<Environment> {
  const [settings] = await pool.query<{ version: string; most: number; fsync: string; commit: string }>(
    `select current_setting('server_version') as version, current_setting('max_connections')::int as most,
       current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`,
  );
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const most = (settings?.most ?? 100) - OTHER_CONNECTIONS;
  return {
    kassa: version,
    node: process.versions.node,
    postgres: settings?.version.split(' ')[0] ?? '',
    fsync: settings?.fsync ?? '',
    synchronousCommit: settings?.commit ?? '',
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    connections: options.connections,
    floorConnections: Math.min(options.connections, most),
    writeFloor: hasPgbench ? 'pgbench' : 'driver',
    seconds: options.seconds,
  };
}

/** The same for people and for programs. */
type Report = { readonly table: string; readonly json: object };

/** Lends a service with all that is measured beside it. */
async function withRun(
  options: Options,
  signal: AbortSignal,
  use: (run: Run, environment: Environment) => Promise<Report>,
): Promise<Report> {
  tell('starting a service with its own Postgres');
  const setup = await openSetup(options, signal);
  const { folder, service } = setup;
  try {
    const pgbench = findPgbench();
    const environment = await readEnvironment(setup, options, pgbench !== undefined);
    if (pgbench === undefined) tell('no pgbench here: the write floors are run with the driver, which is slower');
    const samples = await takeSamples(setup);
    const bareRoute = setup.start(new URL('bare-route.ts', import.meta.url));
    const floorFolder = join(folder, 'floor');
    await mkdir(floorFolder);
    const run = {
      setup,
      samples,
      connections: options.connections,
      floorClients: environment.floorConnections,
      seconds: options.seconds,
      runFloor: pgbench === undefined ? runWithDriver : runWithPgbench(pgbench, floorFolder),
      bareRoute: {
        port: await bareRoute.ask<number>(samples.text),
        cpuSeconds: () => bareRoute.ask<number>('usage'),
      },
      timeMs: Date.now(),
      signal,
      onProgress: tell,
    };
    return await use(run, environment);
  } finally {
    tell(`stopping the service on port ${service.port}`);
    await setup.close();
  }
}

const measure = (options: Options, signal: AbortSignal): Promise<Report> =>
  withRun(options, signal, async (run, environment) => {
    const results: Result[] = [];
    for (const name of options.only) results.push(await runScenario(run, name));
    return { table: tableReport(results, environment), json: jsonReport(results, environment) };
  });

const measurePeer = (options: Options, signal: AbortSignal): Promise<Report> =>
  withRun(options, signal, async (run, environment) => {
    const results = await runPeer(run);
    const table = [...machineOf(environment), '', peerTable(results, run.connections)].join('\n');
    return { table, json: { peer: peerJson(results) } };
  });

const measureRates = (rates: RatesOptions, options: Options, signal: AbortSignal): Promise<Report> =>
  withRun({ ...options, connections: CLOSED_CONNECTIONS }, signal, async (run, environment) => {
    const results = await runRates(run, rates);
    if (rates.svg !== undefined) await writeFile(rates.svg, ratesSvg(results));
    const table = [...machineOf(environment), '', ratesTable(results, rates.seconds)].join('\n');
    return { table, json: { rates: ratesJson(results) } };
  });

async function measureFair(fair: FairOptions, options: Options, signal: AbortSignal): Promise<Report> {
  const { connections, log, profile } = options;
  const results = await runFair({ ...fair, connections, log, profile, signal, onProgress: tell });
  const table = fairTable(results, fair.seconds, fair.root ?? 'this checkout');
  return { table, json: { fair: fairJson(results) } };
}

async function measureBulk(
  bulk: NonNullable<Options['bulk']>,
  { log, profile }: Options,
  signal: AbortSignal,
): Promise<Report> {
  const result = await runBulk({ ...bulk, log, profile, signal, onProgress: tell });
  return { table: bulkTable(result, bulk.seconds), json: { bulk: bulkJson(result) } };
}

async function report(options: Options, signal: AbortSignal): Promise<string> {
  const reports: Report[] = [];
  if (options.only.length > 0) reports.push(await measure(options, signal));
  if (options.fair !== undefined) reports.push(await measureFair(options.fair, options, signal));
  if (options.peer !== undefined) reports.push(await measurePeer(options, signal));
  if (options.rates !== undefined) reports.push(await measureRates(options.rates, options, signal));
  if (options.bulk !== undefined) reports.push(await measureBulk(options.bulk, options, signal));
  if (!options.json) return reports.map(({ table }) => table).join('\n\n');
  return JSON.stringify(Object.assign({}, ...reports.map(({ json }) => json)), null, 2);
}

await runByHand('bench', async (signal) => {
  const options = readOptions(process.argv.slice(2));
  print(options === undefined ? HELP : await report(options, signal));
  return 0;
});
