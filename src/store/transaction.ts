// A transaction for what is made of several statements, such as a merchant and its first key: all of it is there, or
// nothing. Inside, the functions of the store work as they do outside.
import type { QueryResultRow } from 'pg';
import type { Pool } from './pool.ts';

/** Gives what the work gave once it is committed; what it throws undoes everything. */
export async function withinTransaction<Result>(pool: Pool, work: (within: Pool) => Promise<Result>): Promise<Result> {
  return pool.withClient(async (client) => {
    const within: Pool = {
      ...pool,
      query: async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
        (await client.query<Row>(text, [...values])).rows,
    };
    await client.query('begin');
    try {
      const result = await work(within);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  });
}
