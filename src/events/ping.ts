// A test message to a webhook: signed and sent like an event, at once and only once, whether the webhook is enabled or
// not. It is not stored as an event.
import { isoTime } from '../domain/time.ts';
import type { Attempt } from '../store/events/lanes.ts';
import type { Webhook } from '../store/events/webhooks.ts';
import { COMMON_HEADERS, judgeAnswer } from './attempt.ts';
import type { Sender } from './sender.ts';
import { signatureHeaders } from './signature.ts';

export type Ping = {
  readonly id: string;
  readonly webhook: Pick<Webhook, 'id' | 'merchantId' | 'url'>;
  readonly secrets: readonly string[];
  readonly live: boolean;
};

export async function sendPing(sender: Sender, { id, webhook, secrets, live }: Ping): Promise<Attempt> {
  const at = Date.now();
  const { id: webhookId, merchantId, url } = webhook;
  const envelope = { id, merchantId, timestamp: isoTime(at), merchantNumber: merchantId, event: 'webhook.ping' };
  const body = JSON.stringify({ ...envelope, data: { webhookId } });
  const headers = { ...COMMON_HEADERS, ...signatureHeaders(id, body, secrets, at) };
  return judgeAnswer(await sender.send({ merchantId, url, live, headers, body }), at, false).attempt;
}
