// The Postgres backends behind our connections: what a backend does whose answer is late, and terminating it when no
// one waits for that answer any more. Otherwise a backend that waits for a standby would stay for as long as the
// standby is away, and others would follow until the server has no connection left. Uses a connection of its own, since
// those of the pools may all be late.
import pg from 'pg';

/**
 * A backend, by server, pid and start time, since pids are reused. Behind a pooler it is ours only for a transaction,
 * so the start time is that of the transaction.
 */
export type Backend = {
  readonly server: string;
  readonly pid: number;
  readonly since: readonly [which: 'backend_start' | 'xact_start', at: string];
};

/** `refused`: the server is up but does not say; `not known`: no answer. */
export type Doing = 'waits for a standby' | 'works' | 'gone' | 'refused' | 'not known';

export const WHICH_BACKEND = 'select pid, backend_start::text from pg_stat_activity where pid = pg_backend_pid()';

// One short query: a server that takes longer is away.
const TIMEOUT_MS = 5_000;
// Backends that could not be terminated yet; more than a process ever has connections.
const MOST_WAITING = 100;
const TRIES = 3;
const PAUSE_MS = 1_000;

export type Backends = {
  look(backend: Backend): Promise<Doing>;
  /** Terminates it, in the background. What it has committed stays committed. */
  end(backend: Backend): void;
};

export function openBackends(): Backends {
  let ending: Promise<void> = Promise.resolve();
  let waiting = 0;

  const ask = async (text: string, { server, pid, since }: Backend): Promise<string | null | undefined> => {
    const limits = { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS };
    const client = new pg.Client({ connectionString: server, application_name: 'kassa', ...limits });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<[string | null]>({ text, values: [pid, since[1]], rowMode: 'array' });
      return rows[0]?.[0];
    } finally {
      void client.end().catch(() => {});
    }
  };

  const endOne = async (backend: Backend): Promise<void> => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      try {
        await ask(`select pg_terminate_backend(pid)::text ${found(backend)}`, backend);
        return;
      } catch {
        // The server is down; its backends are gone with it or cannot be reached.
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
      }
    }
  };

  return {
    look: async (backend) => {
      try {
        const event = await ask(`select wait_event ${found(backend)}`, backend);
        if (event === undefined) return 'gone';
        return event === 'SyncRep' ? 'waits for a standby' : 'works';
      } catch (error) {
        return error instanceof pg.DatabaseError ? 'refused' : 'not known';
      }
    },
    end: (backend) => {
      if (waiting >= MOST_WAITING) return;
      waiting += 1;
      ending = ending.then(() => endOne(backend)).finally(() => (waiting -= 1));
    },
  };
}

const found = ({ since: [which] }: Backend): string =>
  `from pg_stat_activity where pid = $1 and ${which} = $2::timestamptz`;

/** Closes a connection on our side; whatever waits for its answer fails. */
export const cut = (client: pg.ClientBase): void => {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
  stream.destroy();
};
