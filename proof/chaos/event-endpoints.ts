// Who is told of what happens: the endpoint of the shop's webhook, which takes everything, and that of the payments'
// own hooks, which fails half of the time. Each keeps what it was told.
import type { Movement } from '../../src/domain/movement.ts';
import { openEndpoint } from '../deliveries/endpoints.ts';
import { Random } from './random.ts';

/** What was heard of whom: the name of an event and the id of a movement. */
export type ReceivedEvents = ReadonlySet<string>;

export type EventEndpoints = {
  readonly webhookUrl: string;
  readonly hookUrl: string;
  readonly byWebhook: ReceivedEvents;
  readonly byHooks: ReceivedEvents;
  /** When each id was told first, by performance.now(). */
  readonly toldAtMs: ReadonlyMap<string, number>;
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
export const eventOfOutcome = ({ kind, state, id }: Pick<Movement, 'kind' | 'state' | 'id'>): string | undefined =>
  state === 'pending' ? undefined : `${EVENTS[kind][state]} ${id}`;

const IS_ID = /^[0-9a-f]{32}$/;

function hear(heard: Set<string>, toldAtMs: Map<string, number>): (text: string) => void {
  return (text) => {
    const { id, event, data } = JSON.parse(text) as { id: string; event: string; data: Record<string, unknown> };
    if (!toldAtMs.has(id)) toldAtMs.set(id, performance.now());
    for (const value of Object.values(data))
      if (typeof value === 'string' && IS_ID.test(value)) heard.add(`${event} ${value}`);
  };
}

export async function openEventEndpoints(): Promise<EventEndpoints> {
  const [byWebhook, byHooks] = [new Set<string>(), new Set<string>()];
  const toldAtMs = new Map<string, number>();
  // Which answers fail does not depend on the seed: it is not a trouble of the run.
  const webhook = await openEndpoint('takes', new Random(1, 'webhook'), hear(byWebhook, toldAtMs));
  const hooks = await openEndpoint('fails half', new Random(1, 'hooks'), hear(byHooks, toldAtMs));
  return {
    webhookUrl: webhook.url,
    hookUrl: hooks.url,
    byWebhook,
    byHooks,
    toldAtMs,
    close: async () => {
      await webhook.close();
      await hooks.close();
    },
  };
}
