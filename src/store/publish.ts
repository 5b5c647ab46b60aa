// Publishes events: gives each its position among its merchant's and makes its deliveries. Anybody may at any time: the
// deliverer does it all the time, and who reads events does it first, so that everybody reads their own writes.
import { randomInt } from 'node:crypto';
import { PARTS } from '../domain/id.ts';
import { isConnectionError } from './pool.ts';
import type { Pool } from './pool.ts';
import { readStatement } from './statement.ts';

const PUBLISH = readStatement('publish');
const MOST_AT_ONCE = 500;
const SMALLER = 8;

type Round = {
  readonly waiting: number;
  readonly published: number;
  readonly opened: number;
  readonly endpoints: readonly string[];
};

async function publishRound(pool: Pool, firstPart: number, most: number): Promise<Round> {
  const [row] = await pool.run(PUBLISH, [firstPart, most]);
  const [waiting = '0', published = '0', opened = '0', endpoints] = row ?? [];
  return {
    waiting: Number(waiting),
    published: Number(published),
    opened: Number(opened),
    endpoints: JSON.parse(endpoints ?? '[]') as string[],
  };
}

export type Published = {
  readonly count: number;
  /** How many were seen that somebody else is publishing, or has by now. */
  readonly left: number;
  /** The endpoints that have something to do now. */
  readonly endpoints: ReadonlySet<string>;
  /** Why some could not be published; they were stepped over. */
  readonly trouble?: unknown;
};

/** The first part in which something waits. */
async function firstWaitingPart(pool: Pool, from: number): Promise<number | undefined> {
  const text = 'select part from events where position is null and part >= $1 order by part limit 1';
  return (await pool.query<{ part: number }>(text, [from]))[0]?.part;
}

/** Publishes what there is. Where a round fails, smaller ones find the guilty event, and its part is stepped over. */
export async function publishEvents(pool: Pool): Promise<Published> {
  const endpoints = new Set<string>();
  let [count, left, firstPart, most] = [0, 0, 0, MOST_AT_ONCE];
  let trouble: unknown;
  for (;;) {
    const round = await publishRound(pool, firstPart, most).catch((error: unknown) => {
      if (isConnectionError(error)) throw error;
      return error as Error;
    });
    if (round instanceof Error) {
      if (most > 1) {
        // From the beginning, so that nothing before the guilty one is left behind.
        if (trouble === undefined) firstPart = 0;
        most = Math.ceil(most / SMALLER);
        continue;
      }
      trouble = round;
      most = MOST_AT_ONCE;
      firstPart = ((await firstWaitingPart(pool, firstPart)) ?? PARTS) + 1;
      if (firstPart < PARTS) continue;
      return { count, left, endpoints, trouble };
    }
    count += round.published;
    left = round.waiting - round.published;
    for (const endpoint of round.endpoints) endpoints.add(endpoint);
    const isMore = round.waiting === most;
    if (trouble !== undefined || most < MOST_AT_ONCE) {
      // What was stepped over comes up again in the next call, and not in this one.
      if (!isMore || round.published === 0)
        return { count, left, endpoints, ...(trouble !== undefined && { trouble }) };
    } else if (!isMore && firstPart > 0) firstPart = 0;
    // Where there is more than fits, no part is always the last to be looked at.
    else if (isMore && round.published > 0) firstPart = randomInt(PARTS);
    else if (round.opened === 0) return { count, left, endpoints };
  }
}
