// Whether a request is one that Kassa signed, by Standard Webhooks: HMAC-SHA256 over id, time and body. The comparison is
// WebCrypto's own, which takes as long for a wrong signature as for a right one.
import type { Event } from './generated/api.ts';

/** What `pingWebhook` sends: signed as an event is, and in no list. */
export type WebhookPing = {
  readonly id: string;
  readonly timestamp: string;
  readonly merchantId: number;
  readonly merchantNumber: number;
  readonly event: 'webhook.ping';
  readonly data: { readonly webhookId: string };
};

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** How far the time of the request may be from now; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  /** In milliseconds since 1970, in place of the clock. */
  readonly now?: number | undefined;
};

/** The request is not from Kassa, is too old, or was signed with another secret. */
export class WebhookRejected extends Error {
  override readonly name = 'WebhookRejected';
  readonly reason: 'header_missing' | 'too_old' | 'too_new' | 'signature_wrong' | 'not_json';

  constructor(reason: WebhookRejected['reason'], text: string) {
    super(text);
    this.reason = reason;
  }
}

/** Not the request is at fault: no secret was given, as when an environment variable is not set. */
export class WebhookSecretMissing extends TypeError {
  override readonly name = 'WebhookSecretMissing';

  constructor() {
    super('the webhook secret is missing; it is whsec_ and base64');
  }
}

const TOLERANCE_S = 300;
// Two during a rotation; hundreds would be an attempt to waste our time.
const MOST_SIGNATURES = 10;
const encoder = new TextEncoder();

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers ? headers.get(name) : (headers[name] ?? headers[name.replace('w', 'W')] ?? undefined);
  if (typeof value !== 'string' || value === '') throw new WebhookRejected('header_missing', `${name} is missing`);
  return value;
}

/** An environment variable that is not set comes as undefined, whatever the types say. */
function secretsOf(secret: string | readonly string[] | undefined): readonly string[] {
  const secrets = (typeof secret === 'string' ? [secret] : (secret ?? [])).filter(Boolean);
  if (secrets.length === 0) throw new WebhookSecretMissing();
  return secrets;
}

function keyOf(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = bytesOf(secret.replace(/^whsec_/, ''));
  } catch {
    throw new TypeError('a webhook secret is whsec_ and base64');
  }
  if (bytes.length === 0) throw new TypeError('the webhook secret is empty; it is whsec_ and base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function requireRecent(timestamp: string, { toleranceSeconds = TOLERANCE_S, now = Date.now() }: VerifyOptions): void {
  const age = now / 1_000 - (/^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN);
  if (age < -toleranceSeconds) throw new WebhookRejected('too_new', 'the request is from the future');
  if (!(age <= toleranceSeconds)) throw new WebhookRejected('too_old', 'the request is too old');
}

function signaturesOf(header: string): Uint8Array<ArrayBuffer>[] {
  const signatures = header.split(' ').slice(0, MOST_SIGNATURES);
  return signatures.flatMap((signature) => {
    if (!signature.startsWith('v1,')) return [];
    try {
      return [bytesOf(signature.slice(3))];
    } catch {
      return [];
    }
  });
}

/**
 * The event of a request, if one of the secrets signed it. `body` has to be what came, byte for byte: JSON that was parsed
 * and written again is another text.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<Event | WebhookPing> {
  // Told before anything of the request: no signature is right without it.
  const secrets = secretsOf(secret);
  const [id, timestamp] = [headerOf(headers, 'webhook-id'), headerOf(headers, 'webhook-timestamp')];
  const signatures = signaturesOf(headerOf(headers, 'webhook-signature'));
  requireRecent(timestamp, options);
  const head = encoder.encode(`${id}.${timestamp}.`);
  const content = typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body);
  const signed = new Uint8Array(head.length + content.length);
  signed.set(head);
  signed.set(content, head.length);
  for (const one of secrets) {
    const key = await keyOf(one);
    for (const signature of signatures) {
      if (!(await crypto.subtle.verify('HMAC', key, signature, signed))) continue;
      try {
        return JSON.parse(new TextDecoder().decode(content)) as Event | WebhookPing;
      } catch {
        throw new WebhookRejected('not_json', 'the body is no JSON');
      }
    }
  }
  throw new WebhookRejected('signature_wrong', 'no signature is of this secret');
}
