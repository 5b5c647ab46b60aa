// Thousands of charges at once, each of a subscription of its own, in bulks of a thousand: subscriptions are begun and
// bulks asked for while all is well, so that what is killed is killed in the middle of the entries.
import { CARDS } from './reserving.ts';
import type { RetryingClient } from './retrying-client.ts';
import { Subscriber } from './subscriber.ts';
import type { Subscription } from './subscriber.ts';

const MOST_OF_BULK = 1_000;
const BEGUN_AT_ONCE = 16;

/** Gives what waits for the end of all bulks. */
export async function askForMany(client: RetryingClient, count: number): Promise<() => Promise<void>> {
  const subscriber = new Subscriber(client, true);
  const begun: Subscription[] = [];
  let left = count;
  const begin = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      begun.push(await subscriber.begin('scheduled', CARDS.good));
    }
  };
  await Promise.all(Array.from({ length: BEGUN_AT_ONCE }, begin));
  const waits: (() => Promise<void>)[] = [];
  for (let from = 0; from < count; from += MOST_OF_BULK)
    waits.push(await subscriber.askForCharges(begun.slice(from, from + MOST_OF_BULK)));
  return async () => {
    for (const wait of waits) await wait();
  };
}
