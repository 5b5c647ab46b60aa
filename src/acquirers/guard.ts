// Keeps one bad acquirer from taking the service down: at most so many calls are under way at it, and after several in
// a row that came to nothing it is left alone for a while, then tried by one who wants something of it, after a question
// that moves nothing. Who is turned away is turned away before anything was done.
import { NO_ID } from '../domain/id.ts';
import type { RemoteAcquirer, Unknown } from './acquirer.ts';

/** The acquirer is not asked now; nothing was done. */
export class AcquirerAway extends Error {
  override readonly name = 'AcquirerAway';
  readonly acquirer: string;
  /** When it is worth a new try. */
  readonly againAfterMs: number;

  constructor(acquirer: string, againAfterMs: number) {
    super(`the acquirer ${acquirer} is away`);
    this.acquirer = acquirer;
    this.againAfterMs = againAfterMs;
  }
}

export type GuardedAcquirer = RemoteAcquirer & {
  /** Throws when it is not to be asked now. Each call of `enter` is ended by what it gives. */
  enter(): Promise<() => void>;
  /** How many more would be let in now: none while it rests, one when it may be tried. */
  room(): number;
};

export type GuardOptions = {
  readonly now?: () => number;
  /** Each call, by what came of it. */
  readonly onCall?: (result: Result) => void;
  /** It is left alone from now on; why the last call came to nothing. */
  readonly onLeftAlone?: (why: string) => void;
  /** It was left alone, and has answered. */
  readonly onBack?: () => void;
};

type Result = 'approved' | 'declined' | 'not_found' | 'unknown';
type Answer = { readonly result: Exclude<Result, 'unknown'> } | Unknown;

const MOST_UNDER_WAY = 128;
const FAILURES_TO_OPEN = 8;
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 30_000;

export function guardAcquirer(
  acquirer: RemoteAcquirer,
  { now = () => performance.now(), onCall, onLeftAlone, onBack }: GuardOptions = {},
): GuardedAcquirer {
  let underWay = 0;
  let failures = 0;
  let restMs = FIRST_REST_MS;
  let restsUntil = 0;
  let isTrying = false;

  const isLeftAlone = (): boolean => failures >= FAILURES_TO_OPEN;

  const room = (): number => {
    const slots = MOST_UNDER_WAY - underWay;
    if (!isLeftAlone()) return slots;
    return now() < restsUntil || isTrying ? 0 : Math.min(slots, 1);
  };

  const away = (): AcquirerAway => new AcquirerAway(acquirer.name, isLeftAlone() ? Math.max(0, restsUntil - now()) : 0);

  const note = (answer: Answer): void => {
    onCall?.(answer.result);
    if (answer.result !== 'unknown') {
      const wasLeftAlone = isLeftAlone();
      failures = 0;
      restMs = FIRST_REST_MS;
      if (wasLeftAlone) onBack?.();
      return;
    }
    failures += 1;
    if (failures === FAILURES_TO_OPEN) onLeftAlone?.(answer.why ?? 'it does not answer');
    if (isLeftAlone() && now() >= restsUntil) {
      restsUntil = now() + restMs;
      restMs = Math.min(restMs * 2, LONGEST_REST_MS);
    }
  };

  const watch = async <Given extends Answer>(call: () => Promise<Given>): Promise<Given> => {
    let answer: Answer = { result: 'unknown' };
    try {
      const given = await call();
      answer = given;
      return given;
    } finally {
      note(answer);
    }
  };

  return {
    ...acquirer,
    send: (request) => watch(() => acquirer.send(request)),
    find: (movementId) => watch(() => acquirer.find(movementId)),
    forbid: (movementId) => watch(() => acquirer.forbid(movementId)),
    room,
    async enter() {
      if (room() <= 0) throw away();
      const isTrial = isLeftAlone();
      if (isTrial) isTrying = true;
      underWay += 1;
      const leave = (): void => {
        underWay -= 1;
        if (isTrial) isTrying = false;
      };
      if (!isTrial) return leave;
      const found = await acquirer.find(NO_ID).catch((): Unknown => ({ result: 'unknown' }));
      if (found.result !== 'unknown') {
        onCall?.(found.result);
        return leave;
      }
      note(found);
      leave();
      throw away();
    },
  };
}
