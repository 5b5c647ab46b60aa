// A connection without a statement timeout, for a while.
import type { PoolClient } from 'pg';
import { LIMIT_STATEMENTS } from '../../connections/session-settings.ts';

/** JIT-compiling statements as long as these takes longer than running them. */
const BEGIN = 'set statement_timeout = 0; set jit = off';

export async function withLongStatements<Result>(client: PoolClient, use: () => Promise<Result>): Promise<Result> {
  await client.query(BEGIN);
  try {
    return await use();
  } finally {
    await client.query(`${LIMIT_STATEMENTS} reset jit; reset enable_nestloop`);
  }
}
