// Replaces a session behind a pooler in transaction mode: each transaction may run in another backend, so each sets all
// of its settings and reads which backend it has.
import type { ClientBase, QueryResult } from 'pg';
import type { Backend } from './backends.ts';
import { DURABLE } from './session-settings.ts';
import type { Setting } from './session-settings.ts';

// If this process freezes between two statements, its locks are released after the longest time that anyone waits.
const IDLE_LIMIT_MS = 15_000;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The text that begins a transaction: one statement for all settings is cheaper than one for each. */
export function beginWith(settings: readonly Setting[]): string {
  const all: readonly Setting[] = [...settings, ['idle_in_transaction_session_timeout', String(IDLE_LIMIT_MS)]];
  const set = all.map(([name, value]) => `set_config(${literal(name)}, ${literal(value)}, true)`);
  const durable = `set_config('synchronous_commit', ${DURABLE}, true)`;
  const process = `pg_backend_pid() as pid,
    (select backend_start::text from pg_stat_get_activity(pg_backend_pid())) as started_at`;
  // Times are formatted by the settings before them.
  return `begin; select ${[...set, durable].join(', ')}, ${process}, now()::text as began_at`;
}

type Began = { readonly pid: number; readonly started_at: string; readonly began_at: string };

/**
 * Begins a transaction. Returns its backend, identified by the start time of the transaction, and a name that is unique
 * to that backend.
 */
export async function begin(
  client: ClientBase,
  text: string,
  server: string,
): Promise<{ readonly backend: Backend; readonly name: string }> {
  const results = (await client.query(text)) as unknown as QueryResult<Began>[];
  // The second statement; those of the caller follow.
  const began = results[1]?.rows[0];
  if (!began) throw new Error('a transaction began without a row');
  const { pid, started_at: startedAt, began_at: beganAt } = began;
  return { backend: { server, pid, since: ['xact_start', beganAt] }, name: `${pid} ${startedAt}` };
}

// More than any pooler has; beyond that, all count as new.
const MOST_KNOWN = 10_000;

/** Detects new backends: after a restart of the server all are new, though pids repeat. */
export class SeenBackends {
  readonly #names = new Set<string>();

  /** Whether it is new. */
  see(name: string): boolean {
    if (this.#names.has(name)) return false;
    if (this.#names.size >= MOST_KNOWN) this.#names.clear();
    this.#names.add(name);
    return true;
  }
}
