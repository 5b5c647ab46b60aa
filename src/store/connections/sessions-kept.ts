// Finds out whether connections have sessions of their own or share backends behind a pooler in transaction mode, and
// whether two addresses lead to the same database. It has to try, since no pooler reports it.
import { randomInt } from 'node:crypto';
import pg from 'pg';
import { NotConnected } from './pool.ts';
import { openServers } from './servers.ts';

const LIMITS = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 };
// Other clients may interfere on a busy pooler, so it checks more than once.
const LOOKS = 12;
const LARGEST_KEY = 2 ** 31;

/** Lends a connection without settings: a pooler's shared backends must stay as they are. */
async function withPlain<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const servers = openServers(url);
  try {
    await servers.first;
    const client = new pg.Client({ connectionString: servers.current(), application_name: 'kassa', ...LIMITS });
    client.on('error', () => {});
    try {
      await client.connect();
      return await use(client);
    } catch (error) {
      // It only reads, so a failure has changed nothing.
      throw error instanceof NotConnected ? error : new NotConnected('the database cannot be asked', { cause: error });
    } finally {
      await client.end().catch(() => {});
    }
  } finally {
    servers.close();
  }
}

async function pidOf(client: pg.Client, text = 'select pg_backend_pid() as pid'): Promise<unknown> {
  const result = (await client.query(text)) as unknown as pg.QueryResult | pg.QueryResult[];
  const last = Array.isArray(result) ? result.at(-1) : result;
  return (last?.rows[0] as { pid: unknown } | undefined)?.pid;
}

/** Two connections open at once have two backends, and each keeps its own; behind such a pooler they do not. */
export const keepsSessions = (url: string): Promise<boolean> =>
  withPlain(url, (one) =>
    withPlain(url, async (other) => {
      const [ofOne, ofOther] = [await pidOf(one), await pidOf(other)];
      for (let look = 0; look < LOOKS; look += 1) {
        // While one is in a transaction, the other cannot get its backend; they take turns, so that neither is
        // favoured.
        const [holder, asker] = look % 2 === 0 ? [one, other] : [other, one];
        const held = await pidOf(holder, 'begin; select pg_backend_pid() as pid');
        const asked = await pidOf(asker);
        await holder.query('rollback');
        const [nowOfOne, nowOfOther] = look % 2 === 0 ? [held, asked] : [asked, held];
        if (ofOne === ofOther || nowOfOne !== ofOne || nowOfOther !== ofOther) return false;
      }
      return true;
    }),
  );

/** An advisory lock taken at one address is visible at the other if both lead to the same database. */
export const areOneDatabase = (direct: string, pooled: string): Promise<boolean> =>
  withPlain(direct, (holder) =>
    withPlain(pooled, async (asker) => {
      const key = randomInt(1, LARGEST_KEY);
      await holder.query('select pg_advisory_lock($1)', [key]);
      const { rows } = await asker.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [key]);
      return rows[0]?.free === false;
    }),
  );
