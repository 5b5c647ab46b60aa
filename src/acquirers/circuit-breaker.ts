// A circuit breaker and concurrency limit per acquirer, so that a failing one cannot take the service down. After several
// consecutive failures it opens for a while; then one request may try, after a probe that moves no money. Rejected requests
// fail before anything was done.
import { NO_ID } from '../domain/id.ts';
import type { RemoteAcquirer, Unknown } from './acquirer.ts';

/** The request was rejected; nothing was done. */
export class AcquirerAway extends Error {
  override readonly name = 'AcquirerAway';
  readonly acquirer: string;
  /** When to retry. */
  readonly againAfterMs: number;

  constructor(acquirer: string, againAfterMs: number) {
    super(`the acquirer ${acquirer} is away`);
    this.acquirer = acquirer;
    this.againAfterMs = againAfterMs;
  }
}

export type ProtectedAcquirer = RemoteAcquirer & {
  /** Throws if the request is rejected. Returns the function that ends the call. */
  enter(): Promise<() => void>;
  /** How many more calls are allowed now: none while it is open, one while half-open. */
  room(): number;
};

export type BreakerOptions = {
  readonly now?: () => number;
  /** Called after each call, with its result. */
  readonly onCall?: (result: Result) => void;
  /** The breaker opened; `why` is the last failure. */
  readonly onLeftAlone?: (why: string) => void;
  /** The breaker closed again. */
  readonly onBack?: () => void;
};

type Result = 'approved' | 'declined' | 'not_found' | 'unknown';
type Answer = { readonly result: Exclude<Result, 'unknown'> } | Unknown;

const MOST_UNDER_WAY = 128;
const FAILURES_TO_OPEN = 8;
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 30_000;

export function withCircuitBreaker(
  acquirer: RemoteAcquirer,
  { now = () => performance.now(), onCall, onLeftAlone, onBack }: BreakerOptions = {},
): ProtectedAcquirer {
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
