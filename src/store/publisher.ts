// Publishes events for this process, one run at a time: who asks while one is under way shares the next, which begins
// after they asked and so finds what they wrote.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from './pool.ts';
import { publishEvents } from './publish.ts';
import type { Published } from './publish.ts';

export type Publisher = {
  publish(): Promise<Published>;
  /** For who reads: also waits for what other processes are publishing, so that everybody reads their own writes. */
  catchUp(): Promise<void>;
  /** Calls back whenever something was published; what it gives ends that. */
  onPublished(listener: (published: Published) => void): () => void;
};

// Others publish within milliseconds. Who is held up for seconds reads what there is.
const LOOK_AGAIN_MS = 5;
const MOST_LOOKS = 500;

export function openPublisher(pool: Pool): Publisher {
  const listeners = new Set<(published: Published) => void>();
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Published> | undefined;

  const run = async (): Promise<Published> => {
    next = undefined;
    const published = await publishEvents(pool);
    if (published.count > 0) for (const listener of listeners) listener(published);
    return published;
  };

  const publish = (): Promise<Published> => {
    next ??= running.then(run, run);
    running = next;
    return next;
  };

  return {
    publish,
    catchUp: async () => {
      // Whoever holds a merchant's counter may have begun before the reader's own write; whoever holds it next has not.
      for (let looks = 1; (await publish()).left > 0 && looks < MOST_LOOKS; looks += 1) await sleep(LOOK_AGAIN_MS);
    },
    onPublished: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
