// A transaction of several statements, such as a merchant and its first key: all or nothing. Inside, the store's
// functions work as they do outside.
import type { PoolClient, QueryResultRow } from 'pg';
import type { Pool } from './pool.ts';

/**
 * Returns the result of `work` after the commit; an error rolls everything back. Inside another transaction, it is part
 * of that one.
 */
export async function withinTransaction<Result>(pool: Pool, work: (within: Pool) => Promise<Result>): Promise<Result> {
  if (pool.afterCommit) return work(pool);
  const afterwards = new Set<(pool: Pool) => Promise<void>>();
  const result = await pool.withClient(async (client) => {
    const within: Pool = {
      ...pool,
      query: async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
        (await client.query<Row>(text, [...values])).rows,
      afterCommit: (follow) => void afterwards.add(follow),
    };
    await pool.begin(client);
    try {
      const given = await work(within);
      await client.query('commit');
      return given;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  });
  for (const follow of afterwards) await follow(pool);
  return result;
}

/**
 * A transaction whose commit waits for no disk and no standby, for work that is repeated after a crash, such as
 * deleting expired rows. Its row locks are not held while a standby is away.
 */
export async function inUnsyncedTransaction<Result>(
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
