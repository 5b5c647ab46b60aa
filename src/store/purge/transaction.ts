// A transaction that forgets something. Its commit waits for no disk and no standby: what comes back after a crash is
// forgotten once more, and a standby that is away must not make anybody wait for the rows that it holds.
import type { PoolClient } from 'pg';
import type { Pool } from '../pool.ts';

export async function inTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  return pool.withClient(async (client) => {
    await pool.begin(client, 'set local synchronous_commit = off');
    try {
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  });
}
