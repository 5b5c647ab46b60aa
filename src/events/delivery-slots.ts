// Distributes the delivery slots of a process among endpoints. A proven endpoint gets many, a new one a few until it has
// accepted an event, a failing one hardly any. New and failing endpoints each share a quarter of all slots, so however
// many there are, they do not delay working ones. Within each of the three classes merchants take turns, and none gets
// so much that nothing is left for the next.

import type { EndpointState } from '../store/events/endpoint-health.ts';
import { endpointKey } from '../store/events/lanes.ts';
import type { Endpoint, Room } from '../store/events/lanes.ts';

const ROOMS: Readonly<Record<EndpointState, number>> = { proven: 32, new: 4, failing: 2 };
const SLOTS: Readonly<Record<EndpointState, number>> = { proven: 500, new: 250, failing: 250 };
// What one merchant may hold in each class, even when it is alone: a hanging endpoint holds a slot for ten seconds, and
// other merchants may come meanwhile.
const MOST_OF_ONE: Readonly<Record<EndpointState, number>> = { proven: 250, new: 24, failing: 24 };
// While more than this is free, nobody is limited to an equal share.
const KEPT_FREE: Readonly<Record<EndpointState, number>> = { proven: 125, new: 60, failing: 60 };
const FAILURES_OF_A_NEW_ONE = 3;
const FAILURES_OF_A_PROVEN_ONE = 8;
// Beyond this, those with nothing under way are forgotten, the longest unused first; their standing is in the database.
const MOST_REMEMBERED = 10_000;

type Known = Endpoint & { underWay: number; failuresInARow: number; isProven: boolean };
type Held = Record<EndpointState, number>;

const ofEach = (count: (standing: EndpointState) => number): Held => ({
  proven: count('proven'),
  new: count('new'),
  failing: count('failing'),
});
const sumOf = (held: Held): number => held.proven + held.new + held.failing;

function standingOf({ isProven, failuresInARow }: Known): EndpointState {
  if (isProven) return 'proven';
  return failuresInARow >= FAILURES_OF_A_NEW_ONE ? 'failing' : 'new';
}

export class DeliverySlots {
  readonly #known = new Map<string, Known>();
  readonly #held = ofEach(() => 0);
  readonly #heldBy = new Map<number, Held>();

  #find({ merchantId, endpoint }: Endpoint): Known {
    const key = endpointKey({ merchantId, endpoint });
    const found = this.#known.get(key) ?? { merchantId, endpoint, underWay: 0, failuresInARow: 0, isProven: false };
    // The last is the one that was used last.
    this.#known.delete(key);
    this.#known.set(key, found);
    return found;
  }

  #heldOf(merchantId: number): Held {
    return this.#heldBy.get(merchantId) ?? ofEach(() => 0);
  }

  #count({ merchantId, underWay }: Known, standing: EndpointState, sign: 1 | -1): void {
    const held = this.#heldOf(merchantId);
    held[standing] += sign * underWay;
    this.#held[standing] += sign * underWay;
    if (sumOf(held) === 0) this.#heldBy.delete(merchantId);
    else this.#heldBy.set(merchantId, held);
  }

  /** Changes what is known of an endpoint; what it holds is counted under its standing. Gives the standing. */
  #change(endpoint: Endpoint, change: (known: Known) => void): EndpointState {
    const known = this.#find(endpoint);
    this.#count(known, standingOf(known), -1);
    change(known);
    const standing = standingOf(known);
    this.#count(known, standing, 1);
    return standing;
  }

  #forget(): void {
    for (const [key, { underWay }] of this.#known) {
      if (this.#known.size <= MOST_REMEMBERED) return;
      if (underWay === 0) this.#known.delete(key);
    }
  }

  enter(endpoint: Endpoint): void {
    this.#change(endpoint, (known) => {
      known.underWay += 1;
    });
  }

  leave(endpoint: Endpoint): void {
    this.#change(endpoint, (known) => {
      known.underWay -= 1;
    });
    this.#forget();
  }

  knows(endpoint: Endpoint): boolean {
    return this.#known.has(endpointKey(endpoint));
  }

  /** Takes over what another process found out, or an earlier one. */
  remember(endpoint: Endpoint, standing: EndpointState): void {
    this.#change(endpoint, (known) => {
      known.isProven = standing === 'proven';
      known.failuresInARow = standing === 'failing' ? FAILURES_OF_A_NEW_ONE : 0;
    });
    this.#forget();
  }

  /** Notes what came of an attempt; gives the standing if that has changed it. */
  judge(endpoint: Endpoint, isTaken: boolean): EndpointState | undefined {
    const before = standingOf(this.#find(endpoint));
    const standing = this.#change(endpoint, (known) => {
      known.failuresInARow = isTaken ? 0 : known.failuresInARow + 1;
      if (isTaken) known.isProven = true;
      else if (known.failuresInARow >= FAILURES_OF_A_PROVEN_ONE) known.isProven = false;
    });
    return standing === before ? undefined : standing;
  }

  /** How many slots each endpoint gets now: one endpoint of each merchant after another. */
  share(wanting: Iterable<Endpoint>): Room[] {
    const queues = Map.groupBy(wanting, ({ merchantId }) => merchantId);
    const taken = new Map(queues.keys().map((id) => [id, { ...this.#heldOf(id) }]));
    const free = ofEach((standing) => SLOTS[standing] - this.#held[standing]);
    // An equal share for each merchant that holds or wants some, and one for the next.
    const sharers = new Set([...queues.keys(), ...this.#heldBy.keys()]).size + 1;
    const parts = ofEach((standing) => Math.max(1, Math.floor(SLOTS[standing] / sharers)));
    // Those that hold least come first, so that a turn is worth the same to all.
    let merchants = [...queues.keys()].toSorted((a, b) => sumOf(this.#heldOf(a)) - sumOf(this.#heldOf(b)));
    const rooms: Room[] = [];
    for (let turn = 0; merchants.length > 0; turn += 1) {
      for (const id of merchants) {
        const endpoint = queues.get(id)?.[turn];
        const held = taken.get(id);
        if (endpoint === undefined || held === undefined) continue;
        const known = this.#known.get(endpointKey(endpoint));
        const standing = known ? standingOf(known) : 'new';
        const room = Math.min(
          ROOMS[standing] - (known?.underWay ?? 0),
          MOST_OF_ONE[standing] - held[standing],
          free[standing],
          // The reserve is for merchants with less than their share.
          Math.max(parts[standing] - held[standing], free[standing] - KEPT_FREE[standing]),
        );
        if (room <= 0) continue;
        rooms.push({ ...endpoint, room });
        held[standing] += room;
        free[standing] -= room;
      }
      merchants = merchants.filter((id) => (queues.get(id)?.length ?? 0) > turn + 1);
    }
    return rooms;
  }
}
