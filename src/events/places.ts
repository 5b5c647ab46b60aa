// The places that a process has for lanes under way, and who gets how many of them. An endpoint that has shown that it
// takes events gets many; a new one gets a few until it has; one that fails gets hardly any. New ones and failing ones
// each share a quarter of all places, so that however many there are, they hold up nobody who works.

const PLACES = 1_000;
const SHARE = PLACES / 4;
const FAILURES_OF_A_NEW_ONE = 3;
const FAILURES_OF_A_PROVEN_ONE = 8;
// Beyond this, endpoints with nothing under way are forgotten, and are new when they come again.
const MOST_REMEMBERED = 10_000;

const ROOMS = { proven: 32, new: 4, failing: 2 } as const;
type Standing = keyof typeof ROOMS;
type Endpoint = { underWay: number; failuresInARow: number; isProven: boolean };

export class Places {
  readonly #endpoints = new Map<string, Endpoint>();

  #find(name: string): Endpoint {
    const found = this.#endpoints.get(name) ?? { underWay: 0, failuresInARow: 0, isProven: false };
    this.#endpoints.set(name, found);
    return found;
  }

  enter(name: string): void {
    this.#find(name).underWay += 1;
  }

  leave(name: string): void {
    this.#find(name).underWay -= 1;
    if (this.#endpoints.size <= MOST_REMEMBERED) return;
    for (const [other, { underWay }] of this.#endpoints) if (underWay === 0) this.#endpoints.delete(other);
  }

  /** Notes what came of an attempt. */
  judge(name: string, isTaken: boolean): void {
    const endpoint = this.#find(name);
    endpoint.failuresInARow = isTaken ? 0 : endpoint.failuresInARow + 1;
    if (isTaken) endpoint.isProven = true;
    else if (endpoint.failuresInARow >= FAILURES_OF_A_PROVEN_ONE) endpoint.isProven = false;
  }

  /** For each of those who want places, how many they get now. */
  share(names: Iterable<string>): Map<string, number> {
    const free = this.#countFree();
    const rooms = new Map<string, number>();
    for (const name of names) {
      const endpoint = this.#endpoints.get(name);
      const standing = standingOf(endpoint);
      const room = Math.min(ROOMS[standing] - (endpoint?.underWay ?? 0), free[standing]);
      if (room <= 0) continue;
      rooms.set(name, room);
      free[standing] -= room;
    }
    return rooms;
  }

  #countFree(): Record<Standing, number> {
    const free = { proven: PLACES - 2 * SHARE, new: SHARE, failing: SHARE };
    for (const endpoint of this.#endpoints.values()) free[standingOf(endpoint)] -= endpoint.underWay;
    return free;
  }
}

function standingOf(endpoint: Endpoint | undefined): Standing {
  if (endpoint?.isProven) return 'proven';
  return (endpoint?.failuresInARow ?? 0) >= FAILURES_OF_A_NEW_ONE ? 'failing' : 'new';
}
