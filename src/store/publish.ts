// Publishes events: gives each its position among its merchant's and makes its deliveries. Anybody may at any time: the
// deliverer does it all the time, and who reads events does it first, so that everybody reads their own writes.
import { randomInt } from 'node:crypto';
import { PARTS } from '../domain/id.ts';
import type { Pool } from './pool.ts';
import { readStatement } from './statement.ts';

const PUBLISH = readStatement('publish');
const MOST_AT_ONCE = 500;

type Round = {
  readonly waiting: number;
  readonly published: number;
  readonly opened: number;
  readonly endpoints: readonly string[];
};

async function publishRound(pool: Pool, firstPart: number): Promise<Round> {
  const [row] = await pool.run(PUBLISH, [firstPart, MOST_AT_ONCE]);
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
};

/** Publishes what there is. */
export async function publishEvents(pool: Pool): Promise<Published> {
  const endpoints = new Set<string>();
  let count = 0;
  let firstPart = 0;
  for (;;) {
    const round = await publishRound(pool, firstPart);
    count += round.published;
    for (const endpoint of round.endpoints) endpoints.add(endpoint);
    // Where there is more than fits, no part is always the last to be looked at.
    const isMore = round.waiting === MOST_AT_ONCE;
    if (!isMore && firstPart > 0) firstPart = 0;
    else if (isMore && round.published > 0) firstPart = randomInt(PARTS);
    else if (round.opened === 0) return { count, left: round.waiting - round.published, endpoints };
  }
}
