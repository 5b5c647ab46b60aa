// Test messages to webhooks: one at a time for each webhook, so that Kassa cannot be used to flood an address.
import type { Actor } from '../domain/audit.ts';
import { partOf } from '../domain/id.ts';
import type { Merchant } from '../domain/merchant.ts';
import { sendPing } from '../events/ping.ts';
import { openSender } from '../events/sender.ts';
import { newId } from '../payments/ids.ts';
import { recordAct } from '../store/audit/audit.ts';
import type { Attempt } from '../store/events/lanes.ts';
import type { Pool } from '../store/connections/pool.ts';
import { withinTransaction } from '../store/connections/transaction.ts';
import { findWebhookSecrets } from '../store/events/webhooks.ts';
import type { Webhook } from '../store/events/webhooks.ts';

export type Pings = {
  send(actor: Actor, merchant: Merchant, webhook: Webhook): Promise<Attempt | 'under_way'>;
  close(): void;
};

export function openPings(pool: Pool, reach: { readonly privateHooks: boolean }): Pings {
  const sender = openSender(reach);
  const underWay = new Set<string>();
  const send = async (actor: Actor, merchant: Merchant, webhook: Webhook): Promise<Attempt> => {
    const { id, url } = webhook;
    // Requests with keys are in the request log.
    if (actor.kind !== 'key')
      await withinTransaction(pool, (within) =>
        recordAct(within, merchant, { actor, action: 'webhook.ping', subject: id, after: { url } }),
      );
    const secrets = await findWebhookSecrets(pool, id);
    return sendPing(sender, { id: newId(Date.now(), partOf(id)), webhook, secrets, live: merchant.live });
  };
  return {
    send: async (actor, merchant, webhook) => {
      if (underWay.has(webhook.id)) return 'under_way';
      underWay.add(webhook.id);
      try {
        return await send(actor, merchant, webhook);
      } finally {
        underWay.delete(webhook.id);
      }
    },
    close: () => sender.close(),
  };
}
