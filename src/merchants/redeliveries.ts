// The use cases of sending again: one event, to all who got it or to one webhook; and to a webhook all that happened
// since a time, which may be much, so that only its beginning is done at once.
import type { Act, Actor } from '../domain/audit.ts';
import { partOf } from '../domain/id.ts';
import type { Merchant } from '../domain/merchant.ts';
import { newId } from '../payments/ids.ts';
import { redeliverEvent } from '../store/events/deliveries.ts';
import type { Addressee } from '../store/events/deliveries.ts';
import { readKeptEvents } from '../store/events/events.ts';
import type { KeptEvents, StoredEvent } from '../store/events/events.ts';
import { tellOfWork } from '../store/connections/announce.ts';
import { recordAct } from '../store/audit/audit.ts';
import type { Pool } from '../store/connections/pool.ts';
import { cancelRedelivery, createRedelivery, findRedelivery, stepRedelivery } from '../store/events/redeliveries.ts';
import type { NewRedelivery, Redelivery } from '../store/events/redeliveries.ts';
import { withinTransaction } from '../store/connections/transaction.ts';
import { findWebhook } from '../store/events/webhooks.ts';
import type { Webhook } from '../store/events/webhooks.ts';

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
  await tellOfWork(pool);
  return reached;
}

/** Within a transaction. What keys ask for is in the log of requests; the audit tells of people. */
async function recordUnlessByKey(within: Pool, merchant: Merchant, act: Act): Promise<void> {
  if (act.actor.kind !== 'key') await recordAct(within, merchant, act);
}

/** `publish` brings what has happened into the log, as far as the caller waits for that. */
export async function redeliverSince(
  pool: Pool,
  actor: Actor,
  merchant: Merchant,
  webhook: Webhook,
  asked: AskedRedelivery,
  publish: () => Promise<unknown>,
): Promise<RedeliveryOutcome> {
  if (webhook.disabled !== undefined) return { kind: 'disabled' };
  const forgotten = findForgotten(await readKeptEvents(pool, webhook.merchantId), asked);
  if (forgotten) return forgotten;
  await publish();
  const id = newId(Date.now(), partOf(webhook.id));
  const created = await withinTransaction(pool, async (within) => {
    const redelivery = await createRedelivery(within, { id, webhook, ...asked });
    const { sinceMs, untilMs, onlyFailed = false, names } = asked;
    const after = {
      webhook: webhook.url,
      since: new Date(sinceMs).toISOString(),
      ...(untilMs !== undefined && { until: new Date(untilMs).toISOString() }),
      ...(names && { events: names }),
      onlyFailed,
    };
    if (redelivery)
      await recordUnlessByKey(within, merchant, { actor, action: 'events.resend-period', subject: webhook.id, after });
    return redelivery;
  });
  if (created === undefined) return { kind: 'under_way' };
  return { kind: 'begun', redelivery: await begin(pool, created) };
}

/** Ends one that is under way; what it has put on the way stays there. */
export async function endRedelivery(
  pool: Pool,
  actor: Actor,
  merchant: Merchant,
  webhookId: string,
  id: string,
): Promise<'ended' | 'not_found'> {
  return withinTransaction(pool, async (within) => {
    if ((await findRedelivery(within, webhookId, id)) === undefined) return 'not_found';
    const isEnded = await cancelRedelivery(within, webhookId, id);
    const after = { redelivery: id };
    if (isEnded)
      await recordUnlessByKey(within, merchant, { actor, action: 'events.resend-end', subject: webhookId, after });
    return 'ended';
  });
}

/** To one webhook, which may be newer than the event and need not have asked for it; to one hook; or to all who got it. */
export async function redeliverOne(
  pool: Pool,
  actor: Actor,
  merchant: Merchant,
  event: StoredEvent,
  to: Addressee = {},
): Promise<
  { readonly kind: 'sent'; readonly deliveries: number } | Disabled | { readonly kind: 'no_webhook' | 'nobody' }
> {
  const { webhookId, hook } = to;
  if (webhookId !== undefined) {
    const webhook = await findWebhook(pool, webhookId, event.merchantId);
    if (webhook === undefined) return { kind: 'no_webhook' };
    if (webhook.disabled !== undefined) return { kind: 'disabled' };
  }
  const deliveries = await withinTransaction(pool, async (within) => {
    const count = await redeliverEvent(within, event, to);
    const after = {
      event: event.name,
      about: event.subjectId,
      ...(webhookId !== undefined && { webhook: webhookId }),
      ...(hook !== undefined && { hook }),
    };
    if (count > 0)
      await recordUnlessByKey(within, merchant, { actor, action: 'events.resend', subject: event.id, after });
    await tellOfWork(within);
    return count;
  });
  return deliveries === 0 && webhookId === undefined ? { kind: 'nobody' } : { kind: 'sent', deliveries };
}
