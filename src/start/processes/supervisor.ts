// The supervisor of `kassa serve` with several processes on one port. It owns the embedded Postgres and the data folder,
// starts, restarts and stops the processes, and aggregates their metrics, but serves nothing itself. The processes share
// only Postgres, like processes on several machines.
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

/** The first process ended before it served, and has reported why. */
class EndedAtStart extends Error {
  override readonly name = 'EndedAtStart';
  readonly code: number;

  constructor(code: number) {
    super(`ended with ${code}`);
    this.code = code;
  }
}

// In addition to the wait for the database, since a migration may wait minutes for its locks.
const REPLACE_WITHIN_MS = 600_000;

type Ports = Pick<Place, 'port' | 'consolePort'>;

/** At a terminal, SIGHUP means that it was closed; otherwise it requests a rolling restart. */
const isAtTerminal = (): boolean => [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);

/** The actual ports where 0 was configured; a configured address says nothing about them. */
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
  // All processes use the number that auto resolved to.
  const environment = { KASSA_PROCESSES: String(config.processes) };
  const crew = new Crew({
    size: config.processes,
    log,
    begin: (number, isFirst) => {
      // The port is held by the serving processes. If none is left, keep the port instead of picking another one.
      if (ports.found && crew.lives().length === 0) ports.now = ports.found;
      const { port, consolePort } = ports.now;
      const place = { number, isFirst, port, consolePort, embeddedUrl, metricsUrl };
      return beginLife(place, environment, { onSumAsked });
    },
    onEnded: (life, isDeath) => figures.onEnded(life, isDeath),
    onHopeless: () =>
      shutdown.fail(new UserError('All processes keep crashing, so they are not restarted: see the log.')),
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
    // Exit code 1 means that it has printed an error message.
    if (code !== 1) log.logger.error({ code, signal }, 'the first process exited before it was ready');
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
  // All processes accept on one socket, so that a crash loses only its own connections, and none is refused during a
  // rolling restart.
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
