// Connects to the embedded Postgres: its address, and a first connection that proves that it responds, that it is ours (it
// knows the password) and that the database exists.
import pg from 'pg';
import { SUPERUSER } from './cluster.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { codeOf, ignoring } from './fault-code.ts';

export type Answer = 'accepted' | 'not yet';

const DATABASE = 'kassa';
// For a local process; a Postgres that takes longer is still recovering, and is retried.
const CONNECT_LIMIT_MS = 5_000;

const NO_SUCH_DATABASE = '3D000';
const DATABASE_EXISTS = '42P04';
export const DISK_FULL = '53100';
// Starting or stopping; terminated by a crash of another backend; too many connections while old backends exit.
const PASSING = new Set(['57P03', '57P02', '57P01', '53300', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

export function buildUrl(port: number, password: string, database = DATABASE): string {
  // Explicit, so that PGSSLMODE has no effect.
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

/** Connects once; creates the database if it is missing. */
export async function tryConnection(port: number, password: string): Promise<Answer> {
  try {
    await query(buildUrl(port, password), 'SELECT 1').catch(async (error: unknown) => {
      if (codeOf(error) !== NO_SUCH_DATABASE) throw error;
      await query(buildUrl(port, password, 'postgres'), `CREATE DATABASE ${DATABASE}`).catch(ignoring(DATABASE_EXISTS));
    });
    return 'accepted';
  } catch (error) {
    const { message } = error as Error;
    if (codeOf(error) === DISK_FULL) throw error;
    if (PASSING.has(codeOf(error)) || /timeout|terminated/.test(message)) return 'not yet';
    throw new DatabaseUnavailable(`The embedded Postgres (port ${port}) refuses the connection: ${message}.`, {
      cause: error,
    });
  }
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  // Emitted for a connection lost while idle; a running query fails by itself.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end().catch(() => {});
  }
}
