// Who is told of what happens: the endpoint of the shop's webhook, which takes everything, and that of the payments'
// own hooks, which fails half of the time. Each keeps what it was told, and how to look whether all is told.
import { setTimeout as sleep } from 'node:timers/promises';
import { openEndpoint } from '../deliveries/endpoints.ts';
import { hasten, isAtRest } from '../deliveries/rest.ts';
import type { MovementRow } from './books.ts';
import { Random } from './random.ts';
import type { World } from './world.ts';

/** What was heard of whom: the name of an event and the id of a movement. */
export type ReceivedEvents = ReadonlySet<string>;

export type EventEndpoints = {
  readonly webhookUrl: string;
  readonly hookUrl: string;
  readonly byWebhook: ReceivedEvents;
  readonly byHooks: ReceivedEvents;
  close(): Promise<void>;
};

/** What is told of each outcome. */
const EVENTS = {
  reservation: { approved: 'payment.reservation.created', declined: 'payment.reservation.failed' },
  charge: { approved: 'payment.charge.created', declined: 'payment.charge.failed' },
  refund: { approved: 'payment.refund.completed', declined: 'payment.refund.failed' },
  cancel: { approved: 'payment.cancel.created', declined: 'payment.cancel.failed' },
} as const;

const NAMES = Object.values(EVENTS).flatMap((outcomes) => Object.values(outcomes));

/** The hooks that every payment of chaos has. */
export const hooksAt = (url: string): object => ({
  webHooks: NAMES.map((eventName) => ({ eventName, url, authorization: 'of-the-shop' })),
});

/** What must have been heard of a movement that is not pending. */
export const tellingOf = ({ kind, state, id }: MovementRow): string | undefined =>
  state === 'pending' ? undefined : `${EVENTS[kind][state]} ${id}`;

const IS_ID = /^[0-9a-f]{32}$/;
const LOOK_EVERY_MS = 250;

function hear(heard: Set<string>): (text: string) => void {
  return (text) => {
    const { event, data } = JSON.parse(text) as { event: string; data: Record<string, unknown> };
    for (const value of Object.values(data))
      if (typeof value === 'string' && IS_ID.test(value)) heard.add(`${event} ${value}`);
  };
}

export async function openEventEndpoints(): Promise<EventEndpoints> {
  const [byWebhook, byHooks] = [new Set<string>(), new Set<string>()];
  // Which answers fail does not depend on the seed: it is not a trouble of the run.
  const webhook = await openEndpoint('takes', new Random(1, 'webhook'), hear(byWebhook));
  const hooks = await openEndpoint('fails half', new Random(1, 'hooks'), hear(byHooks));
  return {
    webhookUrl: webhook.url,
    hookUrl: hooks.url,
    byWebhook,
    byHooks,
    close: async () => {
      await webhook.close();
      await hooks.close();
    },
  };
}

/** Waits until nothing is on its way any more; the pauses between tries, which are hours in the end, are cut short. */
export async function awaitTelling(world: World, limitMs: number, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  return world.withPool(async (pool) => {
    while (!(await isAtRest(pool))) {
      if (performance.now() > deadline) return false;
      await hasten(pool, true);
      await sleep(LOOK_EVERY_MS, undefined, { signal });
    }
    return true;
  });
}
