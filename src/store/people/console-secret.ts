// The one secret of the console, which is the same in every process and never leaves the database and them.
import type { Pool } from '../connections/pool.ts';

const known = new WeakMap<Pool, Buffer>();

export async function consoleSecret(pool: Pool): Promise<Buffer> {
  const kept = known.get(pool);
  if (kept !== undefined) return kept;
  const [row] = await pool.query<{ secret: Buffer }>('select secret from console_secret');
  if (row === undefined) throw new Error('the console has lost its secret');
  known.set(pool, row.secret);
  return row.secret;
}
