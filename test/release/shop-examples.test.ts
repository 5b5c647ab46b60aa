// Goal: the examples for shops in other languages do what they say. Method: each is run as it stands against a running
// Kassa, and given a request that Kassa signed. Python is used where it is there; the others are Debian's, installed
// where we may.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { signatureHeaders } from '../../src/events/signature.ts';
import { newWebhookSecret } from '../../src/store/events/webhooks.ts';
import { root } from '../../proof/program.ts';
import { findProgram } from '../support/debian-package.ts';
import { runKassa } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';

/** The program, if it runs this line: so old ones, and what only stands for one, do not count. */
const finding =
  (program: string, ...args: string[]) =>
  () =>
    spawnSync(program, args).status === 0 ? program : undefined;

type Example = { readonly program: string | undefined; readonly args: readonly string[]; readonly script: string };

const PHP = finding('php', '-r', 'exit(PHP_VERSION_ID >= 80100 ? 0 : 1);');
const RUBY = finding('ruby', '-ropenssl', '-e', 'exit(OpenSSL.respond_to?(:secure_compare))');

const EXAMPLES: Readonly<Record<string, Example>> = {
  Python: {
    program: finding('python3', '-c', "''.removeprefix('')")(),
    args: [],
    script: 'python/shop.py',
  },
  PHP: {
    program: await findProgram({ find: PHP, packages: ['php-cli'], neededBy: 'the example in PHP needs' }),
    // Whatever is strange is said, and fails the test.
    args: ['-d', 'display_errors=stderr', '-d', 'error_reporting=-1'],
    script: 'php/shop.php',
  },
  Ruby: {
    program: await findProgram({ find: RUBY, packages: ['ruby'], neededBy: 'the example in Ruby needs' }),
    args: ['-w'],
    script: 'ruby/shop.rb',
  },
};

const service = shareService();
after(() => service.close());

for (const [language, { program, args, script }] of Object.entries(EXAMPLES)) {
  const skip = program === undefined && `this machine has no ${language}, and none may be installed`;
  test(`a payment from ${language}: charged once for one key, refunded, a webhook verified`, { skip }, async () => {
    const { secretKey } = await service.openShop();
    const body = JSON.stringify({ event: 'payment.created', data: { name: 'Öberg' } });
    const secret = newWebhookSecret();
    const headers = signatureHeaders('an-id', body, [newWebhookSecret(), secret], Date.now());
    const env = { CHECKOUT_URL: service.url, SHOP_KEY: secretKey, WEBHOOK: JSON.stringify({ secret, headers, body }) };
    const file = join(root, 'examples', script);
    const { code, out, err } = await runKassa([...args, file], { program: [program ?? ''], env });
    assert.equal(err, '');
    assert.equal(code, 0);
    const [same, refused, summary = '', ...webhook] = out.trim().split('\n');
    assert.match(same ?? '', /^one charge for one key: true$/i);
    assert.equal(refused, 'refused: 402 1001');
    assert.deepEqual(JSON.parse(summary), {
      reservedAmount: 10_000,
      chargedAmount: 10_000,
      refundedAmount: 4_000,
      cancelledAmount: 0,
    });
    assert.deepEqual(webhook, ['payment.created', 'no signature is of this secret']);
  });
}
