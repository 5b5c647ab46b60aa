// The use cases of sending again: one event, to all who got it or to one webhook; and to a webhook all that happened
// since a time, which may be much, so that only its beginning is done at once.
import { partOf } from '../domain/id.ts';
import { newId } from '../payments/ids.ts';
import { redeliverEvent } from '../store/deliveries.ts';
import { readKeptEvents } from '../store/events.ts';
import type { KeptEvents, StoredEvent } from '../store/events.ts';
import type { Pool } from '../store/pool.ts';
import { cancelRedelivery, createRedelivery, findRedelivery, stepRedelivery } from '../store/redeliveries.ts';
import type { NewRedelivery, Redelivery } from '../store/redeliveries.ts';
import { findWebhook } from '../store/webhooks.ts';
import type { Webhook } from '../store/webhooks.ts';

export type AskedRedelivery = Omit<NewRedelivery, 'id' | 'webhook'>;

type Disabled = { readonly kind: 'disabled' };

export type RedeliveryOutcome =
  | { readonly kind: 'begun'; readonly redelivery: Redelivery }
  | Disabled
  /** Not all that is asked for is kept: neither the events, nor what became of them. */
  | { readonly kind: 'events_forgotten' | 'deliveries_forgotten'; readonly before: number }
  /** One to this webhook, or as many of its merchant as can be. */
  | { readonly kind: 'under_way' };

// A small one is whole when it is answered; the rest of a large one is for whoever delivers.
const STEPS_AT_ONCE = 4;

function findForgotten({ purgedBefore, deliveriesPurgedBefore }: KeptEvents, asked: AskedRedelivery) {
  const { sinceMs, onlyFailed = false } = asked;
  if (purgedBefore !== undefined && sinceMs < purgedBefore)
    return { kind: 'events_forgotten', before: purgedBefore } as const;
  if (onlyFailed && deliveriesPurgedBefore !== undefined && sinceMs < deliveriesPurgedBefore)
    return { kind: 'deliveries_forgotten', before: deliveriesPurgedBefore } as const;
  return undefined;
}

async function begin(pool: Pool, redelivery: Redelivery): Promise<Redelivery> {
  let reached = redelivery;
  for (let steps = 0; steps < STEPS_AT_ONCE && reached.state === 'running'; steps += 1) {
    // It is written down: whatever fails now is done by whoever goes on.
    const step = await stepRedelivery(pool, redelivery.id).catch(() => undefined);
    if (step === undefined) break;
    reached = step.redelivery;
  }
  return reached;
}

/** `publish` brings what has happened into the log, as far as the caller waits for that. */
export async function redeliverSince(
  pool: Pool,
  webhook: Webhook,
  asked: AskedRedelivery,
  publish: () => Promise<unknown>,
): Promise<RedeliveryOutcome> {
  if (webhook.disabled !== undefined) return { kind: 'disabled' };
  const forgotten = findForgotten(await readKeptEvents(pool, webhook.merchantId), asked);
  if (forgotten) return forgotten;
  await publish();
  const id = newId(Date.now(), partOf(webhook.id));
  const created = await createRedelivery(pool, { id, webhook, ...asked });
  if (created === undefined) return { kind: 'under_way' };
  return { kind: 'begun', redelivery: await begin(pool, created) };
}

/** Ends one that is under way; what it has put on the way stays there. */
export async function endRedelivery(pool: Pool, webhookId: string, id: string): Promise<'ended' | 'not_found'> {
  if ((await findRedelivery(pool, webhookId, id)) === undefined) return 'not_found';
  await cancelRedelivery(pool, webhookId, id);
  return 'ended';
}

/** To one webhook, which may be newer than the event and need not have asked for it; or to all who got it. */
export async function redeliverOne(
  pool: Pool,
  event: StoredEvent,
  webhookId?: string,
): Promise<
  { readonly kind: 'sent'; readonly deliveries: number } | Disabled | { readonly kind: 'no_webhook' | 'nobody' }
> {
  if (webhookId !== undefined) {
    const webhook = await findWebhook(pool, webhookId, event.merchantId);
    if (webhook === undefined) return { kind: 'no_webhook' };
    if (webhook.disabled !== undefined) return { kind: 'disabled' };
  }
  const deliveries = await redeliverEvent(pool, event, webhookId);
  return deliveries === 0 && webhookId === undefined ? { kind: 'nobody' } : { kind: 'sent', deliveries };
}
