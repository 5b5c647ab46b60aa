// The acquirers of this process, by name: the simulator, which is always there, and those of the database, each with a
// guard that outlives a new reading of its address.
import { bankAcquirer } from '../acquirers/bank-client.ts';
import { guardAcquirer } from '../acquirers/circuit-breaker.ts';
import type { GuardedAcquirer } from '../acquirers/circuit-breaker.ts';
import type { Outgoing } from '../ops/tracing/tracer.ts';
import { simulator } from '../acquirers/simulator.ts';
import { findAcquirer } from '../store/merchants/acquirers.ts';
import type { AcquirerAccess } from '../store/merchants/acquirers.ts';
import type { Pool } from '../store/connections/pool.ts';
import { timeoutsOf } from './acquirer-timeouts.ts';
import type { AcquirerTimeouts } from './acquirer-timeouts.ts';

export const isLocal = (name: string): boolean => name === simulator.name;

/** Whoever watches the acquirers: the log and the metrics. */
export type AcquirerObserver = {
  readonly onCall: (acquirer: string, result: 'approved' | 'declined' | 'not_found' | 'unknown') => void;
  /** Its address is used from now on. */
  readonly onOpened: (acquirer: string) => void;
  /** It is left alone from now on; why the last call came to nothing. */
  readonly onLeftAlone: (acquirer: string, why: string) => void;
  /** It was left alone, and has answered. */
  readonly onBack: (acquirer: string) => void;
  /** Somebody is told that the outcome is being determined. */
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
  find(name: string): Promise<GuardedAcquirer>;
};

type Entry = { readonly access: AcquirerAccess; readonly acquirer: GuardedAcquirer; readAt: number };

// A new address or key is used after this at the latest.
const LONGEST_AGE_MS = 5_000;

const isSame = (a: AcquirerAccess, b: AcquirerAccess): boolean => a.url === b.url && a.key === b.key;

/** `outgoing`: where there are traces. */
export function openAcquirers(
  pool: Pool,
  timeoutMs: number,
  observer: AcquirerObserver,
  outgoing?: Outgoing,
): Acquirers {
  const entries = new Map<string, Entry>();
  const reading = new Map<string, Promise<GuardedAcquirer>>();

  const open = (access: AcquirerAccess): GuardedAcquirer => {
    const { name } = access;
    // A guard whose address is not used any more may still have calls under way; they tell nothing of the new one.
    const isUsed = (): boolean => entries.get(name)?.acquirer === acquirer;
    const acquirer = guardAcquirer(bankAcquirer({ ...access, timeoutMs, ...(outgoing && { outgoing }) }), {
      onCall: (result) => observer.onCall(name, result),
      onLeftAlone: (why) => isUsed() && observer.onLeftAlone(name, why),
      onBack: () => isUsed() && observer.onBack(name),
    });
    entries.set(name, { access, acquirer, readAt: performance.now() });
    observer.onOpened(name);
    return acquirer;
  };

  const readAgain = async (name: string): Promise<GuardedAcquirer> => {
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
      // Of several who ask at once, one reads for all: so nothing newer is ever overwritten by something older.
      const readByOther = reading.get(name);
      if (readByOther) return readByOther;
      const read = readAgain(name).finally(() => reading.delete(name));
      reading.set(name, read);
      return read;
    },
  };
}
