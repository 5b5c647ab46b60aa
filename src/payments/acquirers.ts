// The acquirers of this process, by name: the simulator, which always exists, and those of the database, each with a
// circuit breaker that is kept when its settings are read again.
import { bankAcquirer } from '../acquirers/bank-client.ts';
import { withCircuitBreaker } from '../acquirers/circuit-breaker.ts';
import type { ProtectedAcquirer } from '../acquirers/circuit-breaker.ts';
import type { Outgoing } from '../ops/tracing/tracer.ts';
import { simulator } from '../acquirers/simulator.ts';
import { findAcquirer } from '../store/merchants/acquirers.ts';
import type { AcquirerAccess } from '../store/merchants/acquirers.ts';
import type { Pool } from '../store/connections/pool.ts';
import { timeoutsOf } from './acquirer-timeouts.ts';
import type { AcquirerTimeouts } from './acquirer-timeouts.ts';

export const isLocal = (name: string): boolean => name === simulator.name;

/** Observer of the acquirers, for the log and the metrics. */
export type AcquirerObserver = {
  readonly onCall: (acquirer: string, result: 'approved' | 'declined' | 'not_found' | 'unknown') => void;
  /** Its address is used from now on. */
  readonly onOpened: (acquirer: string) => void;
  /** The circuit breaker opened; the reason of the last failure. */
  readonly onLeftAlone: (acquirer: string, why: string) => void;
  /** The circuit breaker closed. */
  readonly onBack: (acquirer: string) => void;
  /** A client got the answer that the outcome is being determined. */
  readonly onUnknown: (unknown: UnknownMovement) => void;
};

export type UnknownMovement = {
  readonly acquirer: string;
  readonly paymentId: string;
  readonly movementId: string;
  readonly why: string;
};

export type Acquirers = Pick<AcquirerObserver, 'onUnknown'> & {
  readonly timeouts: AcquirerTimeouts;
  find(name: string): Promise<ProtectedAcquirer>;
};

type Entry = { readonly access: AcquirerAccess; readonly acquirer: ProtectedAcquirer; readAt: number };

// A new address or key is used after this at the latest.
const LONGEST_AGE_MS = 5_000;

const isSame = (a: AcquirerAccess, b: AcquirerAccess): boolean => a.url === b.url && a.key === b.key;

/** `outgoing`: for tracing. */
export function openAcquirers(
  pool: Pool,
  timeoutMs: number,
  observer: AcquirerObserver,
  outgoing?: Outgoing,
): Acquirers {
  const entries = new Map<string, Entry>();
  const reading = new Map<string, Promise<ProtectedAcquirer>>();

  const open = (access: AcquirerAccess): ProtectedAcquirer => {
    const { name } = access;
    // An acquirer with an old address may still have calls in progress; they say nothing about the new one.
    const isUsed = (): boolean => entries.get(name)?.acquirer === acquirer;
    const acquirer = withCircuitBreaker(bankAcquirer({ ...access, timeoutMs, ...(outgoing && { outgoing }) }), {
      onCall: (result) => observer.onCall(name, result),
      onLeftAlone: (why) => isUsed() && observer.onLeftAlone(name, why),
      onBack: () => isUsed() && observer.onBack(name),
    });
    entries.set(name, { access, acquirer, readAt: performance.now() });
    observer.onOpened(name);
    return acquirer;
  };

  const readAgain = async (name: string): Promise<ProtectedAcquirer> => {
    const access = await findAcquirer(pool, name);
    const known = entries.get(name);
    if (access === undefined) throw new Error(`there is no acquirer called ${name}`);
    if (!known || !isSame(known.access, access)) return open(access);
    known.readAt = performance.now();
    return known.acquirer;
  };

  return {
    timeouts: timeoutsOf(timeoutMs),
    onUnknown: observer.onUnknown,
    find: async (name) => {
      const fresh = entries.get(name);
      if (fresh && performance.now() - fresh.readAt < LONGEST_AGE_MS) return fresh.acquirer;
      // Concurrent callers share one read, so nothing newer is overwritten by something older.
      const readByOther = reading.get(name);
      if (readByOther) return readByOther;
      const read = readAgain(name).finally(() => reading.delete(name));
      reading.set(name, read);
      return read;
    },
  };
}
