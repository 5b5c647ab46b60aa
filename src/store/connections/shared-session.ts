// What stands in for a session where there is none: behind a pooler in transaction mode, each transaction may run in
// another process of Postgres, so each brings all of its settings, and tells which process it is in.
import type { ClientBase, QueryResult } from 'pg';
import type { Backend } from './backends.ts';
import { DURABLE } from './session-settings.ts';
import type { Setting } from './session-settings.ts';

// Should this process freeze between two statements, what it has locked is let go after as long as anybody waits.
const IDLE_LIMIT_MS = 15_000;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The text with which a transaction begins: one statement for all settings costs less than one for each. */
export function beginWith(settings: readonly Setting[]): string {
  const all: readonly Setting[] = [...settings, ['idle_in_transaction_session_timeout', String(IDLE_LIMIT_MS)]];
  const set = all.map(([name, value]) => `set_config(${literal(name)}, ${literal(value)}, true)`);
  const durable = `set_config('synchronous_commit', ${DURABLE}, true)`;
  const process = `pg_backend_pid() as pid,
    (select backend_start::text from pg_stat_get_activity(pg_backend_pid())) as started_at`;
  // The times are written as the settings before them say.
  return `begin; select ${[...set, durable].join(', ')}, ${process}, now()::text as began_at`;
}

type Began = { readonly pid: number; readonly started_at: string; readonly began_at: string };

/** Begins a transaction; gives the process that it runs in, by when it began, and a name that no other process ever has. */
export async function begin(
  client: ClientBase,
  text: string,
  server: string,
): Promise<{ readonly backend: Backend; readonly name: string }> {
  const results = (await client.query(text)) as unknown as QueryResult<Began>[];
  // The second statement: after it come those of whoever begins.
  const began = results[1]?.rows[0];
  if (!began) throw new Error('a transaction began without a row');
  const { pid, started_at: startedAt, began_at: beganAt } = began;
  return { backend: { server, pid, since: ['xact_start', beganAt] }, name: `${pid} ${startedAt}` };
}

// More than any pooler has; beyond, all are taken for new ones.
const MOST_KNOWN = 10_000;

/** Knows processes that were not seen before: after a restart of the server, all of them are, though numbers come again. */
export class SeenBackends {
  readonly #names = new Set<string>();

  /** Whether it is a new one. */
  see(name: string): boolean {
    if (this.#names.has(name)) return false;
    if (this.#names.size >= MOST_KNOWN) this.#names.clear();
    this.#names.add(name);
    return true;
  }
}
