// The use cases of webhooks: creating, changing and deleting them, and rotating secrets. The API and the commands share
// these limits and checks.
import { differenceOf } from '../domain/audit.ts';
import type { Actor, Facts } from '../domain/audit.ts';
import type { EventName } from '../domain/decision.ts';
import type { Merchant } from '../domain/merchant.ts';
import { LONGEST_HOOK_URL, sayFault } from '../events/address-faults.ts';
import type { AddressFault } from '../events/address-faults.ts';
import { findUrlFault, reachOf } from '../events/addresses.ts';
import { homePartOf, newId } from '../payments/ids.ts';
import { recordAct } from '../store/audit/audit.ts';
import type { RecordedAnswer } from '../store/statements/recorded-answer.ts';
import type { Pool } from '../store/connections/pool.ts';
import { publishOf } from '../store/events/publish.ts';
import { withinTransaction } from '../store/connections/transaction.ts';
import { holdAnswer, recordAnswer } from '../store/events/webhook-keys.ts';
import type { WebhookKey } from '../store/events/webhook-keys.ts';
import * as store from '../store/events/webhooks.ts';
import type { Webhook, WebhookChange } from '../store/events/webhooks.ts';

export type WantedWebhook = {
  readonly url: string;
  /** Undefined: all. */
  readonly events: readonly EventName[] | undefined;
  /** Undefined: generate one. */
  readonly secret?: string;
};

/** Whether test merchants' hooks may be private addresses. */
type Reach = { readonly privateHooks: boolean };
type NotFound = { readonly kind: 'not_found' };
/** `why` completes "the address …". */
type BadUrl = { readonly kind: 'bad_url'; readonly why: string; readonly fault: AddressFault };

/** Undefined if the address is allowed. */
export function checkUrl(url: string, { live }: Merchant, { privateHooks }: Reach): BadUrl | undefined {
  const fault: AddressFault | undefined =
    url.length > LONGEST_HOOK_URL ? { name: 'too_long' } : findUrlFault(url, reachOf(live, privateHooks));
  return fault && { kind: 'bad_url', why: sayFault(fault), fault };
}

const withPlainScheme = (url: string): string => url.replace(/^https?/i, (scheme) => scheme.toLowerCase());

/** The audit facts of a webhook. */
const factsOf = ({ url, events, disabled }: Webhook): Facts => ({
  url,
  events: events ?? 'all',
  state: disabled === undefined ? 'enabled' : 'disabled',
});

/** A request with an idempotency key, and how to record its response. */
export type KeyedWebhook = WebhookKey & { readonly answerOf: (webhook: Webhook) => RecordedAnswer };
type Created = { readonly kind: 'created'; readonly webhook: Webhook } | BadUrl | { readonly kind: 'too_many' };
/** The key was brought before. */
type FoundByKey = { readonly kind: 'replayed'; readonly recorded: RecordedAnswer };
type OtherRequest = { readonly kind: 'other_request_had_key' };

/** The secret is only in the returned webhook, and in the recorded response of an idempotency key. */
export async function createWebhook(
  pool: Pool,
  actor: Actor,
  merchant: Merchant,
  wanted: WantedWebhook,
  reach: Reach,
): Promise<Created>;
export async function createWebhook(
  pool: Pool,
  actor: Actor,
  merchant: Merchant,
  wanted: WantedWebhook,
  reach: Reach,
  keyed: KeyedWebhook | undefined,
): Promise<Created | FoundByKey | OtherRequest>;
export async function createWebhook(
  pool: Pool,
  actor: Actor,
  merchant: Merchant,
  { url, events, secret = store.newWebhookSecret() }: WantedWebhook,
  reach: Reach,
  keyed?: KeyedWebhook,
): Promise<Created | FoundByKey | OtherRequest> {
  const refused = checkUrl(url, merchant, reach);
  if (refused) return refused;
  const id = newId(Date.now(), homePartOf(merchant));
  await publishOf(pool, merchant);
  return withinTransaction(pool, async (within) => {
    const first = keyed && (await holdAnswer(within, merchant, keyed.key));
    if (first)
      return first.request === keyed.request
        ? { kind: 'replayed', recorded: first.recorded }
        : { kind: 'other_request_had_key' };
    const webhook = await store.insertWebhook(within, merchant, { id, url: withPlainScheme(url), events, secret });
    if (webhook === undefined) return { kind: 'too_many' };
    await recordAct(within, merchant, { actor, action: 'webhook.create', subject: id, after: factsOf(webhook) });
    if (keyed) await recordAnswer(within, merchant, id, keyed, keyed.answerOf(webhook));
    return { kind: 'created', webhook };
  });
}

export async function changeWebhook(
  pool: Pool,
  actor: Actor,
  merchant: Merchant,
  id: string,
  { url, ...change }: WebhookChange,
  reach: Reach,
): Promise<{ readonly kind: 'changed'; readonly webhook: Webhook } | BadUrl | NotFound> {
  const refused = url === undefined ? undefined : checkUrl(url, merchant, reach);
  if (refused) return refused;
  const fitting = { ...change, ...(url !== undefined && { url: withPlainScheme(url) }) };
  return withinTransaction(pool, async (within) => {
    const before = await store.holdWebhook(within, id, merchant.id);
    const webhook = before && (await store.updateWebhook(within, id, merchant.id, fitting));
    if (before === undefined || webhook === undefined) return { kind: 'not_found' };
    const difference = differenceOf(factsOf(before), factsOf(webhook));
    if (difference) await recordAct(within, merchant, { actor, action: 'webhook.change', subject: id, ...difference });
    return { kind: 'changed', webhook };
  });
}

/** Permanent. Its pending deliveries are dropped. */
export async function deleteWebhook(
  pool: Pool,
  actor: Actor,
  merchant: Merchant,
  id: string,
): Promise<{ readonly kind: 'deleted'; readonly webhook: Webhook } | NotFound> {
  return withinTransaction(pool, async (within) => {
    const webhook = await store.holdWebhook(within, id, merchant.id);
    if (webhook === undefined) return { kind: 'not_found' };
    await store.deleteWebhook(within, id, merchant.id);
    await recordAct(within, merchant, { actor, action: 'webhook.delete', subject: id, before: factsOf(webhook) });
    return { kind: 'deleted', webhook };
  });
}

/** Allowed but probably a mistake: an event would be handled twice. */
export type Doubt =
  | { readonly kind: 'same_url'; readonly webhookId: string }
  | { readonly kind: 'both_versions'; readonly name: EventName };

export async function findDoubts(pool: Pool, webhook: Webhook): Promise<readonly Doubt[]> {
  const { id, merchantId, url, events = [] } = webhook;
  const others = await store.listWebhooks(pool, merchantId);
  const same = others.filter((other) => other.id !== id && new URL(other.url).href === new URL(url).href);
  const names: ReadonlySet<string> = new Set(events);
  return [
    ...same.map((other) => ({ kind: 'same_url', webhookId: other.id }) as const),
    ...events.filter((name) => names.has(`${name}.v2`)).map((name) => ({ kind: 'both_versions', name }) as const),
  ];
}

/** The old secret also signs for a day, or for the given number of seconds. */
export async function rotateSecret(
  pool: Pool,
  actor: Actor,
  merchant: Merchant,
  id: string,
  asked: { readonly secret?: string; readonly oldSecretSeconds?: number } = {},
): Promise<{ readonly kind: 'rotated'; readonly webhook: Webhook } | NotFound> {
  const { secret = store.newWebhookSecret(), oldSecretSeconds } = asked;
  return withinTransaction(pool, async (within) => {
    const webhook = await store.rotateWebhookSecret(within, id, merchant.id, secret, oldSecretSeconds);
    if (webhook === undefined) return { kind: 'not_found' };
    await recordAct(within, merchant, { actor, action: 'webhook.rotate', subject: id, after: { url: webhook.url } });
    return { kind: 'rotated', webhook };
  });
}
