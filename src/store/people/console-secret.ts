// The secret of the console, which all processes share; it never leaves them and the database.
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
