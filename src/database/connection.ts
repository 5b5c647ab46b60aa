// The way into the embedded Postgres: its address, and the first connection, which proves that it answers, that it is
// ours (only ours knows the password's secret) and that the database exists.
import pg from 'pg';
import { SUPERUSER } from './cluster.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { codeOf, ignoring } from './fault-code.ts';

export type Answer = 'accepted' | 'not yet';

const DATABASE = 'kassa';
// To a process on the same machine; a Postgres that takes longer is still recovering, and is asked again.
const CONNECT_LIMIT_MS = 5_000;

const NO_SUCH_DATABASE = '3D000';
const DATABASE_EXISTS = '42P04';
export const DISK_FULL = '53100';
// Starting or stopping; taken by a crash of another backend; no place free while the last owner's backends leave.
const PASSING = new Set(['57P03', '57P02', '57P01', '53300', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

export function buildUrl(port: number, password: string, database = DATABASE): string {
  // Spelled out, so that a PGSSLMODE of the machine's has no say.
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

/** Connects once; makes the database if it is absent. */
export async function knock(port: number, password: string): Promise<Answer> {
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
    throw new DatabaseUnavailable(`The embedded Postgres (port ${port}) answers, but not to us: ${message}.`, {
      cause: error,
    });
  }
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  // A connection cut while idle is told here; the query under way fails by itself.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end().catch(() => {});
  }
}
