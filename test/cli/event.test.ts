// `kassa event …`. Goal: an operator sees what happened, to whom it was sent and what they answered, and sends it again.
// Method: real commands on the database of a running service; the endpoint's answers are known, so what is shown is, too.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { homePartOf, newId } from '../../src/payments/ids.ts';
import { createWebhook, newWebhookSecret, updateWebhook } from '../../src/store/events/webhooks.ts';
import type { Webhook } from '../../src/store/events/webhooks.ts';
import type { EventName } from '../../src/domain/decision.ts';
import { aCreate } from '../support/client.ts';
import { runCommand } from '../support/commands.ts';
import { until } from '../support/kassa.ts';
import type { Ran } from '../support/kassa.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

type Listed = {
  readonly id: string;
  readonly event: string;
  readonly timestamp: string;
  readonly paymentId: string;
};

const RESERVED = [
  'payment.created',
  'payment.reservation.created',
  'payment.reservation.created.v2',
  'payment.checkout.completed',
];

describe('event', () => {
  let service: SharedService;
  let shop: Shop;
  let receiver: Receiver;
  before(() => {
    service = shareService();
  });
  after(() => service.close());
  beforeEach(async () => {
    shop = await service.openShop();
    receiver = await openReceiver();
  });
  afterEach(() => receiver.close());

  const kassa = (...args: string[]): Promise<Ran> =>
    runCommand(['event', ...args], { env: { DATABASE_URL: service.databaseUrl } });
  const merchant = (): string => String(shop.merchant.id);

  async function list(...args: string[]): Promise<Listed[]> {
    const { code, out, err } = await kassa('list', merchant(), ...args, '--json');
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    return JSON.parse(out) as Listed[];
  }

  const firstOf = async (...args: string[]): Promise<string> => (await list(...args))[0]?.id ?? '';

  async function subscribe(events?: EventName[]): Promise<Webhook> {
    const wanted = { url: receiver.url, events, secret: newWebhookSecret() };
    const id = newId(Date.now(), homePartOf(shop.merchant));
    return (await createWebhook(service.pool, shop.merchant, { id, ...wanted })) ?? assert.fail('not made');
  }

  test('list: the latest, the newest last, whether anybody delivers them or not', async () => {
    const first = await shop.client.createReserved();
    const second = await shop.client.createReserved();
    const all = await list();
    assert.deepEqual(
      all.map(({ event, paymentId }) => [paymentId, event]),
      [first, second].flatMap((paymentId) => RESERVED.map((event) => [paymentId, event])),
    );
    assert.deepEqual(await list('--limit', '3'), all.slice(-3));
    assert.deepEqual(await list('--payment', first), all.slice(0, 4));
    assert.deepEqual(await list('--payment', first, '--limit', '1'), all.slice(3, 4));
    const types = ['payment.created', 'payment.checkout.completed'];
    assert.deepEqual(
      await list('--events', types.join()),
      all.filter(({ event }) => types.includes(event)),
    );
    const { out } = await kassa('list', merchant(), '--limit', '1');
    const last = all.at(-1) as Listed;
    assert.match(out, /^TIME +NAME +EVENT +PAYMENT\n/);
    assert.ok(out.endsWith(`\n${last.timestamp}  ${last.event}  ${last.id}  ${second}\n`), out);
  });

  test('list finds the latest of a name behind thousands of others', async () => {
    const paymentId = await shop.client.createReserved();
    await shop.client.charge(paymentId, 100_000);
    const [charged] = await list('--events', 'payment.charge.created');
    await service.pool.query(
      `insert into events (part, subject_id, version, ordinal, name, happened_at, merchant_id, position)
       select part, subject_id, 1000 + n, 0, 'payment.created', happened_at, $1, 6 + n
       from events, generate_series(1, 2500) as n where merchant_id = $1 and position = 6`,
      [shop.merchant.id],
    );
    await service.pool.query('update event_counters set last = 2506 where merchant_id = $1', [shop.merchant.id]);
    assert.deepEqual(await list('--events', 'payment.charge.created'), [charged]);
    assert.equal((await list('--limit', '1000')).length, 1_000);
  });

  test('show: every attempt with what was answered, for people and as JSON', async () => {
    const { id } = await subscribe(['payment.created']);
    const hooks = [{ eventName: 'payment.created', url: `${receiver.url}/own`, authorization: 'a-secret-of-mine' }];
    receiver.react((response, { path }) => {
      const isFirst = receiver.received.filter((one) => one.path === path).length === 1;
      response.writeHead(isFirst && !path.endsWith('/own') ? 503 : 200).end(isFirst ? 'Not\nnow' : '');
    });
    const body = { ...aCreate(), notifications: { webHooks: hooks } };
    const { paymentId } = await shop.client.must(201, 'POST', '/v1/payments', body);
    await shop.client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
    await receiver.until(3);
    const eventId = await firstOf('--events', 'payment.created');
    const shown = await until('both deliveries', async () => {
      const { out } = await kassa('show', merchant(), eventId, '--json');
      const found = JSON.parse(out) as { deliveries: { state: string }[] };
      return found.deliveries.every(({ state }) => state === 'delivered') ? found : false;
    });
    const [webhook, own] = shown.deliveries as Record<string, unknown>[];
    const attempts = webhook?.['attempts'] as Record<string, unknown>[];
    assert.deepEqual([webhook?.['webhookId'], webhook?.['url'], webhook?.['tries']], [id, receiver.url, 2]);
    assert.deepEqual(
      attempts.map(({ status, answer }) => [status, answer]),
      [
        [503, 'Not\nnow'],
        [200, undefined],
      ],
    );
    assert.deepEqual([own?.['hook'], own?.['url']], [0, `${receiver.url}/own`]);
    assert.equal((shown as unknown as { body: { id: string } }).body.id, eventId);

    const { out } = await kassa('show', merchant(), eventId);
    assert.match(
      out,
      new RegExp(
        `^id +${eventId}\nevent +payment\\.created\ntimestamp +\\S+Z\npaymentId +${paymentId}\n\n2 endpoints, 3 attempts: 2 delivered\\.\n\n`,
      ),
    );
    assert.match(
      out,
      new RegExp(
        `^webhook ${id}, ${receiver.url}: delivered after 2 attempts\n  \\S+Z  503  \\d+ ms +Not now\n  \\S+Z  200 `,
        'm',
      ),
    );
    assert.match(out, new RegExp(`^hook 0 of the payment, ${receiver.url}/own: delivered after 1 attempt\n`, 'm'));
    assert.equal(out.includes('a-secret-of-mine'), false);
  });

  test('show says when nobody asked for it, and when it will be tried again', async () => {
    const paymentId = await shop.client.createReserved();
    const eventId = await firstOf('--payment', paymentId);
    assert.ok((await kassa('show', merchant(), eventId)).out.endsWith('\n\nNo endpoint subscribed to it.\n'));
    await subscribe(['payment.created']);
    receiver.react(500);
    await shop.client.createReserved();
    await receiver.until(3);
    const failing = await firstOf('--events', 'payment.created', '--limit', '1');
    const out = await until('the third failure', async () => {
      const { out: text } = await kassa('show', merchant(), failing);
      return text.includes('after 3 attempts') ? text : false;
    });
    assert.match(out, /^1 endpoint, 3 attempts: 1 pending\.$/m);
    assert.match(out, /: pending after 3 attempts, next attempt \d{4}-\S+Z\n/);
  });

  test('redeliver: to all who got it, or to one webhook, newer ones too', async () => {
    const { id } = await subscribe(['payment.created']);
    await shop.client.createReserved();
    await receiver.until(1);
    const eventId = await firstOf('--events', 'payment.created');
    assert.equal((await kassa('redeliver', merchant(), eventId)).out, 'Resending payment.created to 1 endpoint.\n');
    await receiver.until(2);
    const newer = await subscribe(['payment.cancel.created']);
    const ran = await kassa('redeliver', merchant(), eventId, '--webhook', newer.id, '--json');
    assert.deepEqual(JSON.parse(ran.out), { id: eventId, deliveries: 1 });
    assert.deepEqual(new Set((await receiver.until(3)).map(({ body }) => body.id as string)), new Set([eventId]));

    await updateWebhook(service.pool, id, shop.merchant.id, { enabled: false });
    const { err } = await kassa('redeliver', merchant(), eventId, '--webhook', id);
    assert.equal(err, `kassa: Webhook ${id} is disabled; kassa webhook update ${id} --enable enables it.\n`);
  });

  test('what is not there is refused with one sentence', async () => {
    const id = '019f0000000070008000000000000000';
    const paymentId = await shop.client.createReserved();
    const eventId = await firstOf('--payment', paymentId);
    const other = await service.openShop();
    const foreign = String(other.merchant.id);
    const refusals: readonly (readonly [args: readonly string[], sentence: string])[] = [
      [['list', '100000000'], 'There is no merchant 100000000. kassa merchant list shows all.'],
      [['list', merchant(), '--limit', '0'], '--limit is 0; it must be a number from 1 to 1000.'],
      [
        ['list', merchant(), '--payment', 'abc'],
        '--payment is abc; it must be the 32 hex digits of the id of a payment.',
      ],
      [
        ['list', merchant(), '--events', 'payment.create'],
        'Unknown event payment.create. Did you mean payment.created? kassa help trigger lists all events.',
      ],
      [
        ['show', merchant(), id],
        `Merchant ${merchant()} has no event ${id}. kassa event list ${merchant()} shows the latest.`,
      ],
      [
        ['show', foreign, eventId],
        `Merchant ${foreign} has no event ${eventId}. kassa event list ${foreign} shows the latest.`,
      ],
      [['show', merchant(), 'abc'], 'EVENT is abc; it must be the 32 hex digits of the id of an event.'],
      [['redeliver', merchant(), eventId], 'This event was not sent to any endpoint. Choose a webhook with --webhook.'],
      [
        ['redeliver', merchant(), eventId, '--webhook', id],
        `There is no webhook ${id} of merchant ${merchant()}. kassa webhook list MERCHANT shows all.`,
      ],
    ];
    for (const [args, sentence] of refusals)
      assert.deepEqual(await kassa(...args), { code: 1, signal: null, out: '', err: `kassa: ${sentence}\n` });
    assert.equal((await kassa('list', foreign)).err, 'None found.\n');
  });
});
