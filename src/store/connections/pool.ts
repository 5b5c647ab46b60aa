// Connection pools to Postgres: for group calls, whose sessions are restricted to index scans, and for everything else.
// Values arrive as text and are parsed by the caller, so nothing is parsed twice. Connection errors are classified
// here: while connecting, or on a connection that broke or did not answer.
import pg from 'pg';
import { watchStatement } from './statement-watch.ts';
import { cut, openBackends, WHICH_BACKEND } from './backends.ts';
import type { Backend } from './backends.ts';
import { directOf, openServers } from './servers.ts';
import type { Database } from './servers.ts';
import { settingsOf, settingsText } from './session-settings.ts';
import { begin, beginWith, SeenBackends } from './shared-session.ts';

/** The database cannot be reached, or the connection broke before the outcome of a call was known. */
export class DatabaseAway extends Error {
  override readonly name: string = 'DatabaseAway';
}

/**
 * The database refused temporarily: read-only, out of space, timeout, deadlock. Nothing was done; a retry may succeed.
 */
export class DatabaseBusy extends DatabaseAway {
  override readonly name = 'DatabaseBusy';
}

/** Could not connect, so nothing was sent to the database. */
export class NotConnected extends DatabaseAway {
  override readonly name = 'NotConnected';
}

/** A commit whose outcome could not be determined in time: it may or may not be committed. */
export class OutcomeUnknown extends DatabaseAway {
  override readonly name = 'OutcomeUnknown';
}

/** Committed here, but perhaps not on the synchronous standby: it would be lost with the primary. */
export class NotReplicated extends DatabaseAway {
  override readonly name: string = 'NotReplicated';
}

/** A commit that waits for a synchronous standby for longer than a client waits; it is not visible until then. */
export class WaitsForStandby extends NotReplicated {
  override readonly name = 'WaitsForStandby';
}

/** Nothing was sent to the database: earlier commits wait for a synchronous standby that is away. */
export class StandbyAway extends DatabaseAway {
  override readonly name = 'StandbyAway';
}

// A database that hangs must not hold a request beyond the 30 s that a client waits.
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 15_000;

const asText = { getTypeParser: () => (value: string) => value };

/** For statements of tools, which take as long as there is data: a day is as good as forever. */
export const NO_QUERY_TIMEOUT = { query_timeout: 86_400_000 };

export type Statement = { readonly name: string; readonly text: string };
export type TextRow = readonly (string | null)[];

export type PoolOptions = {
  readonly size: number;
  readonly lookUpsOnly?: boolean;
  /** Lock timeout. */
  readonly lockTimeoutMs?: number;
  /** How long to wait for an answer. */
  readonly queryTimeoutMs?: number;
  /**
   * A statement that waits for a synchronous standby goes on waiting on its connection after its caller has given up,
   * so that it is not visible before the standby has it; until then every other `run` is refused immediately.
   */
  readonly waitsForStandby?: boolean;
};

export type Pool = {
  /** Runs a prepared statement; rows are arrays of text. */
  run(statement: Statement, values: readonly (string | number | null)[]): Promise<TextRow[]>;
  /** Like `run` in a pool that waits for a standby, in any pool; only calls of this kind are refused meanwhile. */
  runUntilReplicated: Pool['run'];
  /** Runs a statement on a connection of the pool, with values parsed by type. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Lends a whole connection, for a transaction or a cursor. */
  withClient<Result>(use: (client: pg.PoolClient) => Promise<Result>): Promise<Result>;
  /** Begins a transaction on a lent connection; `more` are further statements at its start. */
  begin(client: pg.PoolClient, more?: string): Promise<void>;
  /** Only within a transaction: runs after the commit, once per function. */
  afterCommit?(follow: (pool: Pool) => Promise<void>): void;
  /** The number of connections that have ended so far; after a restart of the server, all of them have. */
  ended(): number;
  close(): Promise<void>;
};

// If a wait for a synchronous standby was cancelled, Postgres reports success with this warning: the commit may be lost
// with the primary, so its outcome counts as unknown.
const WARNING_NOT_REPLICATED = '01000';

pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is no safe integer`);
  return value;
});

export const READ_ONLY = '25006';
const LOCKED = '55P03';
// Deadlock, serialization failure, out of resources, lock timeout, cancelled, statement timeout, read-only.
const PASSING = new RegExp(`^(?:40|53)|^(?:${LOCKED}|57014|${READ_ONLY})$`);

export const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/** Whether another session held a lock for longer than the lock timeout. */
export const isLocked = (error: unknown): boolean => error instanceof DatabaseBusy && codeOf(error.cause) === LOCKED;

/**
 * Whether the connection is lost, and with it the outcome of its statement. The pool classifies errors without a code.
 */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseAway) return !(error instanceof DatabaseBusy);
  const code = codeOf(error);
  if (typeof code !== 'string') return false;
  // FATAL errors end the connection. Class 08 is connection failures, 57P is shutdown, 53300 is too many connections;
  // the others are Node's codes of sockets and TLS.
  if ((error as { severity?: unknown }).severity === 'FATAL') return true;
  return /^08|^57P|^53300$|^E[A-Z]+$|^ERR_(?:SSL|TLS|SOCKET|STREAM)_/.test(code);
}

/**
 * Whether a call was abandoned before the server answered. The driver's own errors have no code; those of the server
 * have one, and callers only throw between two calls.
 */
const isUnanswered = (client: pg.PoolClient, error: unknown): boolean =>
  codeOf(error) === undefined && !(client as unknown as { readonly readyForQuery: boolean }).readyForQuery;

const asLost = (error: unknown): Error =>
  error instanceof DatabaseAway ? error : new DatabaseAway('the connection to the database broke', { cause: error });

/** The error for the caller: the driver's error, classified by what it means for the request. */
function explain(error: unknown): unknown {
  if (error instanceof DatabaseAway || isConnectionError(error)) return asLost(error);
  const code = codeOf(error);
  const isPassing = typeof code === 'string' && PASSING.test(code);
  return isPassing ? new DatabaseBusy('the database refused for now', { cause: error }) : error;
}

type Query = pg.QueryArrayConfig & { readonly types: typeof asText };

export function openPool(database: Database, options: PoolOptions): Pool {
  const { size, waitsForStandby = false, queryTimeoutMs = QUERY_TIMEOUT_MS } = options;
  const isShared = typeof database !== 'string';
  const servers = openServers(isShared ? database.pooled : database);
  const itself = openServers(directOf(database));
  const backends = openBackends();
  const settings = settingsOf(options);
  // Set after connecting, not in the startup packet, which a pooler would refuse.
  const session = settingsText(settings) + WHICH_BACKEND;
  const beginText = isShared ? beginWith(settings) : 'begin';
  const seen = new SeenBackends();
  const backendOf = new WeakMap<object, Backend>();
  const [broken, unreplicated] = [new WeakSet<object>(), new WeakSet<object>()];
  let ended = 0;
  /** Connections whose commit waits for a standby after the caller has given up. */
  const waiting = new Set<pg.PoolClient>();
  /** All connections, with the address of their server. */
  const connected = new Map<pg.ClientBase, string>();

  /** Connects to the current primary, whichever it was when the pool was opened. */
  class Client extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      const connectionString = servers.current();
      super({ ...config, connectionString });
      connected.set(this, connectionString);
      this.once('end', () => connected.delete(this));
    }
  }

  servers.onMove(() => {
    for (const [client, server] of connected) if (server !== servers.current()) cut(client);
  });

  /** From the start: a connection can break before the pool first lends it. */
  const watch = (client: pg.ClientBase): void => {
    // A connection that breaks while lent fails its query and emits an error as well, which would end the process if
    // nothing listened.
    client.on('error', () => broken.add(client));
    client.on('end', () => {
      broken.add(client);
      ended += 1;
    });
    client.on('notice', (notice) => {
      if (notice.code === WARNING_NOT_REPLICATED) unreplicated.add(client);
    });
  };

  const pool = new pg.Pool({
    Client,
    max: size,
    application_name: 'kassa',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    idleTimeoutMillis: 0,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, though its types do not say so
    onConnect: async (client) => {
      watch(client);
      if (isShared) return;
      const results = await client.query(session);
      const row = (results as unknown as pg.QueryResult<{ pid: number; backend_start: string }>[]).at(-1)?.rows[0];
      const server = connected.get(client) ?? '';
      if (row) backendOf.set(client, { server, pid: row.pid, since: ['backend_start', row.backend_start] });
    },
  });
  // An idle connection that breaks is replaced by the next query, which reports whether the database is really down.
  pool.on('error', () => {});

  /** If a server cannot be reached, tries again only if another one has taken over. */
  const connect = async (): Promise<pg.PoolClient> => {
    if (servers.areSeveral) await servers.first;
    const server = servers.current();
    try {
      return await pool.connect();
    } catch (error) {
      const found = servers.areSeveral ? await servers.find() : server;
      if (found !== undefined && found !== server) return pool.connect().catch(refuse);
      return refuse(error);
    }
  };

  /** No one waits for its answer: closes the connection and terminates its backend. */
  const abandon = (client: pg.PoolClient): void => {
    const backend = backendOf.get(client);
    if (backend) backends.end(backend);
    cut(client);
  };

  const lend = async <Result>(client: pg.PoolClient, use: () => Promise<Result>): Promise<Result> => {
    let lost: Error | undefined;
    try {
      const result = await use();
      if (unreplicated.has(client)) throw new NotReplicated('a commit was not replicated');
      return result;
    } catch (error) {
      const isLate = isUnanswered(client, error) && !broken.has(client);
      if (isLate) abandon(client);
      const named = isLate || broken.has(client) ? asLost(error) : explain(error);
      // A server that became a standby is left as well: the next connection may find the new primary.
      if (isConnectionError(named) || codeOf(error) === READ_ONLY) lost = named as Error;
      throw named;
    } finally {
      client.release(lost);
    }
  };

  const beginOn = async (client: pg.PoolClient, more = ''): Promise<void> => {
    const text = `${beginText}; ${more}`;
    if (!isShared) return void (await client.query(text));
    // Its previous backend belongs to another client by now.
    backendOf.delete(client);
    const { backend, name } = await begin(client, text, itself.current());
    backendOf.set(client, backend);
    if (seen.see(name)) ended += 1;
  };

  /** Runs a statement: directly in a session; behind a pooler in a transaction with all settings. */
  const ask = async <Result>(
    client: pg.PoolClient,
    run: () => Promise<Result>,
    limits?: typeof NO_QUERY_TIMEOUT,
  ): Promise<Result> => {
    if (!isShared) return run();
    try {
      await beginOn(client);
      const result = await run();
      await client.query({ text: 'commit', ...limits });
      return result;
    } catch (error) {
      // A running statement ends with its connection. A connection that cannot be rolled back is not lent again.
      if (!isUnanswered(client, error) && !broken.has(client))
        await client.query('rollback').catch(() => broken.add(client));
      throw error;
    }
  };

  const withClient = async <Result>(use: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await connect();
    return lend(client, () => use(client));
  };

  // Only one backend knows the name of a prepared statement.
  const queryOf = ({ name, text }: Statement, values: readonly (string | number | null)[]): Query => ({
    ...(!isShared && { name }),
    text,
    values: [...values],
    rowMode: 'array',
    types: asText,
  });

  /** The caller gets an error when it waits for a standby; the statement goes on, and its end lets others in. */
  const runUntilReplicated: Pool['run'] = async (statement, values) => {
    if (waiting.size > 0) throw new StandbyAway('commits wait for a standby that is away');
    const client = await connect();
    const query = { ...queryOf(statement, values), ...NO_QUERY_TIMEOUT };
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryArrayResult>();
    const leave = watchStatement({
      look: async () => {
        const backend = backendOf.get(client);
        return backend ? backends.look(backend) : 'not known';
      },
      onWaits: () => {
        waiting.add(client);
        reject(new WaitsForStandby('a commit waits for a standby'));
      },
      cut: () => cut(client),
      abandon: () => abandon(client),
    });
    lend(client, () => ask(client, () => client.query(query), NO_QUERY_TIMEOUT))
      .finally(() => {
        waiting.delete(client);
        leave();
      })
      .then(resolve, reject);
    return (await promise).rows as TextRow[];
  };

  return {
    withClient,
    begin: beginOn,
    runUntilReplicated,
    run: async (statement, values) => {
      if (waitsForStandby) return runUntilReplicated(statement, values);
      const query = queryOf(statement, values);
      return (await withClient((client) => ask(client, () => client.query(query)))).rows as TextRow[];
    },
    query: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) => {
      const result = await withClient((client) => ask(client, () => client.query<Row>(text, [...values])));
      return result.rows;
    },
    ended: () => ended,
    close: async () => {
      // Closing them gracefully would wait for their answers.
      for (const client of waiting) cut(client);
      servers.close();
      itself.close();
      await pool.end();
    },
  };
}

const refuse = (error: unknown): never => {
  throw new NotConnected('the database cannot be reached', { cause: error });
};
