// Goal: the receiver that events.md gives to copy works as it stands. Method: it is written to a file and started with
// Node, only the port is another one; it is sent what is signed well, what is signed with another secret, and what it
// cannot keep.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { signatureHeaders } from '../../src/events/signature.ts';
import { newWebhookSecret } from '../../src/store/events/webhooks.ts';
import { freePort } from '../support/free-port.ts';
import { launchKassa, until } from '../support/kassa.ts';
import type { Launched } from '../support/kassa.ts';
import { root } from '../../proof/program.ts';
import { readDocument } from './documents.ts';

const ID = '019f0000000070008000000000000000';
const BODY = JSON.stringify({ id: ID, event: 'payment.created', data: {} });

const secret = newWebhookSecret();
const [, example = ''] = /^```js\n([\s\S]*?)^```$/m.exec(readDocument('docs/integrate/events.md').text) ?? [];

type Started = { readonly shop: Launched; readonly send: (by: string) => Promise<number> };

/** The example, in a folder where the package is installed. */
async function start(t: TestContext, text: string): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-example-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'shop.mjs');
  const port = await freePort();
  assert.match(text, /\.listen\(3000\);\n$/);
  writeFileSync(file, text.replace('3000', String(port)));
  const shop = launchKassa([file], { program: [process.execPath], env: { WEBHOOK_SECRET: secret } });
  t.after(() => shop.child.kill('SIGKILL'));
  const send = async (by: string): Promise<number> => {
    const headers = signatureHeaders(ID, BODY, [by], Date.now());
    return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: BODY })).status;
  };
  await until('the shop', async () => {
    assert.equal(shop.child.exitCode, null, shop.err());
    return send(newWebhookSecret()).catch(() => false);
  });
  return { shop, send };
}

test('what Kassa signed is kept and taken; what another signed is refused', async (t) => {
  const { shop, send } = await start(t, example);
  assert.equal(await send(newWebhookSecret()), 400);
  assert.equal(shop.out(), '');
  assert.equal(await send(secret), 204);
  await until('its line', () => shop.out() === `${ID} payment.created\n`);
});

test('what could not be kept is not taken, so that it is sent again', async (t) => {
  const failing = example.replace(/^const keep = .*$/m, "const keep = async () => { throw new Error('full'); };");
  assert.notEqual(failing, example);
  const { shop, send } = await start(t, failing);
  assert.equal(await send(secret), 500);
  await until('the error', () => /^Error: full$/m.test(shop.err()));
  assert.equal(await send(newWebhookSecret()), 400);
});
