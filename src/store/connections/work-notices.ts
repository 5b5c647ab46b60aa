// Notifies background loops of new work: those of this process immediately, those of other processes through the
// database, at a limited rate. So the loops react soon, and can rest for long otherwise. Nothing depends on it: they
// poll as well.
import type { Notices } from '../../ops/rests.ts';
import { notifyOfWork, WORK_CHANNEL } from './invalidate.ts';
import type { Listener } from './listener.ts';
import type { Pool } from './pool.ts';

const NOTIFY_EVERY_MS = 100;

export class WorkNotices implements Notices {
  readonly #pool: Pool;
  readonly #listener: Pick<Listener, 'isListening'>;
  readonly #loops = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #notifiedAt = Number.NEGATIVE_INFINITY;

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

  /** This process has created work. Without a connection for notices, loops poll every second. */
  notify(): void {
    if (!this.areHeard) return;
    this.#wakeLoops();
    if (this.#timer !== undefined) return;
    const waitMs = Math.max(0, this.#notifiedAt + NOTIFY_EVERY_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#notifiedAt = performance.now();
      void notifyOfWork(this.#pool);
    }, waitMs).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #wakeLoops(): void {
    for (const wake of this.#loops) wake();
  }
}
