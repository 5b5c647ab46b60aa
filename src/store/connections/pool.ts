// Connections to Postgres, in pools: for the group calls, whose sessions are held to index look-ups, and for everything
// else. Values arrive as text and are read by whoever asked, so nothing is parsed twice. What breaks is named where it
// breaks: while connecting, or on a connection that has ended or never answered.
import pg from 'pg';
import { attend } from './attend.ts';
import { cut, openBackends, WHICH_BACKEND } from './backends.ts';
import type { Backend } from './backends.ts';
import { directOf, openServers } from './servers.ts';
import type { Database } from './servers.ts';
import { settingsOf, settingsText } from './session-settings.ts';
import { begin, beginWith, SeenBackends } from './shared-session.ts';

/** The database cannot be reached, or a call to it broke off before its outcome was known. */
export class DatabaseAway extends Error {
  override readonly name: string = 'DatabaseAway';
}

/** The database refused for now: read-only, out of room, too slow, a deadlock. This call did nothing; a later one may. */
export class DatabaseBusy extends DatabaseAway {
  override readonly name = 'DatabaseBusy';
}

/** No connection could be had, so nothing was asked of the database. */
export class NotConnected extends DatabaseAway {
  override readonly name = 'NotConnected';
}

/** A commit whose outcome could not be looked up in time: it may or may not be there. */
export class OutcomeUnknown extends DatabaseAway {
  override readonly name = 'OutcomeUnknown';
}

/** Done here, but perhaps not where the synchronous standby is: the primary's loss would undo it. */
export class NotReplicated extends DatabaseAway {
  override readonly name: string = 'NotReplicated';
}

/** A commit that waits for a synchronous standby longer than anybody waits for an answer; nobody sees it until then. */
export class WaitsForStandby extends NotReplicated {
  override readonly name = 'WaitsForStandby';
}

/** Nothing was asked of the database: commits before this one wait for a synchronous standby that is away. */
export class StandbyAway extends DatabaseAway {
  override readonly name = 'StandbyAway';
}

// A hung database must not hold a request beyond the 30 s that a client waits.
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 15_000;

const asText = { getTypeParser: () => (value: string) => value };

/** For the statements of tools, which take as long as there is data: a day counts as for ever. */
export const NO_QUERY_TIMEOUT = { query_timeout: 86_400_000 };

export type Statement = { readonly name: string; readonly text: string };
export type TextRow = readonly (string | null)[];

export type PoolOptions = {
  readonly size: number;
  readonly lookUpsOnly?: boolean;
  /** How long a statement waits for somebody else's lock. */
  readonly lockTimeoutMs?: number;
  /** How long an answer is waited for. */
  readonly queryTimeoutMs?: number;
  /**
   * What waits for a synchronous standby goes on waiting on its connection when its caller has given up, so that nobody
   * sees it before the standby has it; until then every other `run` is refused at once.
   */
  readonly waitsForStandby?: boolean;
};

export type Pool = {
  /** Runs a prepared statement; rows are arrays of texts. */
  run(statement: Statement, values: readonly (string | number | null)[]): Promise<TextRow[]>;
  /** As `run` does it in a pool that waits for a standby, in any pool: of these alone others are refused meanwhile. */
  runUntilReplicated: Pool['run'];
  /** Runs a statement on a connection of the pool, with values parsed by type. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Lends a whole connection, for a transaction or a cursor. */
  withClient<Result>(use: (client: pg.PoolClient) => Promise<Result>): Promise<Result>;
  /** Begins a transaction of one's own on a lent connection; `more` are statements that it begins with. */
  begin(client: pg.PoolClient, more?: string): Promise<void>;
  /** Within a transaction alone: what is done once it is committed, each once. */
  afterCommit?(follow: (pool: Pool) => Promise<void>): void;
  /** How many connections have ended so far: after a restart of the server, all of them have. */
  ended(): number;
  close(): Promise<void>;
};

// A wait for a synchronous standby that was cancelled is reported as success with this warning: the commit may be lost
// with the primary, so its outcome counts as unknown.
const WARNING_NOT_REPLICATED = '01000';

pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is no safe integer`);
  return value;
});

export const READ_ONLY = '25006';
const LOCKED = '55P03';
// Rolled back for a deadlock or a serialization failure, out of resources, a lock not had in time, cancelled or timed
// out, read-only.
const PASSING = new RegExp(`^(?:40|53)|^(?:${LOCKED}|57014|${READ_ONLY})$`);

export const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/** Whether somebody else held a lock for longer than this call waits. */
export const isLocked = (error: unknown): boolean => error instanceof DatabaseBusy && codeOf(error.cause) === LOCKED;

/** Whether the connection is lost, and with it the outcome of what it ran. What has no code is named by the pool. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseAway) return !(error instanceof DatabaseBusy);
  const code = codeOf(error);
  if (typeof code !== 'string') return false;
  // Whatever the server ends a connection with is FATAL. Class 08 is broken connections, 57P is the server going away,
  // 53300 too many connections; the others are Node's own codes of sockets and TLS.
  if ((error as { severity?: unknown }).severity === 'FATAL') return true;
  return /^08|^57P|^53300$|^E[A-Z]+$|^ERR_(?:SSL|TLS|SOCKET|STREAM)_/.test(code);
}

/**
 * Whether a call was given up while the server had not answered it. The driver's own errors have no code; those that
 * the server answers with have one, and what a caller throws itself is thrown between two calls.
 */
const isUnanswered = (client: pg.PoolClient, error: unknown): boolean =>
  codeOf(error) === undefined && !(client as unknown as { readonly readyForQuery: boolean }).readyForQuery;

const asLost = (error: unknown): Error =>
  error instanceof DatabaseAway ? error : new DatabaseAway('the connection to the database broke', { cause: error });

/** What is thrown to the caller: the driver's error under the name of what it means for the request. */
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
  // Told once connected, and not while connecting: a pooler in between would refuse that.
  const session = settingsText(settings) + WHICH_BACKEND;
  const beginText = isShared ? beginWith(settings) : 'begin';
  const seen = new SeenBackends();
  const backendOf = new WeakMap<object, Backend>();
  const [broken, unreplicated] = [new WeakSet<object>(), new WeakSet<object>()];
  let ended = 0;
  /** Connections whose commit waits for a standby, and for whose answer nobody waits. */
  const waiting = new Set<pg.PoolClient>();
  /** All that are connected, with the address of their server. */
  const connected = new Map<pg.ClientBase, string>();

  /** Connects to the server that takes what is written now, whichever that was when the pool was opened. */
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

  /** From the first moment on: a connection can break before the pool has lent it for the first time. */
  const watch = (client: pg.ClientBase): void => {
    // A connection that breaks while it is lent fails its query, and tells its client as well: that nobody listens there
    // would end the process.
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
  // An idle connection that breaks is replaced by the next query; that query tells when the database is really away.
  pool.on('error', () => {});

  /** A server that cannot be reached is tried again only when another one has taken over. */
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

  /** Nobody is left to read its answer: the connection is cut, and the server's side of it ended. */
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
      // A server that became a standby is left, too: the next connection may find the new primary.
      if (isConnectionError(named) || codeOf(error) === READ_ONLY) lost = named as Error;
      throw named;
    } finally {
      client.release(lost);
    }
  };

  const beginOn = async (client: pg.PoolClient, more = ''): Promise<void> => {
    const text = `${beginText}; ${more}`;
    if (!isShared) return void (await client.query(text));
    // The process that it had before is lent to somebody else by now.
    backendOf.delete(client);
    const { backend, name } = await begin(client, text, itself.current());
    backendOf.set(client, backend);
    if (seen.see(name)) ended += 1;
  };

  /** Runs a statement: by itself in a session, in a transaction with all of its settings where there is none. */
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
      // What is still under way is ended with its connection. One that cannot be rolled back is not lent again.
      if (!isUnanswered(client, error) && !broken.has(client))
        await client.query('rollback').catch(() => broken.add(client));
      throw error;
    }
  };

  const withClient = async <Result>(use: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await connect();
    return lend(client, () => use(client));
  };

  // A name is known to one process of Postgres only.
  const queryOf = ({ name, text }: Statement, values: readonly (string | number | null)[]): Query => ({
    ...(!isShared && { name }),
    text,
    values: [...values],
    rowMode: 'array',
    types: asText,
  });

  /** The caller is told when it waits for a standby; it goes on all the same, and its end lets the next ones in. */
  const runUntilReplicated: Pool['run'] = async (statement, values) => {
    if (waiting.size > 0) throw new StandbyAway('commits wait for a standby that is away');
    const client = await connect();
    const query = { ...queryOf(statement, values), ...NO_QUERY_TIMEOUT };
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryArrayResult>();
    const leave = attend({
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
      // Their answers would be waited for.
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
