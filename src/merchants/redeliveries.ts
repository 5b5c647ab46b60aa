// The use cases of redelivery: of one event, to all its endpoints or to one webhook; and of all events since a time to a
// webhook, of which only the first part is done immediately.
import type { Act, Actor } from '../domain/audit.ts';
import { partOf } from '../domain/id.ts';
import type { Merchant } from '../domain/merchant.ts';
import { newId } from '../payments/ids.ts';
import { redeliverEvent } from '../store/events/deliveries.ts';
import type { Addressee } from '../store/events/deliveries.ts';
import { readKeptEvents } from '../store/events/events.ts';
import type { KeptEvents, StoredEvent } from '../store/events/events.ts';
import { notifyOfWork } from '../store/connections/invalidate.ts';
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
  /** Some of the events, or their deliveries, have been deleted. */
  | { readonly kind: 'events_forgotten' | 'deliveries_forgotten'; readonly before: number }
  /** There is one to this webhook, or the merchant has too many. */
  | { readonly kind: 'under_way' };

// A small redelivery is complete in the response; a large one is continued by the service or a worker.
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
    // The move is committed: if this fails, a job continues.
    const step = await stepRedelivery(pool, redelivery.id).catch(() => undefined);
    if (step === undefined) break;
    reached = step.redelivery;
  }
  await notifyOfWork(pool);
  return reached;
}

/** Must run within a transaction. Requests with keys are in the request log; the audit is about people. */
async function recordUnlessByKey(within: Pool, merchant: Merchant, act: Act): Promise<void> {
  if (act.actor.kind !== 'key') await recordAct(within, merchant, act);
}

/** `publish` publishes recent events first. */
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

/** Cancels a running redelivery; events already queued are still delivered. */
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

/** To one webhook, which may be newer than the event and need not subscribe to it; to one hook; or to all its endpoints. */
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
    await notifyOfWork(within);
    return count;
  });
  return deliveries === 0 && webhookId === undefined ? { kind: 'nobody' } : { kind: 'sent', deliveries };
}
