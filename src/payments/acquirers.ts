// The acquirers of this process, by name: the simulator, which is always there, and those of the database, each with a
// guard that outlives a new reading of its address.
import { bankAcquirer } from '../acquirers/bank-client.ts';
import { guardAcquirer } from '../acquirers/guard.ts';
import type { GuardedAcquirer } from '../acquirers/guard.ts';
import { simulator } from '../acquirers/simulator.ts';
import { findAcquirer } from '../store/acquirers.ts';
import type { AcquirerAccess } from '../store/acquirers.ts';
import type { Pool } from '../store/pool.ts';
import { patienceOf } from './patience.ts';
import type { Patience } from './patience.ts';

export const isLocal = (name: string): boolean => name === simulator.name;

export type Acquirers = { readonly patience: Patience; find(name: string): Promise<GuardedAcquirer> };

type Entry = { readonly access: AcquirerAccess; readonly acquirer: GuardedAcquirer; readAt: number };

// A new address or key is used after this at the latest.
const LONGEST_AGE_MS = 5_000;

const isSame = (a: AcquirerAccess, b: AcquirerAccess): boolean => a.url === b.url && a.key === b.key;

export function openAcquirers(pool: Pool, timeoutMs: number): Acquirers {
  const entries = new Map<string, Entry>();
  return {
    patience: patienceOf(timeoutMs),
    find: async (name) => {
      const fresh = entries.get(name);
      if (fresh && performance.now() - fresh.readAt < LONGEST_AGE_MS) return fresh.acquirer;
      const access = await findAcquirer(pool, name);
      // Looked up again: of several who asked at once, one makes the guard that counts for all.
      const known = entries.get(name);
      if (access === undefined) throw new Error(`there is no acquirer called ${name}`);
      if (known && isSame(known.access, access)) {
        known.readAt = performance.now();
        return known.acquirer;
      }
      const acquirer = guardAcquirer(bankAcquirer({ ...access, timeoutMs }));
      entries.set(name, { access, acquirer, readAt: performance.now() });
      return acquirer;
    },
  };
}
