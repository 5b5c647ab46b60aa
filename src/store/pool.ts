// Connections to Postgres. Two pools: one for the group calls, whose sessions are held to index look-ups, and one for
// everything else. Values arrive as text and are read by whoever asked, so nothing is parsed twice.
import pg from 'pg';

/** The database cannot be reached, or a call to it broke off before its outcome was known. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';
}

// A hung database must not hold a request beyond the 30 s that a client waits.
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 15_000;
const STATEMENT_TIMEOUT_MS = 10_000;

// Group statements join a few keys to big tables. A plan made while a table was still empty would scan it for as long
// as the plan is cached; these settings leave index look-ups as the only sensible plan from the first row on, and keep
// the order of the sorted keys, so that two processes lock rows in the same order.
const LOOK_UPS_ONLY = 'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off;';

const asText = { getTypeParser: () => (value: string) => value };

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

export function isConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true;
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string') {
    const text = error instanceof Error ? error.message : '';
    return /connection|timeout|terminated|not queryable|closed/i.test(text);
  }
  // Class 08 is broken connections, 57P is the server going away, 53300 too many connections.
  return code.startsWith('08') || code.startsWith('57P') || code === '53300' || /^E[A-Z]+$/.test(code);
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
    onConnect: async (client) => {
      await client.query(`set timezone = 'UTC';${options.lookUpsOnly ? LOOK_UPS_ONLY : ''}`);
    },
  });
  // An idle connection that breaks is replaced by the next query; that query tells when the database is really away.
  pool.on('error', () => {});
  const unreplicated = new WeakSet<object>();
  pool.on('connect', (client) => {
    client.on('notice', (notice) => {
      if (notice.code === WARNING_NOT_REPLICATED) unreplicated.add(client);
    });
  });

  const withClient = async <Result>(use: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw new DatabaseAway('the database cannot be reached', { cause: error });
    });
    let broken: Error | undefined;
    try {
      const result = await use(client);
      if (unreplicated.has(client)) throw new DatabaseAway('a commit was not replicated');
      return result;
    } catch (error) {
      if (isConnectionError(error)) broken = error as Error;
      throw broken ? new DatabaseAway('the connection to the database broke', { cause: error }) : error;
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
