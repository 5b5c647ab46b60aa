// Shuts down the service or the worker. It first reports that it is not ready and, after SIGTERM, keeps serving for
// KASSA_DRAIN_TIME, for load balancers; then it closes its parts in the order below. Signals are in signals.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Log } from '../ops/log.ts';
import { remark } from '../ops/print.ts';
import type { ShutdownCause } from './signals.ts';

/** First what starts new work, then what serves requests, then what both need. */
const ORDER = [
  // Commands must no longer find this service.
  'address file',
  // Those of a supervisor; each has the parts below.
  'processes',
  'housekeeping',
  // Deliveries in progress finish; due ones are left to other processes.
  'deliverer',
  'delivery figures',
  'resolver',
  // Charges in progress finish; the rest is left to other processes.
  'bulks',
  // No new connections; requests in progress are answered.
  'http',
  'console port',
  // Flushed, within seconds.
  'request log',
  'refusals',
  // Covers everything done above.
  'audit head',
  'metrics port',
  'readiness probe',
  'servers of the database',
  // Publishes pending events, and closes the connections.
  'store',
  'embedded postgres',
  // Exports the last spans, within seconds.
  'traces',
  // The final metrics, for the sum of the supervisor.
  'last figures',
] as const;

// A new supervisor needs the ports of an orphaned process.
const FIRST_OF_ORPHANS: readonly Part[] = ['http', 'console port'];

type Part = (typeof ORDER)[number];

/** The open parts of a process, each with its close function. */
export class Openings {
  readonly #closes = new Map<Part, () => Promise<unknown>>();

  add(part: Part, close: () => Promise<unknown>): void {
    this.#closes.set(part, close);
  }

  /** Closes all open parts: those in `first` concurrently, then the others in order, whether or not one fails. */
  async close(first: readonly Part[] = []): Promise<void> {
    await Promise.all(first.map((part) => this.#close(part)));
    for (const part of ORDER) await this.#close(part);
  }

  async #close(part: Part): Promise<void> {
    const close = this.#closes.get(part);
    this.#closes.delete(part);
    await close?.().catch(() => {});
  }
}

// Requests take at most 30 s; a shutdown that hangs longer is aborted.
const CLOSE_LIMIT_MS = 30_000;

// A supervisor waits for its processes, which have the limit above.
const SUPERVISOR_MORE_MS = 15_000;

/** The role of a process: a service on its own, one of several, their supervisor, or embedded in another program. */
export type Role = 'alone' | 'one of several' | 'supervisor' | 'held';

type Stopping = { readonly config: Config; readonly log: Log; readonly openings: Openings; readonly role: Role };

/** Exits the process if the shutdown takes too long. */
export function giveUpLater({ config, log, role }: Stopping): void {
  const giveUp = (): void => {
    remark(`kassa: The shutdown did not complete within ${CLOSE_LIMIT_MS / 1000} s.`);
    log.flush();
    process.exit(1);
  };
  const moreMs = role === 'supervisor' ? SUPERVISOR_MORE_MS : 0;
  setTimeout(giveUp, config.drainMs + CLOSE_LIMIT_MS + moreMs).unref();
}

export async function shutDown(stopping: Stopping, cause: ShutdownCause): Promise<void> {
  const { config, log, openings, role } = stopping;
  const { signal, fault, isOrphaned } = cause;
  // With several processes, only the supervisor writes to the terminal.
  const isTerminal = process.stderr.isTTY && role !== 'one of several';
  if (signal === 'SIGINT' && isTerminal) remark('\nStopping. Press Ctrl-C again to stop immediately.');
  log.logger.info({ signal }, 'stopping');
  if (signal === 'SIGTERM' && role !== 'supervisor') await sleep(config.drainMs);
  await openings.close(isOrphaned ? FIRST_OF_ORPHANS : []);
  if (fault) throw fault;
  if (!isTerminal) return log.logger.info('stopped');
  log.flush();
  remark('Stopped.');
}
