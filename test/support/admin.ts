// A connection to the tests' Postgres for making and dropping databases. Without the time limits of the program: on a
// busy machine a database takes its time.
import pg from 'pg';

type Query = (text: string) => Promise<Record<string, string>[]>;

export async function asAdmin<Result>(url: string, use: (query: Query) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(async (text) => (await client.query<Record<string, string>>(text)).rows);
  } finally {
    await client.end();
  }
}
