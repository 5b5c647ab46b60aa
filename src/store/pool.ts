// Connections to Postgres. Two pools: one for the group calls, whose sessions are held to index look-ups, and one for
// everything else. Values arrive as text and are read by whoever asked, so nothing is parsed twice.
import pg from 'pg';

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
  override readonly name = 'NotReplicated';
}

// A hung database must not hold a request beyond the 30 s that a client waits.
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 15_000;
const STATEMENT_TIMEOUT_MS = 10_000;

// Group statements join a few keys to big tables. A plan made while a table was still empty would scan it for as long
// as the plan is cached; these settings leave index look-ups as the only sensible plan from the first row on, and keep
// the order of the sorted keys, so that two processes lock rows in the same order.
const LOOK_UPS_ONLY = `
  set enable_seqscan = off; set enable_bitmapscan = off; set enable_hashjoin = off; set enable_mergejoin = off;
`;

const asText = { getTypeParser: () => (value: string) => value };

/** For the statements of tools, which take as long as there is data: a day counts as for ever. */
export const NO_QUERY_TIMEOUT = { query_timeout: 86_400_000 };

// What the reading of rows and the promise of durability rest on, whatever a role, a database or a server is set to: how
// times and bytes are spelled, and that a commit is on disk before it is answered. A stronger setting than `on`
// (remote_apply) is left as it is.
const SESSION = `
  set timezone = 'UTC';
  set datestyle = 'ISO, YMD';
  set bytea_output = 'hex';
  select set_config('synchronous_commit', 'on', false)
  where current_setting('synchronous_commit') in ('off', 'local');
`;

export type Statement = { readonly name: string; readonly text: string };
export type TextRow = readonly (string | null)[];

export type Pool = {
  /** Runs a prepared statement; rows are arrays of texts. */
  run(statement: Statement, values: readonly (string | number | null)[]): Promise<TextRow[]>;
  /** Runs a statement on a connection of the pool, with values parsed by type. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Lends a whole connection, for a transaction or a cursor. */
  withClient<Result>(use: (client: pg.PoolClient) => Promise<Result>): Promise<Result>;
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
// Rolled back for a deadlock or a serialization failure, out of resources, a lock not had in time, cancelled or timed
// out, read-only.
const PASSING = new RegExp(`^(?:40|53)|^(?:55P03|57014|${READ_ONLY})$`);

export const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/** Whether the connection is lost, and with it the outcome of what it ran. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseAway) return !(error instanceof DatabaseBusy);
  const code = codeOf(error);
  if (typeof code !== 'string') {
    const text = error instanceof Error ? error.message : '';
    return /connection|timeout|terminated|not queryable|closed/i.test(text);
  }
  // Whatever the server ends a connection with is FATAL. Class 08 is broken connections, 57P is the server going away,
  // 53300 too many connections; the others are Node's own codes of sockets and TLS.
  if ((error as { severity?: unknown }).severity === 'FATAL') return true;
  return /^08|^57P|^53300$|^E[A-Z]+$|^ERR_(?:SSL|TLS|SOCKET|STREAM)_/.test(code);
}

/** What is thrown to the caller: the driver's error under the name of what it means for the request. */
function explain(error: unknown): unknown {
  if (error instanceof DatabaseAway) return error;
  if (isConnectionError(error)) return new DatabaseAway('the connection to the database broke', { cause: error });
  const code = codeOf(error);
  const isPassing = typeof code === 'string' && PASSING.test(code);
  return isPassing ? new DatabaseBusy('the database refused for now', { cause: error }) : error;
}

export function openPool(url: string, options: { size: number; lookUpsOnly?: boolean }): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.size,
    application_name: 'kassa',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    idleTimeoutMillis: 0,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, though its types do not say so
    onConnect: async (client) => {
      await client.query(SESSION + (options.lookUpsOnly ? LOOK_UPS_ONLY : ''));
    },
  });
  // An idle connection that breaks is replaced by the next query; that query tells when the database is really away.
  pool.on('error', () => {});
  const unreplicated = new WeakSet<object>();
  pool.on('connect', (client) => {
    // A connection that breaks while it is lent fails its query, and tells its client as well: that nobody listens there
    // would end the process.
    client.on('error', () => {});
    client.on('notice', (notice) => {
      if (notice.code === WARNING_NOT_REPLICATED) unreplicated.add(client);
    });
  });

  const withClient = async <Result>(use: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw new NotConnected('the database cannot be reached', { cause: error });
    });
    let broken: Error | undefined;
    try {
      const result = await use(client);
      if (unreplicated.has(client)) throw new NotReplicated('a commit was not replicated');
      return result;
    } catch (error) {
      // A server that became a standby is left, too: the next connection may find the new primary.
      if (isConnectionError(error) || codeOf(error) === READ_ONLY) broken = error as Error;
      throw explain(error);
    } finally {
      client.release(broken);
    }
  };

  return {
    withClient,
    run: async ({ name, text }, values) => {
      const query = { name, text, values: [...values], rowMode: 'array' as const, types: asText };
      const result = await withClient((client) => client.query(query));
      return result.rows as TextRow[];
    },
    query: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) => {
      const result = await withClient((client) => client.query<Row>(text, [...values]));
      return result.rows;
    },
    close: () => pool.end(),
  };
}
