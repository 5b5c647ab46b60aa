// When keys were last used. A request only records its key in memory; the rows are written in batches, so that no
// request waits for them.
import type { Pool } from '../connections/pool.ts';

// As many keys as the merchant cache holds.
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

  /** A locked row is skipped, and written when its key is used next. */
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
