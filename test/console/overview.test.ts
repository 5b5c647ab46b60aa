// Goal: the overview tells a merchant's people how its days went, and nobody else's. Method: payments made through the API
// of a Kassa that runs, and the page as a browser gets it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keepOutcome } from '../../src/store/books/reconcile-outcomes.ts';
import { signIn } from '../support/console.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const textOf = (page: string): string =>
  page
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('\u202f', ' ')
    .replaceAll(/\s+/g, ' ');

describe('overview', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  test('what was charged and refunded a moment ago is in the figures, of this merchant alone', async () => {
    const shop = await service.openShop();
    const other = await service.openShop({ beside: shop });
    for (const { client, amount } of [
      { ...shop, amount: 1_234_500 },
      { ...other, amount: 777_700 },
    ]) {
      const paymentId = await client.createReserved(amount);
      await client.refund(await client.charge(paymentId, amount), 4_500);
    }
    const visitor = await signIn(service, shop.merchant.id, 'viewer');
    const path = `/console/${shop.merchant.id}/overview`;
    const text = textOf(await (await visitor.ask(path)).text());
    assert.match(text, /Charged 12,345\.00 SEK 1 charge /);
    assert.match(text, /Refunded 45\.00 SEK 1 refund /);
    assert.match(text, /Net 12,300\.00 SEK/);
    assert.match(text, /Accepted 100\.0% 1 of 1 tries to pay/);
    assert.match(text, /Nothing needs attention\./);
    assert.match(text, /0 SEK 5k SEK 10k SEK/, 'the scale of the bars');
    assert.ok(!text.includes('7,777'));
    assert.equal((await visitor.ask(`/console/${other.merchant.id}/overview`)).status, 404);
  });

  test('period and currency are in the address; what is no such thing is the usual', async () => {
    const { merchant } = await service.openShop();
    const visitor = await signIn(service, merchant.id, 'viewer');
    const pageOf = async (query: string): Promise<string> =>
      (await visitor.ask(`/console/${merchant.id}/overview${query}`)).text();
    assert.match(await pageOf('?days=7&currency=jpy'), /days=7&(?:amp;)?currency=JPY"\s+aria-current="true"/);
    assert.match(textOf(await pageOf('?days=7&currency=jpy')), /Charged 0 JPY/);
    for (const odd of ['', '?days=1e9', '?days=7&days=30', '?currency=<script>'])
      assert.match(await pageOf(odd), /days=30&(?:amp;)?currency=SEK"\s+aria-current="true"/, odd);
  });

  test('where nothing was charged it says what to do: charge what is reserved, or look further back', async () => {
    const { merchant, client } = await service.openShop();
    const visitor = await signIn(service, merchant.id, 'viewer');
    const pageOf = async (query = ''): Promise<string> =>
      (await visitor.ask(`/console/${merchant.id}/overview${query}`)).text();
    const empty = await pageOf();
    assert.match(
      textOf(empty),
      /Nothing was charged or refunded in SEK in these 30 days Each day gets a bar as soon as/,
    );
    assert.match(empty, /overview\?days=90&(?:amp;)?currency=SEK"\s*>Look at 90 days/);
    assert.doesNotMatch(empty, /class="chart"|Show the figures|state=reserved/);
    assert.doesNotMatch(await pageOf('?days=90'), /Look at 90 days/);
    await client.charge(await client.createReserved(10_000), 100);
    const charged = await pageOf();
    assert.match(charged, /class="chart"/);
    assert.doesNotMatch(charged, /Nothing was charged or refunded/);
    const other = await service.openShop();
    await other.client.createReserved(10_000);
    const reserved = await (
      await (await signIn(service, other.merchant.id, 'viewer')).ask(`/console/${other.merchant.id}/overview`)
    ).text();
    assert.match(textOf(reserved), /What is reserved waits to be charged\. Show what is reserved/);
    assert.match(reserved, /payments\?state=reserved"/);
  });

  test('what needs attention is said, with what to do', async () => {
    const { client, merchant } = await service.openShop();
    await client.createReserved(1_000);
    await client.must(200, 'POST', '/v1/sandbox/clock', { advanceSeconds: 6 * 86_400 });
    await client.must(201, 'POST', '/v1/webhooks', { url: 'https://dead.example/hook' });
    await service.pool.query('update webhooks set failing_since = now() where merchant_id = $1', [merchant.id]);
    const visitor = await signIn(service, merchant.id, 'viewer');
    const text = textOf(await (await visitor.ask(`/console/${merchant.id}/overview`)).text());
    assert.match(text, /1 reservation ends within 2 days/);
    assert.match(text, /1 webhook fails at the moment/);
    assert.ok(!text.includes('difference'));
  });

  test('what the last comparison with an acquirer found is said, with the payments to look at', async () => {
    const { client, merchant } = await service.openShop();
    const [one, other] = [await client.create(), await client.create()];
    const visitor = await signIn(service, merchant.id, 'viewer');
    const pageOf = async (): Promise<string> => (await visitor.ask(`/console/${merchant.id}/overview`)).text();
    await keepOutcome(service.pool, 'bank', [{ paymentId: one }, { paymentId: other }, { paymentId: one }, {}]);
    const page = await pageOf();
    assert.match(textOf(page), /3 differences between your books and those of bank, found on \d/);
    for (const id of [one, other]) assert.ok(page.includes(`/console/${merchant.id}/payments/${id}"`));
    await keepOutcome(service.pool, 'bank', [{ paymentId: one }]);
    assert.match(textOf(await pageOf()), /1 difference between your books/);
    await keepOutcome(service.pool, 'bank', []);
    assert.ok(!textOf(await pageOf()).includes('difference'));
  });
});
