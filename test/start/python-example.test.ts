// Goal: the example for shops in Python does what it says. Method: it is run as it stands, where the machine has a Python
// of 3.9 or later, against a running Kassa, and given a request that Kassa signed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { signatureHeaders } from '../../src/events/signature.ts';
import { newWebhookSecret } from '../../src/store/webhooks.ts';
import { root } from '../../proof/program.ts';
import { runKassa } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';

const service = shareService();
after(() => service.close());

const isThere = spawnSync('python3', ['-c', "''.removeprefix('')"]).status === 0;

test('a payment from Python: charged once for one key, refunded, a webhook verified', { skip: !isThere }, async () => {
  const { secretKey } = await service.openShop();
  const body = JSON.stringify({ event: 'payment.created', data: { name: 'Öberg' } });
  const secret = newWebhookSecret();
  const headers = signatureHeaders('an-id', body, [newWebhookSecret(), secret], Date.now());
  const env = { CHECKOUT_URL: service.url, SHOP_KEY: secretKey, WEBHOOK: JSON.stringify({ secret, headers, body }) };
  const script = join(root, 'examples', 'python', 'shop.py');
  const { code, out, err } = await runKassa([script], { program: ['python3'], env });
  assert.equal(err, '');
  assert.equal(code, 0);
  assert.deepEqual(out.trim().split('\n'), [
    'one charge for one key: True',
    'refused: 402 1001',
    '{"reservedAmount": 10000, "chargedAmount": 10000, "refundedAmount": 4000, "cancelledAmount": 0}',
    'payment.created',
    'no signature is of this secret',
  ]);
});
