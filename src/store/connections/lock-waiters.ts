// Runs changes that wait for a row lock outside of the groups: on separate connections, one change at a time each, with
// longer timeouts than a group has. So two rows that a person has locked in psql delay only the changes that need them.
// Further changes of such a row wait here, too, instead of blocking a group first.
import { Room } from '../../ops/room.ts';
import { Group, Overloaded } from './group.ts';
import { DatabaseBusy } from './pool.ts';

/** What is needed to know where a change waits. */
type Contention = {
  /** Where it conflicts with others: changes with the same meeting point run one after the other. */
  readonly meetingPoint: string;
  readonly tenant: number;
  /** A create waits for no payment, but for its key or its merchant. */
  readonly isCreate: boolean;
};

export type LockWaiters<Request, Outcome> = {
  /** Whether a change that waits here blocks this one. */
  holds(request: Request): boolean;
  /** Never rejects: errors are returned. */
  wait(request: Request, giveUpAt: number): Promise<Outcome | Error>;
};

/** Connections, and so the changes that wait for a lock at once. */
export const LOCK_WAITER_CONNECTIONS = 4;
/** The lock timeout of each: several fit into the time that a client waits. */
export const LOCK_WAITER_TIMEOUT_MS = 5_000;

// More could not be answered in time.
const MOST_OF_TENANT = 16;
const MOST_OF_ALL = 64;

export function openLockWaiters<Request, Outcome>(
  contentionOf: (request: Request) => Contention,
  run: (request: Request, giveUpAt: number) => Promise<Outcome | Error>,
): LockWaiters<Request, Outcome> {
  const waiting = new Room();
  const group = new Group<{ readonly request: Request; readonly giveUpAt: number }, Outcome | Error>({
    concurrency: LOCK_WAITER_CONNECTIONS,
    size: { count: 1 },
    waiting: { ofTenant: { count: MOST_OF_TENANT }, ofAll: { count: MOST_OF_ALL } },
    keyOf: ({ request }) => contentionOf(request).meetingPoint,
    tenantOf: ({ request }) => contentionOf(request).tenant,
    run: (taken) => Promise.all(taken.map(({ request, giveUpAt }) => run(request, giveUpAt))),
  });

  const keysOf = (request: Request): string[] => {
    const { meetingPoint, tenant, isCreate } = contentionOf(request);
    return isCreate ? [meetingPoint, `creates of ${tenant}`] : [meetingPoint];
  };

  return {
    holds: (request) => waiting.names > 0 && keysOf(request).some((key) => waiting.held(key) > 0),
    wait: async (request, giveUpAt) => {
      const leave = waiting.take(keysOf(request).map((key) => [key, Number.POSITIVE_INFINITY]));
      try {
        return await group.add({ request, giveUpAt });
      } catch (error) {
        if (!(error instanceof Overloaded)) return error as Error;
        return new DatabaseBusy('too many wait for what somebody else has locked', { cause: error });
      } finally {
        leave?.();
      }
    },
  };
}
