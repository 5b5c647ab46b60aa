// Records the results of lanes; lanes that end at the same time are written together.
import { countedOnly, Group } from '../store/connections/group.ts';
import { isConnectionError } from '../store/connections/pool.ts';
import { recordLanes } from '../store/events/lanes.ts';
import type { Endpoint, LaneResult } from '../store/events/lanes.ts';
import type { Store } from '../store/store.ts';

const AT_ONCE = 64;
const CONCURRENT = 2;
const MOST_TO_RECORD = 10_000;

export function groupRecords(
  { queue, notices }: Pick<Store, 'queue' | 'notices'>,
  onDue: (endpoints: readonly Endpoint[]) => void,
  onTrouble: (error: unknown) => void,
): Group<LaneResult, void> {
  const record = async (results: readonly LaneResult[]): Promise<void> => {
    onDue(await recordLanes(queue, results));
    // Disabling a webhook creates an event to publish.
    if (results.some(({ seen }) => seen === 'failing' || seen === 'gone')) notices.notify();
  };
  return new Group<LaneResult, void>({
    concurrency: CONCURRENT,
    ...countedOnly(AT_ONCE, MOST_TO_RECORD),
    run: async (results) => {
      await record(results).catch(async (error: unknown) => {
        if (isConnectionError(error) || results.length === 1) throw error;
        // One record may be the cause: the others must not be sent again because of it.
        for (const result of results) await record([result]).catch(onTrouble);
      });
      return results.map(() => undefined);
    },
  });
}
