// Claims lanes of the endpoints that may have something to do, as many as each has slots for.
import { findStandings, keepStandings, MOST_AT_ONCE } from '../store/events/endpoint-health.ts';
import type { Known } from '../store/events/endpoint-health.ts';
import { claimLanes, endpointKey } from '../store/events/lanes.ts';
import type { Lane } from '../store/events/lanes.ts';
import type { Pool } from '../store/connections/pool.ts';
import { ClaimProgress } from './claim-progress.ts';
import { DeliverySlots } from './delivery-slots.ts';
import { DueEndpoints } from './due-endpoints.ts';

/** What a process knows of endpoints. */
export type Endpoints = {
  readonly due: DueEndpoints;
  readonly claimed: ClaimProgress;
  readonly slots: DeliverySlots;
  /** Standings that have changed and are not written down yet. */
  readonly changed: Map<string, Known>;
};

export function openEndpoints(queue: Pool): Endpoints {
  const claimed = new ClaimProgress();
  return { claimed, due: new DueEndpoints(queue, claimed), slots: new DeliverySlots(), changed: new Map() };
}

export async function writeStandings(queue: Pool, { changed }: Endpoints): Promise<void> {
  const written = [...changed].slice(0, MOST_AT_ONCE);
  await keepStandings(
    queue,
    written.map(([, each]) => each),
  );
  for (const [key, each] of written) if (changed.get(key) === each) changed.delete(key);
}

/** What was found out by others, or before this process began. */
async function recallStandings(queue: Pool, { due, slots }: Endpoints): Promise<void> {
  const unknown = due.all().filter((endpoint) => !slots.knows(endpoint));
  for (const { standing, ...endpoint } of await findStandings(queue, unknown.slice(0, MOST_AT_ONCE)))
    slots.remember(endpoint, standing);
}

export async function claimDue(queue: Pool, endpoints: Endpoints): Promise<readonly Lane[]> {
  const { due, claimed, slots } = endpoints;
  await writeStandings(queue, endpoints);
  await recallStandings(queue, endpoints);
  const rooms = slots.share(due.all().filter((endpoint) => slots.knows(endpoint)));
  if (rooms.length === 0) return [];
  for (const room of rooms) due.delete(room);
  const wanted = rooms.map((room) => ({ ...room, since: claimed.until(room) }));
  const { lanes, at } = await claimLanes(queue, wanted);
  const found = Map.groupBy(lanes, endpointKey);
  for (const { room, since, ...endpoint } of wanted) {
    // Who used all its slots may have more to do, and comes after the others.
    if (found.get(endpointKey(endpoint))?.length === room) due.add(endpoint);
    else claimed.note(endpoint, at, since);
  }
  return lanes;
}
