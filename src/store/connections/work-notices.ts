// Who makes work tells of it: the loops of this process at once, those of the others over the database, at most so often.
// So all of them look soon, and may rest for long when nobody tells of anything. Nothing hangs on it: they look by
// themselves in the end.
import type { Notices } from '../../ops/rests.ts';
import { tellOfWork, WORK_CHANNEL } from './announce.ts';
import type { Listener } from './listener.ts';
import type { Pool } from './pool.ts';

const TELL_EVERY_MS = 100;

export class WorkNotices implements Notices {
  readonly #pool: Pool;
  readonly #listener: Pick<Listener, 'isListening'>;
  readonly #loops = new Set<() => void>();
  #telling: NodeJS.Timeout | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(pool: Pool, listener: Listener) {
    this.#pool = pool;
    this.#listener = listener;
    listener.hear(WORK_CHANNEL, { onNotice: () => this.#wakeLoops(), onGap: () => this.#wakeLoops() });
  }

  get areHeard(): boolean {
    return this.#listener.isListening;
  }

  onWork(loop: () => void): () => void {
    this.#loops.add(loop);
    return () => this.#loops.delete(loop);
  }

  /** This process has made work. Where nobody can be told, all look every second, or wait for the database. */
  tell(): void {
    if (!this.areHeard) return;
    this.#wakeLoops();
    if (this.#telling !== undefined) return;
    const waitMs = Math.max(0, this.#toldAt + TELL_EVERY_MS - performance.now());
    this.#telling = setTimeout(() => {
      this.#telling = undefined;
      this.#toldAt = performance.now();
      void tellOfWork(this.#pool);
    }, waitMs).unref();
  }

  close(): void {
    clearTimeout(this.#telling);
  }

  #wakeLoops(): void {
    for (const wake of this.#loops) wake();
  }
}
