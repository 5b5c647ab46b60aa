// `kassa payment …`. Goal: whoever looks after a shop finds a payment and moves its money from a shell, once, and reads
// what was refused. Method: commands against the API of a real service; the payment is read back by a client.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { runCommand } from '../support/commands.ts';
import type { Ran } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

describe('payment', { concurrency: 2 }, () => {
  let service: SharedService;
  let shop: Shop;
  before(async () => {
    service = shareService();
    shop = await service.openShop();
  });
  after(() => service.close());

  const kassa = (...args: string[]): Promise<Ran> =>
    runCommand(['payment', ...args, '--url', service.url], { env: { KASSA_CLI_KEY: shop.secretKey } });

  async function printed(...args: string[]): Promise<string> {
    const { code, out, err } = await kassa(...args);
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    return out;
  }

  async function refused(...args: string[]): Promise<string> {
    const { code, out, err } = await kassa(...args);
    assert.deepEqual({ code, out }, { code: 1, out: '' });
    return err;
  }

  test('charge, refund and cancel: an amount, or all that is left; told in a sentence', async () => {
    const id = await shop.client.createReserved();
    assert.match(
      await printed('charge', id, '--amount', '30000'),
      new RegExp(`^300\\.00 SEK of payment ${id} charged, id \\w{32}\\.\n$`),
    );
    assert.match(await printed('refund', id), new RegExp(`^300\\.00 SEK of payment ${id} refunded, id \\w{32}\\.\n$`));
    assert.match(await printed('charge', id), /^700\.00 SEK .* charged, id /);
    const { summary } = await shop.client.payment(id);
    assert.deepEqual(summary, {
      reservedAmount: 100_000,
      chargedAmount: 100_000,
      refundedAmount: 30_000,
      cancelledAmount: 0,
    });
    assert.equal(await refused('charge', id), `kassa: Payment ${id} has nothing left to charge.\n`);
    const other = await shop.client.createReserved();
    assert.equal(await printed('cancel', other), `1000.00 SEK of payment ${other} cancelled.\n`);
    assert.equal((await shop.client.payment(other)).summary.cancelledAmount, 100_000);
  });

  test('a repeated idempotency key does it once, and says so', async () => {
    const id = await shop.client.createReserved();
    const words = ['charge', id, '--amount', '100', '--idempotency-key', 'once', '--json'];
    const first = JSON.parse(await printed(...words)) as { chargeId: string; amount: number };
    assert.equal(first.amount, 100);
    const { out, err } = await kassa(...words);
    assert.deepEqual(JSON.parse(out), first);
    assert.equal(
      err,
      'This idempotency key was used before: here is the earlier result, and nothing was done again.\n',
    );
    assert.equal((await shop.client.payment(id)).summary.chargedAmount, 100);
  });

  test('a refusal that is repeated with its idempotency key says that it is a replay', async () => {
    const id = await shop.client.createReserved();
    const words = ['charge', id, '--amount', '999999', '--idempotency-key', 'refused-once'];
    const first = await refused(...words);
    assert.match(first, /responded with 402: [^\n]*\.\n$/);
    const again = ' This is the response to an earlier request with this idempotency key; nothing was retried.';
    assert.equal(await refused(...words), first.replace('\n', `${again} A new attempt needs a new key.\n`));
  });

  test('show: the sums in both spellings, charges and refunds; --json is the API’s own answer', async () => {
    const id = await shop.client.createReserved();
    const chargeId = await shop.client.charge(id, 40_000);
    const out = await printed('show', id);
    assert.match(out, new RegExp(`^paymentId +${id}\ncreated +\\S+Z\n`));
    assert.match(out, /^reserved +100000 {2}\(1000\.00 SEK\)$/m);
    assert.match(out, /^charged +40000 {2}\(400\.00 SEK\)$/m);
    assert.match(out, new RegExp(`^charge  ${chargeId}  \\S+Z  40000$`, 'm'));
    assert.deepEqual(JSON.parse(await printed('show', id, '--json')), await shop.client.payment(id));
  });

  test('list: filtered, limited, as a table or as JSON', async () => {
    const other = await service.openShop();
    const ids = [await other.client.create(), await other.client.createReserved(), await other.client.create()];
    const list = (...args: string[]): Promise<Ran> =>
      runCommand(['payment', 'list', '--url', service.url, '--key', other.secretKey, ...args]);
    const [headings, ...rows] = (await list()).out.trimEnd().split('\n');
    assert.match(
      headings ?? '',
      /^PAYMENT +CREATED +AMOUNT +RESERVED +CHARGED +REFUNDED +CANCELLED +CURRENCY +REFERENCE$/,
    );
    assert.deepEqual(
      rows.map((row) => row.slice(0, 32)),
      ids.toReversed(),
    );
    assert.match(rows[1] ?? '', / 100000 +100000 +0 +0 +0 +SEK /);
    const reserved = JSON.parse((await list('--state', 'reserved', '--json')).out) as { paymentId: string }[];
    assert.deepEqual(
      reserved.map(({ paymentId }) => paymentId),
      [ids[1]],
    );
    assert.equal((await list('--limit', '2')).out.trimEnd().split('\n').length, 3);
    assert.equal((await list('--reference', 'nobody')).err, 'None found.\n');
  });

  test('a live merchant’s key is taken, and what it may not do is told', async () => {
    const live = await service.openShop({ live: true });
    const paymentId = await live.client.create();
    const { out } = await runCommand(['payment', 'show', paymentId, '--url', service.url, '--key', live.secretKey]);
    assert.ok(out.startsWith(`paymentId  ${paymentId}\n`), out);
  });

  test('what is wrong is told in one sentence', async () => {
    const created = await shop.client.create();
    const nobody = `${created.slice(0, -1)}${created.endsWith('0') ? '1' : '0'}`;
    for (const [args, said] of [
      [['show', nobody], `There is no payment ${nobody} for the merchant of this key at ${service.url}.`],
      [['charge', nobody], `There is no payment ${nobody} for the merchant of this key at ${service.url}.`],
      [['show', 'x'], 'PAYMENT is x; it must be the 32 hex digits of the id of a payment.'],
      [
        ['cancel', created],
        `Payment ${created} is not reserved: the consumer has not paid, so there is nothing to cancel.`,
      ],
      [['list', '--state', 'gone'], /^--state is gone; it must be one of created, /],
      [['charge', created, '--amount', '1.50'], /^--amount is 1\.50; it must be a whole number in minor units/],
      [['charge', created, '--amount', '100'], new RegExp(`^Kassa at ${service.url} responded with 402: .+\\.$`)],
      [
        ['charge', created, '--idempotency-key', 'a b'],
        '--idempotency-key must have 1 to 64 visible ASCII characters.',
      ],
    ] as const) {
      const err = await refused(...args);
      if (typeof said === 'string') assert.equal(err, `kassa: ${said}\n`);
      else assert.match(err.slice('kassa: '.length, -1), said);
    }
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const away = await runCommand(['payment', 'list', '--url', nowhere, '--key', shop.secretKey]);
    assert.ok(away.err.startsWith(`kassa: Cannot reach Kassa at ${nowhere} (connection refused): `), away.err);
  });
});
