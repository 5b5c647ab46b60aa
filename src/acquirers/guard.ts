// Keeps one bad acquirer from taking the service down: at most so many calls are under way at it, and after several in
// a row that came to nothing it is left alone for a while, then tried with one call. Who is turned away is turned away
// before anything was done.
import type { RemoteAcquirer } from './acquirer.ts';

/** The acquirer is not asked now; nothing was done. */
export class AcquirerAway extends Error {
  override readonly name = 'AcquirerAway';
  readonly acquirer: string;

  constructor(acquirer: string) {
    super(`the acquirer ${acquirer} is away`);
    this.acquirer = acquirer;
  }
}

export type GuardedAcquirer = RemoteAcquirer & {
  /** Throws when it is not to be asked now. Each call of `enter` is ended by what it gives. */
  enter(): () => void;
  isOpen(): boolean;
};

const MOST_UNDER_WAY = 128;
const FAILURES_TO_OPEN = 8;
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 30_000;

export function guardAcquirer(acquirer: RemoteAcquirer, now: () => number = () => performance.now()): GuardedAcquirer {
  let underWay = 0;
  let failures = 0;
  let restMs = FIRST_REST_MS;
  let restsUntil = 0;
  let isTrying = false;

  const isResting = (): boolean => failures >= FAILURES_TO_OPEN && (now() < restsUntil || isTrying);

  const watch = async <Answer extends { readonly result: string }>(call: () => Promise<Answer>): Promise<Answer> => {
    const answer = await call();
    if (answer.result !== 'unknown') {
      failures = 0;
      restMs = FIRST_REST_MS;
    } else {
      failures += 1;
      if (failures >= FAILURES_TO_OPEN && now() >= restsUntil) {
        restsUntil = now() + restMs;
        restMs = Math.min(restMs * 2, LONGEST_REST_MS);
      }
    }
    return answer;
  };

  return {
    ...acquirer,
    send: (request, notAfter) => watch(() => acquirer.send(request, notAfter)),
    find: (movementId) => watch(() => acquirer.find(movementId)),
    isOpen: isResting,
    enter() {
      if (underWay >= MOST_UNDER_WAY || isResting()) throw new AcquirerAway(acquirer.name);
      const isTrial = failures >= FAILURES_TO_OPEN;
      if (isTrial) isTrying = true;
      underWay += 1;
      return () => {
        underWay -= 1;
        if (isTrial) isTrying = false;
      };
    },
  };
}
