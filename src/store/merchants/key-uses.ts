// When keys were last used. Whoever asks only leaves the key's name here; the rows are written now and then, all at once,
// so that no request waits for it.
import type { Pool } from '../connections/pool.ts';

// As many as are kept in memory for their requests.
const MOST_NOTED = 10_000;

export class KeyUses {
  readonly #pool: Pool;
  #used = new Set<string>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  note(keyId: string): void {
    if (this.#used.size < MOST_NOTED) this.#used.add(keyId);
  }

  /** What somebody else changes at this moment is written the next time that it is used. */
  async write(): Promise<void> {
    if (this.#used.size === 0) return;
    const ids = [...this.#used];
    this.#used = new Set();
    await this.#pool.query(
      `update secret_keys set last_used_at = now() from (
         select hash from secret_keys where id = any ($1) order by hash for no key update skip locked
       ) as used
       where secret_keys.hash = used.hash`,
      [ids],
    );
  }
}
