// `kassa serve` as several processes on one port. This one serves nothing itself: it owns the embedded Postgres and the
// data folder, starts the others, starts again what dies, adds up their figures, and stops them. They share nothing but
// Postgres, as processes on several machines do.
import cluster from 'node:cluster';
import type { Config } from '../../config.ts';
import { UserError } from '../../ops/user-error.ts';
import { version } from '../../ops/version.ts';
import { directOf } from '../../store/connections/servers.ts';
import { removeAddress, writeAddress } from '../address-file.ts';
import { openMetricsPort } from '../metrics-port.ts';
import { openOwnDatabase } from '../own-database.ts';
import { runUntilShutdown } from '../process.ts';
import type { Opened } from '../process.ts';
import { STOP_SIGNALS } from '../signals.ts';
import { Crew } from './crew.ts';
import { sumFigures } from './figures.ts';
import { beginLife } from './life.ts';
import type { Life } from './life.ts';
import type { Address, Place } from './messages.ts';

/** The first process ended before it served, and has said why. */
class EndedAtStart extends Error {
  override readonly name = 'EndedAtStart';
  readonly code: number;

  constructor(code: number) {
    super(`ended with ${code}`);
    this.code = code;
  }
}

// Beside the wait for a database: a migration may wait minutes for its locks.
const REPLACE_WITHIN_MS = 600_000;

type Ports = Pick<Place, 'port' | 'consolePort'>;

/** Whoever is at a terminal ends it by closing that; elsewhere SIGHUP asks to begin anew. */
const isAtTerminal = (): boolean => [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);

/** Where 0 was asked for, the ones that were found; an address that was set says nothing of them. */
const portsOf = ({ port, consolePort, consoleUrl }: Config, address: Address): Ports => ({
  port: port || Number(new URL(address.url).port),
  consolePort:
    consolePort === 0 && consoleUrl === undefined && address.consoleUrl !== undefined
      ? Number(new URL(address.consoleUrl).port)
      : consolePort,
});

async function start(opened: Opened, hold: (crew: Crew) => void): Promise<void> {
  const { config, log, shutdown, openings } = opened;
  const embeddedUrl = config.databaseUrl === undefined ? directOf(await openOwnDatabase(opened)) : undefined;
  const figures = sumFigures(() => crew.lives());
  const metricsUrl = await openMetricsPort(opened, figures);
  const onSumAsked = (life: Life): void =>
    void figures.read().then(
      (sum) => life.sendSum(sum.toString()),
      () => {},
    );
  const ports: { now: Ports; found?: Ports } = { now: config };
  // What auto came to here holds for all of them.
  const environment = { KASSA_PROCESSES: String(config.processes) };
  const crew = new Crew({
    size: config.processes,
    log,
    begin: (number, isFirst) => {
      // The port is held by those who serve on it. Where none is left, a free one is looked for no more.
      if (ports.found && crew.lives().length === 0) ports.now = ports.found;
      const { port, consolePort } = ports.now;
      const place = { number, isFirst, port, consolePort, embeddedUrl, metricsUrl };
      return beginLife(place, environment, { onSumAsked });
    },
    onEnded: (life, isDeath) => figures.onEnded(life, isDeath),
    onHopeless: () =>
      shutdown.fail(new UserError('Each process died again and again, so no more are started: the log says how.')),
    replaceWithinMs: config.databaseWaitMs + REPLACE_WITHIN_MS,
  });
  hold(crew);
  openings.add('processes', () => {
    const signal = shutdown.cause()?.signal;
    return crew.stop(signal ? { signal } : {});
  });
  const first = await Promise.race([crew.startFirst(), shutdown.requested]);
  if (shutdown.isRequested() || !('life' in first)) return;
  const { life, address } = first;
  if (address === undefined) {
    const { code, signal } = await life.ended;
    // A sentence of its own ends with 1.
    if (code !== 1) log.logger.error({ code, signal }, 'the first process ended before it served');
    throw new EndedAtStart(code || 1);
  }
  ports.found = portsOf(config, address);
  if (writeAddress(config.dataDir, address)) openings.add('address file', () => removeAddress(config.dataDir));
  await Promise.race([crew.startOthers(), shutdown.requested]);
  if (shutdown.isRequested()) return;
  log.logger.info({ version, processes: config.processes }, 'supervising');
}

/** Runs the processes until it is asked to end; gives the exit code. */
export async function runSupervisor(config: Config): Promise<number> {
  // All accept on one socket: nothing is handed on, so nothing is lost with who dies, and nothing is turned away while one
  // is replaced by another.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const [, exec = ''] = process.argv;
  cluster.setupPrimary({ exec, args: process.argv.slice(2), serialization: 'advanced' });
  let crew: Crew | undefined;
  const replaces = !isAtTerminal();
  if (replaces) process.on('SIGHUP', () => void crew?.replaceAll());
  const signals = replaces ? STOP_SIGNALS.filter((signal) => signal !== 'SIGHUP') : STOP_SIGNALS;
  try {
    await runUntilShutdown(config, (opened) => start(opened, (held) => (crew = held)), {
      supervisor: { signals, onSecondSignal: () => crew?.killAll() },
    });
    return 0;
  } catch (error) {
    if (error instanceof EndedAtStart) return error.code;
    throw error;
  }
}
