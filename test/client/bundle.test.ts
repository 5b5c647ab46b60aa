// Goal: what is shipped as the client is small and runs wherever there is fetch and WebCrypto. Method: it is built as a
// release builds it, weighed, and run in a bare context that has nothing of Node's.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { bundleImport } from '../../scripts/build-imports.ts';
import { signatureHeaders } from '../../src/events/signature.ts';
import { newWebhookSecret } from '../../src/store/events/webhooks.ts';

const MOST_BYTES = 10_000;

// What every runtime of the web has, and these alone.
const WEB = {
  AbortController,
  AbortSignal,
  Headers,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  clearTimeout,
  crypto,
  setTimeout,
};

describe('the client as it is shipped', () => {
  test(`is less than ${MOST_BYTES / 1_000} KB compressed, and imports nothing`, async (t) => {
    for (const format of ['esm', 'cjs'] as const) {
      const text = await bundleImport('client', format);
      const { length } = gzipSync(text);
      t.diagnostic(`${format}: ${text.length} bytes, ${length} compressed`);
      assert.ok(length < MOST_BYTES, `${length} bytes`);
      assert.doesNotMatch(text, /\bimport\s*[({'"]|\bfrom\s*['"]|\brequire\(|\bprocess\b|\bBuffer\b/);
    }
  });

  test('asks and verifies in a context that has only what the web has', async () => {
    const asked: string[] = [];
    const answer = async (address: string): Promise<Response> => {
      asked.push(address);
      return Response.json({ paymentId: 'p' });
    };
    const secret = newWebhookSecret();
    const headers = signatureHeaders('an-id', '{"event":"payment.created"}', [secret], Date.now());
    const world = createContext({ ...WEB, module: {}, fetch: answer, headers, secret });
    runInContext('globalThis.globalThis = globalThis', world);
    runInContext(await bundleImport('client', 'cjs'), world);
    const told: unknown = await runInContext(
      `(async () => {
        const { createClient, verifyWebhook } = module.exports;
        const kassa = createClient({ url: 'https://kassa.example', secretKey: 'key' });
        const { paymentId } = await kassa.createPayment({});
        const { event } = await verifyWebhook('{"event":"payment.created"}', headers, secret);
        return paymentId + ' ' + event;
      })()`,
      world,
    );
    assert.equal(told, 'p payment.created');
    assert.deepEqual(asked, ['https://kassa.example/v1/payments']);
  });
});
