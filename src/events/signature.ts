// Signs webhook requests by the Standard Webhooks specification (standardwebhooks.com): HMAC-SHA256 over id, time and
// body, one signature for each valid secret.
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

function sign(secret: string, text: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}

export function signatureHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  atMs: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(atMs / 1_000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => sign(secret, `${id}.${timestamp}.${body}`)).join(' '),
  };
}
