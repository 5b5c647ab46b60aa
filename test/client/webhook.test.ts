// Goal: what Kassa signed is taken, and nothing else: not another body, time, secret or kind of signature. Method: signed
// by Kassa's own code and by the library that the standard names; then each part is changed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookRejected } from '../../client/client.ts';
import { signatureHeaders } from '../../src/events/signature.ts';
import { newWebhookSecret } from '../../src/store/events/webhooks.ts';

const ID = '019f0000000070008000000000000000';
const BODY = JSON.stringify({ id: ID, event: 'payment.created', data: { text: 'Öberg' } });
const NOW = 1_790_000_000_000;
const secret = newWebhookSecret();
const headers = signatureHeaders(ID, BODY, [secret], NOW);
const now = { now: NOW };

const rejected = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => assert.fail('it was taken'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof WebhookRejected, String(error));
  return error.reason;
};

describe('a webhook', () => {
  test('that Kassa signed is taken: as text and as bytes, with headers of fetch and of node:http', async () => {
    const bytes = new TextEncoder().encode(BODY);
    const around = new Uint8Array([1, ...bytes, 2]).subarray(1, -1);
    const capital = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.replace('w', 'W'), value]));
    for (const body of [BODY, bytes, bytes.buffer, Buffer.from(BODY), around])
      for (const given of [headers, new Headers(headers), capital]) {
        const event = await verifyWebhook(body, given, secret, now);
        assert.deepEqual(event, JSON.parse(BODY));
      }
  });

  test('that the library of the standard signed is taken, at its own time', async () => {
    const at = new Date();
    const signed = {
      'webhook-id': ID,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(ID, at, BODY),
    };
    assert.ok(await verifyWebhook(BODY, signed, secret));
  });

  test('is taken with either secret while one is changed', async () => {
    const next = newWebhookSecret();
    const both = signatureHeaders(ID, BODY, [secret, next], NOW);
    for (const one of [secret, next, [next], [newWebhookSecret(), secret]])
      assert.ok(await verifyWebhook(BODY, both, one, now));
    assert.ok(await verifyWebhook(BODY, headers, [next, secret], now));
  });

  test('is refused when anything of it was changed', async () => {
    const other = { ...headers, 'webhook-id': ID.replace('0', '1') };
    const later = { ...headers, 'webhook-timestamp': String(NOW / 1_000 + 1) };
    assert.equal(await rejected(verifyWebhook(`${BODY} `, headers, secret, now)), 'signature_wrong');
    assert.equal(await rejected(verifyWebhook(BODY, other, secret, now)), 'signature_wrong');
    assert.equal(await rejected(verifyWebhook(BODY, later, secret, now)), 'signature_wrong');
    assert.equal(await rejected(verifyWebhook(BODY, headers, newWebhookSecret(), now)), 'signature_wrong');
    const signature = headers['webhook-signature'] as string;
    const wrong = [
      signature.replace('v1,', 'v2,'),
      signature.slice(0, -8),
      'v1,',
      'v1,%%%',
      ' ',
      'v1,AAAA '.repeat(20),
    ];
    for (const text of [...wrong, `${'v1,AAAA '.repeat(10)}${signature}`])
      assert.equal(
        await rejected(verifyWebhook(BODY, { ...headers, 'webhook-signature': text }, secret, now)),
        'signature_wrong',
      );
  });

  test('is refused when it is old, or from the future, or has no time', async () => {
    const at = (time: number, toleranceSeconds?: number) =>
      verifyWebhook(BODY, headers, secret, { now: time, toleranceSeconds });
    assert.ok(await at(NOW + 300_000));
    assert.ok(await at(NOW - 300_000));
    assert.equal(await rejected(at(NOW + 301_000)), 'too_old');
    assert.equal(await rejected(at(NOW - 301_000)), 'too_new');
    assert.equal(await rejected(at(NOW + 11_000, 10)), 'too_old');
    for (const time of ['soon', '-1', '1e9'])
      assert.equal(
        await rejected(verifyWebhook(BODY, { ...headers, 'webhook-timestamp': time }, secret, now)),
        'too_old',
      );
  });

  test('is refused without its headers; and what is signed but no JSON is no event', async () => {
    for (const name of Object.keys(headers))
      for (const value of [undefined, '', ['a', 'b']])
        assert.equal(await rejected(verifyWebhook(BODY, { ...headers, [name]: value }, secret, now)), 'header_missing');
    const signed = signatureHeaders(ID, 'text', [secret], NOW);
    assert.equal(await rejected(verifyWebhook('text', signed, secret, now)), 'not_json');
  });

  test('cannot be checked with what is no secret', async () => {
    for (const none of ['', 'whsec_', 'whsec_%%%'])
      await assert.rejects(verifyWebhook(BODY, headers, none, now), TypeError);
    // An environment variable that is not set, also where nothing was signed at all.
    for (const missing of ['', [], [''], undefined as unknown as string])
      await assert.rejects(verifyWebhook(BODY, {}, missing, now), {
        name: 'WebhookSecretMissing',
        message: 'the webhook secret is missing; it is whsec_ and base64',
      });
  });
});
