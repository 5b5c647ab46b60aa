// `kassa subscription …`. Goal: whoever runs Kassa finds a subscription, sees what was charged and ends it from a shell.
// Method: commands on the database of a real service; what they did is read back over the API.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anOrder } from '../support/client.ts';
import { runCommand } from '../support/commands.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';
import { subscribe } from '../support/subscriptions.ts';

describe('subscription', () => {
  let service: SharedService;
  let shop: Shop;
  before(async () => {
    service = shareService();
    shop = await service.openShop();
  });
  after(() => service.close());

  const kassa = (...args: string[]) =>
    runCommand(['subscription', ...args], {
      env: { DATABASE_URL: service.databaseUrl, KASSA_PUBLIC_URL: 'https://pay.example' },
    });

  async function printed(...args: string[]): Promise<string> {
    const { code, out, err } = await kassa(...args);
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    return out;
  }

  test('list, show and end; the address of the consumer’s page is shown by show alone', async () => {
    const merchant = String(shop.merchant.id);
    const first = await subscribe(shop.client, 'scheduled', undefined, { interval: 30, endDate: '2031-06-01' });
    const second = await subscribe(shop.client, 'unscheduled');
    const charged = await shop.client.post(`/v1/unscheduledsubscriptions/${second}/charges`, { order: anOrder(5_000) });
    const listed = JSON.parse(await printed('list', merchant, '--json')) as Record<string, unknown>[];
    assert.deepEqual(
      listed.map(({ subscriptionId, kind, state }) => [subscriptionId, kind, state]),
      [
        [second, 'unscheduled', 'active'],
        [first, 'scheduled', 'active'],
      ],
    );
    const table = await printed('list', merchant, '--limit', '1');
    assert.ok(table.includes(second) && !table.includes(first), table);
    const { consumerPageUrl } = (await shop.client.get(`/v1/unscheduledsubscriptions/${second}`)).body;
    const path = new URL(consumerPageUrl).pathname;
    assert.ok(!JSON.stringify(listed).includes(path.split('/')[3] as string));
    const shown = await printed('show', second);
    assert.match(shown, /^consumerPageUrl /m);
    for (const words of [`https://pay.example${path}`, 'Visa 492500******0004', charged.body.paymentId])
      assert.ok(shown.includes(words), words);
    const detailed = JSON.parse(await printed('show', first, '--json'));
    assert.deepEqual([detailed.interval, detailed.endDate], [30, '2031-06-01T00:00:00.000Z']);

    assert.equal(await printed('end', second, '--yes'), `Ended subscription ${second}.\n`);
    assert.equal(await printed('end', second, '--yes'), `Subscription ${second} was already ended by the merchant.\n`);
    assert.equal(JSON.parse(await printed('end', first, '--yes', '--json')).endedBy, 'merchant');
    assert.equal((await shop.client.get(`/v1/subscriptions/${first}`)).body.state, 'ended');
    const { body } = await shop.client.get('/v1/events?type=subscription.ended');
    assert.deepEqual(
      body.events.map(({ data }: { data: { subscriptionId: string } }) => data.subscriptionId),
      [second, first],
    );
  });

  test('what is not there is told, and without a terminal nothing is ended unless --yes', async () => {
    const id = await subscribe(shop.client, 'scheduled');
    const unsure = await kassa('end', id);
    assert.equal(unsure.code, 1);
    assert.match(unsure.err, /pass --yes/);
    assert.equal((await shop.client.get(`/v1/subscriptions/${id}`)).body.state, 'active');
    const nobody = await kassa('show', '0190a1b2c3d47abc8def0123456789ab');
    assert.match(nobody.err, /^kassa: There is no subscription 0190a1b2/);
    assert.match((await kassa('list', '999999999')).err, /^kassa: There is no merchant/);
  });
});
