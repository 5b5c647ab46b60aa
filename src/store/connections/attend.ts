// Watches a statement that has no time limit of its own, since its commit may wait for a synchronous standby for as long as
// that is away: tells when it does, and otherwise ends it after too long.
import type { Doing } from './backends.ts';

type Attended = {
  /** What the server does with it. */
  readonly look: () => Promise<Doing>;
  /** It waits for a standby. */
  readonly onWaits: () => void;
  /** Lets go of it, and leaves the server's side to itself. */
  readonly cut: () => void;
  /** Lets go of it, and ends it on the server, too. */
  readonly abandon: () => void;
};

// A commit that takes longer than this is looked at. A standby that is there answers in milliseconds.
const LOOK_AFTER_MS = 4_000;
const LOOK_AGAIN_MS = 1_000;
// What does not wait for a standby is ended after this.
const GIVE_UP_AFTER_MS = 15_000;

const TIMES = { lookAfterMs: LOOK_AFTER_MS, lookAgainMs: LOOK_AGAIN_MS, giveUpAfterMs: GIVE_UP_AFTER_MS };

/** Gives what ends the watch. */
export function attend({ look, onWaits, cut, abandon }: Attended, times = TIMES): () => void {
  let giveUpAt = performance.now() + times.giveUpAfterMs;
  let isWaiting = false;
  const lookOnce = async (): Promise<void> => {
    const doing = await look();
    if (timer === undefined) return;
    if (doing === 'gone') return cut();
    const isLate = performance.now() > giveUpAt;
    // A server ends by itself what takes too long, but for a wait: what it has not ended and does not tell of is one.
    if (doing === 'waits for a standby' || (doing === 'refused' && (isWaiting || isLate))) {
      isWaiting = true;
      giveUpAt = performance.now() + times.giveUpAfterMs;
      onWaits();
    } else if (isLate) {
      // Of a server that is lost nobody can end anything; and were it only out of reach, the end of a wait would show
      // everybody what the standby does not have.
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
