// How a process stops, from first to last: the service, and the worker, which has less of it. First it says that it is
// stopping and is unready, and after a SIGTERM serves on for KASSA_DRAIN_TIME, for load balancers; then it closes what it
// has, in the order below. Which signals ask for it is in signals.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Log } from '../ops/log.ts';
import { remark } from '../ops/print.ts';
import type { ShutdownCause } from './signals.ts';

/** What begins new work by itself goes first, then those who ask us, then what all of them need. */
const ORDER = [
  // Commands of this folder must not find us any more.
  'address file',
  // Those of a supervisor; each has all of the parts below.
  'processes',
  'housekeeping',
  // What is on the wire is let finish; what is due is for the next who delivers.
  'deliverer',
  'delivery figures',
  'resolver',
  // What is under way is let finish; the rest is for the next process.
  'bulks',
  // No new connections; requests under way are answered, as long as what they need is there.
  'http',
  'console port',
  // What was answered is written down, for so long as that takes seconds.
  'request log',
  'refusals',
  // What was still done above is in it.
  'audit head',
  'metrics port',
  'readiness probe',
  'servers of the database',
  // Publishes what is waiting, and closes the connections.
  'store',
  'embedded postgres',
  // What was seen of all this is brought to its collector, for so long as that takes seconds.
  'traces',
  // For the sum of all that was, when nothing more is counted.
  'last figures',
] as const;

// Without a supervisor nobody else is at the ports, and whoever is started anew needs them.
const FIRST_OF_ORPHANS: readonly Part[] = ['http', 'console port'];

type Part = (typeof ORDER)[number];

/** What a process has opened so far, each by how it is closed. */
export class Openings {
  readonly #closes = new Map<Part, () => Promise<unknown>>();

  add(part: Part, close: () => Promise<unknown>): void {
    this.#closes.set(part, close);
  }

  /** Closes what is open: those at once first, then in the order above, each even when the one before failed. */
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

// Requests under way have 30 s at most; with this, whatever hangs then does not hang for ever.
const CLOSE_LIMIT_MS = 30_000;

// A supervisor waits for those whom it has told to stop, who have the above.
const SUPERVISOR_MORE_MS = 15_000;

/** Whether a process is the service itself, one of several, the one that started those, or a program that holds it. */
export type Role = 'alone' | 'one of several' | 'supervisor' | 'held';

type Stopping = { readonly config: Config; readonly log: Log; readonly openings: Openings; readonly role: Role };

/** Ends the process when what was to be finished is not finished in time. */
export function giveUpLater({ config, log, role }: Stopping): void {
  const giveUp = (): void => {
    remark(`kassa: Not everything was finished within ${CLOSE_LIMIT_MS / 1000} s.`);
    log.flush();
    process.exit(1);
  };
  const moreMs = role === 'supervisor' ? SUPERVISOR_MORE_MS : 0;
  setTimeout(giveUp, config.drainMs + CLOSE_LIMIT_MS + moreMs).unref();
}

export async function shutDown(stopping: Stopping, cause: ShutdownCause): Promise<void> {
  const { config, log, openings, role } = stopping;
  const { signal, fault, isOrphaned } = cause;
  // Of several the supervisor speaks to whoever sits at the terminal.
  const isTerminal = process.stderr.isTTY && role !== 'one of several';
  if (signal === 'SIGINT' && isTerminal) remark('\nStopping. Ctrl-C once more ends at once.');
  log.logger.info({ signal }, 'stopping');
  if (signal === 'SIGTERM' && role !== 'supervisor') await sleep(config.drainMs);
  await openings.close(isOrphaned ? FIRST_OF_ORPHANS : []);
  if (fault) throw fault;
  if (!isTerminal) return log.logger.info('stopped');
  log.flush();
  remark('Stopped.');
}
