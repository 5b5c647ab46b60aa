// Watches a statement that has no timeout of its own, since its commit may wait for a synchronous standby for as long
// as that is away. Reports such a wait, and cancels a statement that takes too long for another reason.
import type { Doing } from './backends.ts';

type Watched = {
  /** Asks the server what the statement is doing. */
  readonly look: () => Promise<Doing>;
  /** Called when it waits for a standby. */
  readonly onWaits: () => void;
  /** Drops the connection, and leaves the backend to itself. */
  readonly cut: () => void;
  /** Drops the connection, and terminates the backend, too. */
  readonly abandon: () => void;
};

// A commit that takes longer than this is checked. A standby that is up answers in milliseconds.
const LOOK_AFTER_MS = 4_000;
const LOOK_AGAIN_MS = 1_000;
// A statement that does not wait for a standby is ended after this.
const GIVE_UP_AFTER_MS = 15_000;

const TIMES = { lookAfterMs: LOOK_AFTER_MS, lookAgainMs: LOOK_AGAIN_MS, giveUpAfterMs: GIVE_UP_AFTER_MS };

/** Returns the function that ends the watch. */
export function watchStatement({ look, onWaits, cut, abandon }: Watched, times = TIMES): () => void {
  let giveUpAt = performance.now() + times.giveUpAfterMs;
  let isWaiting = false;
  const lookOnce = async (): Promise<void> => {
    const doing = await look();
    if (timer === undefined) return;
    if (doing === 'gone') return cut();
    const isLate = performance.now() > giveUpAt;
    // A server ends slow statements by itself, except waits: if it has not ended one and does not say what it does, it
    // waits.
    if (doing === 'waits for a standby' || (doing === 'refused' && (isWaiting || isLate))) {
      isWaiting = true;
      giveUpAt = performance.now() + times.giveUpAfterMs;
      onWaits();
    } else if (isLate) {
      // Nothing can be ended on a server that is down; and if it is only unreachable, ending a wait would make visible
      // what the standby does not have.
      return doing === 'works' && !isWaiting ? abandon() : cut();
    }
    timer = lookIn(times.lookAgainMs);
  };
  const lookIn = (ms: number) => setTimeout(() => void lookOnce().catch(() => {}), ms).unref();
  let timer: NodeJS.Timeout | undefined = lookIn(times.lookAfterMs);
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}
