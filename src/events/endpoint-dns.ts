// Looks up the hostnames of endpoints, which merchants choose. Each merchant has a limit on look-ups under way and
// waiting, so that one with dead names delays nobody else; a name that was not found is not looked up again at once.
import { nameNotFound, openLookUp } from '../outbound/lookup.ts';
import type { LookUp, Scope } from '../outbound/lookup.ts';
import { FairQueue, NoTurn } from '../ops/fair-queue.ts';

export type Asker = { readonly merchantId: number; readonly scope: Scope };
export type Resolve = (name: string, asker: Asker) => Promise<readonly string[]>;

// Enough for the endpoints of a large merchant; a dead name occupies one of them for a few seconds.
const MOST_UNDER_WAY = 8;
// As many as a merchant can have deliveries under way; more would wait in vain.
const MOST_WAITING = 512;
// The delivery has timed out by then.
const LONGEST_WAIT_MS = 10_000;
// Long enough to spare the name servers a burst, short enough for somebody who has just fixed the name.
const FAILED_FOR_MS = 5_000;
const MOST_FAILED = 256;
// Beyond this, merchants with nothing under way are dropped.
const MOST_MERCHANTS = 10_000;

const tooMany = (): Error => Object.assign(new Error('too many names wait'), { code: 'ETOOMANYNAMES' });

type Merchant = {
  readonly asked: Map<string, Promise<readonly string[]>>;
  readonly failed: Map<string, { readonly error: Error; readonly at: number }>;
};

/** Looks up names; concurrent look-ups of one name by one merchant are shared. */
export function openResolve(lookUp: LookUp = openLookUp()): Resolve {
  const merchants = new Map<number, Merchant>();
  const queue = new FairQueue<number>({
    ofTenant: MOST_UNDER_WAY,
    waiting: { ofTenant: { count: MOST_WAITING }, forMs: LONGEST_WAIT_MS },
  });

  function find(id: number): Merchant {
    const found = merchants.get(id) ?? { asked: new Map(), failed: new Map() };
    if (!merchants.has(id) && merchants.size >= MOST_MERCHANTS)
      for (const [other, { asked }] of merchants) if (asked.size === 0) merchants.delete(other);
    merchants.set(id, found);
    return found;
  }

  function keepFailure({ failed }: Merchant, name: string, error: Error): void {
    failed.delete(name);
    const [oldest] = failed.keys();
    if (failed.size >= MOST_FAILED && oldest !== undefined) failed.delete(oldest);
    failed.set(name, { error, at: performance.now() });
  }

  async function ask(merchant: Merchant, name: string, scope: Scope): Promise<readonly string[]> {
    try {
      const found = await lookUp(name, scope);
      merchant.failed.delete(name);
      if (found.length === 0) throw nameNotFound();
      return found;
    } catch (error) {
      keepFailure(merchant, name, error as Error);
      throw error;
    }
  }

  return (name, { merchantId, scope }) => {
    const merchant = find(merchantId);
    const sharing = merchant.asked.get(name);
    if (sharing !== undefined) return sharing;
    const failure = merchant.failed.get(name);
    if (failure !== undefined && performance.now() - failure.at < FAILED_FOR_MS) return Promise.reject(failure.error);
    const asking = queue
      .run({ tenant: merchantId }, () => ask(merchant, name, scope))
      .catch((error: unknown) => {
        throw error instanceof NoTurn ? tooMany() : error;
      })
      .finally(() => merchant.asked.delete(name));
    merchant.asked.set(name, asking);
    return asking;
  };
}
