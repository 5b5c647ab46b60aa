// Runs a floor with pgbench: prepared statements, as many clients as the service has connections, and a log of every
// transaction, from which rate and latencies are taken.
import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { pgbenchVariables } from './floor.ts';
import type { Floor, FloorRun } from './floor.ts';
import type { Finished } from './floor-window.ts';

const run = promisify(execFile);

export type RunFloor = (url: string, floor: Floor, floorRun: FloorRun, signal: AbortSignal) => Promise<Finished[]>;

/** Where pgbench is: on the path, or where Debian puts it. */
export function findPgbench(path = process.env['PATH'] ?? ''): string | undefined {
  const onPath = path.split(delimiter).map((folder) => join(folder, 'pgbench'));
  return [...onPath, ...globSync('/usr/lib/postgresql/*/bin/pgbench').toSorted().toReversed()].find(existsSync);
}

export function runWithPgbench(pgbench: string, folder: string): RunFloor {
  return async (url, floor, floorRun, signal) => {
    const { hostname, port, username, password, pathname } = new URL(url);
    const script = join(folder, 'floor.sql');
    const prefix = 'floor-log';
    const lines = [...pgbenchVariables(floor, floorRun), ...floor.statements.map((statement) => `${statement};`)];
    await writeFile(script, `${lines.join('\n')}\n`);
    const { clients, each } = floorRun;
    const threads = Math.min(clients, availableParallelism());
    const values = Object.entries({ i: '0', ...floor.values });
    const args = ['-n', '-M', 'prepared', '-c', clients, '-j', threads, '-t', each, '-f', script];
    const where = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)];
    const log = ['-l', '--log-prefix', join(folder, prefix)];
    const defined = values.flatMap(([name, value]) => ['-D', `${name}=${value}`]);
    await run(pgbench, [...args.map(String), ...log, ...defined, ...where], {
      env: { ...process.env, PGPASSWORD: password },
      signal,
    });
    return readLogs(folder, prefix);
  };
}

/** One file a thread; a line is client, transaction, microseconds, script, and the end in seconds and microseconds. */
async function readLogs(folder: string, prefix: string): Promise<Finished[]> {
  const files = (await readdir(folder)).filter((file) => file.startsWith(prefix)).map((file) => join(folder, file));
  const finished: Finished[] = [];
  for (const file of files) {
    for (const line of (await readFile(file, 'utf8')).trimEnd().split('\n')) {
      const [client = 0, , tookUs = 0, , seconds = 0, microseconds = 0] = line.split(' ').map(Number);
      finished.push({ client, tookUs, endUs: seconds * 1e6 + microseconds });
    }
    await rm(file);
  }
  return finished;
}
