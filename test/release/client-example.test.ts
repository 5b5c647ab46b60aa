// Goal: the lines of client.md do what they say, as they stand. Method: they are one script, run by Node in a folder where
// the client is installed as a release ships it, against a running Kassa; then what they received is signed and sent.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bundleImport, exportsOf } from '../../scripts/build-imports.ts';
import { newWebhookSecret } from '../../src/store/events/webhooks.ts';
import { signatureHeaders } from '../../src/events/signature.ts';
import { runKassa } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';
import { readDocument } from '../start/documents.ts';

const service = shareService();
after(() => service.close());

const { text } = readDocument('docs/integrate/client.md');
const script = Array.from(text.matchAll(/^```js\n([\s\S]*?)^```$/gm), ([, lines = '']) => lines).join('\n');

test('client.md: a payment is charged and refunded, an error named, lists and the stream read, a webhook verified', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-client-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const installed = join(folder, 'node_modules', 'kassa');
  mkdirSync(join(installed, 'client'), { recursive: true });
  const manifest = { name: 'kassa', type: 'module', exports: { './client': exportsOf('client') } };
  writeFileSync(join(installed, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(installed, 'client', 'client.js'), await bundleImport('client'));

  const body = '{"event":"webhook.ping"}';
  const secret = newWebhookSecret();
  const headers = JSON.stringify(signatureHeaders('an-id', body, [secret], Date.now()));
  const sending = `
const request = (body) => new Request('http://shop.example', { method: 'POST', body, headers: ${headers} });
console.log((await receive(request('${body}'))).status, (await receive(request('{}'))).status);`;
  writeFileSync(join(folder, 'shop.mjs'), script + sending);

  const { secretKey } = await service.openShop();
  const env = { CHECKOUT_URL: service.url, SHOP_KEY: secretKey, WEBHOOK_SECRET: secret };
  const { code, out, err } = await runKassa([join(folder, 'shop.mjs')], { program: [process.execPath], env });
  assert.equal(err, '');
  assert.equal(code, 0);
  assert.match(out, /^\{\n? *reservedAmount: 10000,\s+chargedAmount: 10000,\s+refundedAmount: 5000,/);
  assert.match(out, /^Refused 402 10\d\d \{\}$/m);
  assert.match(out, /^[0-9a-f]{32} 10000$/m);
  assert.match(out, /^payment\.refund\.completed\nreceived webhook\.ping\n204 400\n$/m);
});
