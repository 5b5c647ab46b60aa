// `kassa webhook …`. Goal: an operator sets up, changes, repairs and removes an endpoint from a shell, while the service
// runs. Method: real commands on the database of a running service, and a real endpoint that says what it got.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { definitions } from '../../src/events/definitions.ts';
import { runCommand } from '../support/commands.ts';
import { until } from '../support/kassa.ts';
import type { Ran } from '../support/kassa.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

type Shown = {
  readonly webhookId: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly state: string;
  readonly disabledReason?: string;
  readonly secret?: string;
  readonly oldSecretUntil?: string;
  readonly redeliveryId?: string;
};

describe('webhook', () => {
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
    runCommand(['webhook', ...args], { env: { DATABASE_URL: service.databaseUrl } });

  // Several in a test have the address of its one receiver, which is remarked.
  const SAME = /^(?:Webhook \w+ has the same address: events that both subscribe to are sent there twice\.\n)*$/;

  async function shown<Value = Shown>(...args: string[]): Promise<Value> {
    const { code, out, err } = await kassa(...args, '--json');
    assert.equal(code, 0);
    assert.match(err, SAME);
    return JSON.parse(out) as Value;
  }

  const merchant = (): string => String(shop.merchant.id);
  const create = (...args: string[]): Promise<Shown> => shown('create', merchant(), '--url', receiver.url, ...args);
  const verify = (secret: string | undefined, { text, headers }: Received): unknown =>
    new Verifier(secret ?? '').verify(text, headers as Record<string, string>);
  const namesOf = (received: readonly Received[]): string[] => received.map(({ body }) => body.event as string);

  test('create: events come, signed with the secret that was shown', async () => {
    const { webhookId, secret, ...rest } = await create();
    assert.match(webhookId, /^[0-9a-f]{32}$/);
    assert.deepEqual(
      { url: rest.url, events: rest.events, state: rest.state },
      { url: receiver.url, events: ['*'], state: 'enabled' },
    );
    await shop.client.createReserved();
    const received = await receiver.until(4);
    for (const one of received) assert.deepEqual(verify(secret, one), one.body);
  });

  test('create for people: aligned, with the secret and what to do with it', async () => {
    const { code, out, err } = await kassa('create', merchant(), '--url', receiver.url, '--events', 'payment.created');
    assert.equal(code, 0);
    assert.match(out, /^webhookId {3}[0-9a-f]{32}$/m);
    assert.match(out, /^events {6}payment\.created$/m);
    assert.match(out, /^secret {6}whsec_\S{44}$/m);
    assert.match(err, /^The secret is shown only once: .+\.\n$/);
  });

  test('create again with its --idempotency-key shows the same, secret included; with other options it is refused', async () => {
    const made = await create('--idempotency-key', 'one');
    const { code, out, err } = await kassa('create', merchant(), '--url', receiver.url, '--idempotency-key', 'one');
    assert.equal(code, 0);
    assert.ok(out.includes(made.webhookId) && out.includes(made.secret ?? ''));
    assert.match(
      err,
      /^This idempotency key was used before: here is the earlier result, and nothing was done again\.$/m,
    );
    const other = await kassa('create', merchant(), '--url', `${receiver.url}/2`, '--idempotency-key', 'one');
    assert.deepEqual([other.code, other.out], [1, '']);
    assert.match(other.err, /--idempotency-key was used with other options/);
    // The API takes the same key for the same request.
    const asked = await shop.client.post('/v1/webhooks', { url: receiver.url }, { 'idempotency-key': 'one' });
    assert.equal(asked.body.webhookId, made.webhookId);
  });

  test('create and update remark what would be handled twice: one address, an event and its .v2', async () => {
    const { webhookId } = await create('--events', 'payment.created');
    const both = 'payment.charge.created,payment.charge.created.v2';
    const second = await kassa('create', merchant(), '--url', receiver.url, '--events', both, '--json');
    assert.equal(
      second.err,
      `Webhook ${webhookId} has the same address: events that both subscribe to are sent there twice.\n` +
        'payment.charge.created and payment.charge.created.v2 report the same thing: subscribe to only one of them, or ignore one.\n',
    );
    const { webhookId: other } = JSON.parse(second.out) as Shown;
    const { err } = await kassa('update', other, '--url', `${receiver.url}/other`, '--events', 'payment.created');
    assert.equal(err, '');
  });

  test('list shows all of a merchant, and no secret', async () => {
    const first = await create();
    const second = await create('--events', 'payment.charge.created,payment.refund.completed');
    const { out } = await kassa('list', merchant());
    const [headings, ...rows] = out.trimEnd().split('\n');
    assert.match(headings ?? '', /^WEBHOOK +STATE +URL +EVENTS$/);
    assert.match(rows[0] ?? '', new RegExp(`^${first.webhookId} +enabled +${receiver.url} +all$`));
    assert.match(rows[1] ?? '', /enabled .* payment\.charge\.created, payment\.refund\.completed$/);
    assert.equal(rows.length, 2);
    for (const { secret } of [first, second]) assert.equal(out.includes(secret ?? ''), false);
    const listed = await shown<Shown[]>('list', merchant());
    assert.deepEqual(
      listed.map(({ webhookId, secret }) => [webhookId, secret]),
      [first, second].map(({ webhookId }) => [webhookId, undefined]),
    );
    shop = await service.openShop();
    assert.equal(
      (await kassa('list', merchant())).err,
      `No webhooks found. kassa webhook create ${merchant()} --url URL creates one.\n`,
    );
  });

  test('show, deliveries and list tell of a webhook that fails: since when, and what it answers', async () => {
    const { webhookId, secret } = await create('--events', 'payment.created,payment.checkout.completed');
    receiver.react(200, (response) => response.writeHead(503).end('closed for\nlunch'));
    await shop.client.createReserved();
    const failing = await until('a failure', async () => {
      const webhook = await shown<Shown & { failingSince?: string }>('show', webhookId);
      return webhook.failingSince !== undefined && webhook;
    });
    assert.deepEqual([failing.webhookId, failing.url, failing.secret], [webhookId, receiver.url, undefined]);
    const { out } = await kassa('show', webhookId);
    assert.match(out, /^events +payment\.created, payment\.checkout\.completed$/m);
    assert.match(out, new RegExp(`^failingSince +${failing.failingSince}$`, 'm'));
    assert.equal(out.includes(secret ?? ''), false);
    const row = new RegExp(`^${webhookId} +enabled, failing since ${failing.failingSince} `, 'm');
    assert.match((await kassa('list', merchant())).out, row);

    const [headings, newest, oldest] = (await kassa('deliveries', webhookId)).out.split('\n');
    assert.match(headings ?? '', /^EVENT +NAME +STATE +ATTEMPTS +LAST ATTEMPT +NEXT ATTEMPT +RESPONSE$/);
    assert.match(
      newest ?? '',
      /^[0-9a-f]{32} +payment\.checkout\.completed +pending +\d+ +\S+Z +\S+Z +503, closed for lunch$/,
    );
    assert.match(oldest ?? '', /^[0-9a-f]{32} +payment\.created +delivered +1 +\S+Z +- +200$/);
    const delivered = await shown<{ event: string }[]>('deliveries', webhookId, '--state', 'delivered');
    assert.deepEqual(
      delivered.map(({ event }) => event),
      ['payment.created'],
    );
    assert.equal((await shown<unknown[]>('deliveries', webhookId, '--limit', '1')).length, 1);
    assert.equal((await kassa('deliveries', webhookId, '--state', 'failed')).err, 'None found.\n');
  });

  test('the help of create has the name of every event', async () => {
    const { out } = await kassa('create', '--help');
    for (const { name } of definitions) assert.ok(out.includes(`  ${name}\n`), name);
  });

  test('update: other events, another address, off and on again', async () => {
    const { webhookId } = await create('--events', 'payment.charge.created');
    const other = await openReceiver();
    try {
      const changed = await shown('update', webhookId, '--events', 'payment.created', '--url', other.url);
      assert.deepEqual([changed.events, changed.url], [['payment.created'], other.url]);
      await shop.client.createReserved();
      assert.deepEqual(namesOf(await other.until(1)), ['payment.created']);

      const off = await shown('update', webhookId, '--disable');
      assert.deepEqual([off.state, off.disabledReason], ['disabled', 'asked']);
      assert.match((await kassa('list', merchant())).out, new RegExp(`^${webhookId} +disabled `, 'm'));
      const missed = new Date().toISOString();
      await shop.client.createReserved();
      assert.equal(
        (await kassa('redeliver', webhookId, '--since', missed)).err,
        `kassa: Webhook ${webhookId} is disabled; kassa webhook update ${webhookId} --enable enables it.\n`,
      );
      assert.deepEqual((await shown('update', webhookId, '--enable', '--events', '*')).events, ['*']);
      assert.equal((await kassa('redeliver', webhookId, '--since', missed)).out, `4 events queued for ${other.url}.\n`);
      assert.equal((await other.until(5)).length, 5);
    } finally {
      await other.close();
    }
  });

  test('rotate prints the new secret alone; both sign for a day', async () => {
    const { webhookId, secret } = await create('--events', 'payment.created');
    const { out, err } = await kassa('rotate', webhookId);
    assert.match(out, /^whsec_\S{44}\n$/);
    assert.match(err, /^This secret is shown only once\. The old one also signs until \d{4}-.*Z\.\n$/);
    await shop.client.createReserved();
    const [received] = await receiver.until(1);
    for (const valid of [secret, out.trim()]) assert.ok(verify(valid, received as Received));
    assert.deepEqual(Object.keys(await shown('rotate', webhookId)), ['webhookId', 'secret', 'oldSecretUntil']);
  });

  test('redeliver sends all since a time, and says so when there is nothing', async () => {
    const { webhookId } = await create('--events', 'payment.created');
    await shop.client.createReserved();
    await receiver.until(1);
    const redelivery = await shown('redeliver', webhookId, '--since', '2020-01-01');
    assert.partialDeepStrictEqual(redelivery, { webhookId, deliveries: 1, state: 'completed' });
    assert.deepEqual(await shown('redeliveries', webhookId), [redelivery]);
    const { out: listed } = await kassa('redeliveries', webhookId, '--end', redelivery.redeliveryId ?? '');
    assert.match(listed, new RegExp(`^${redelivery.redeliveryId} +completed .* 1$`, 'm'));
    const [first, again] = await receiver.until(2);
    assert.equal(first?.body.id, again?.body.id);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const { out } = await kassa('redeliver', webhookId, '--since', tomorrow);
    assert.equal(out, 'There are no events since then that this webhook subscribes to.\n');
  });

  test('delete: no more events, and none of it is left', async () => {
    const { webhookId } = await create();
    const { out } = await kassa('delete', webhookId);
    assert.equal(out, `Deleted webhook ${webhookId} of merchant ${merchant()}: ${receiver.url} gets no more events.\n`);
    const kept = await openReceiver();
    try {
      await shown('create', merchant(), '--url', kept.url);
      await shop.client.createReserved();
      await kept.until(4);
      assert.equal(receiver.received.length, 0);
    } finally {
      await kept.close();
    }
    await until('the webhook to be gone', async () => (await shown<Shown[]>('list', merchant())).length === 1);
  });

  test('a merchant has twenty at most', async () => {
    for (let n = 0; n < 20; n += 1) await shop.client.must(201, 'POST', '/v1/webhooks', { url: receiver.url });
    const { code, err } = await kassa('create', merchant(), '--url', receiver.url);
    assert.equal(code, 1);
    assert.equal(err, `kassa: Merchant ${merchant()} already has 20 webhooks; delete one first.\n`);
  });

  test('what cannot be is refused with one sentence that says what to do', async () => {
    const id = '019f0000000070008000000000000000';
    const live = String((await service.openShop({ live: true, acquirer: 'simulator' })).merchant.id);
    const http = 'http://shop.example/events';
    const refusals: readonly (readonly [args: readonly string[], sentence: RegExp])[] = [
      [['create', '100000000', '--url', http], /^There is no merchant 100000000\. kassa merchant list shows all\.$/],
      [['create', merchant()], /^--url is missing, for example: kassa webhook create \d{9} --url https:.*$/],
      [['create', merchant(), '--url', 'ftp://a.example'], /^--url must be an http or https address\.$/],
      [['create', merchant(), '--url', 'http://169.254.169.254/'], /^--url must not lead to .+\.$/],
      [['create', merchant(), '--url', `${http}?${'a'.repeat(2_048)}`], /^--url must have at most 2048 characters\.$/],
      [['create', live, '--url', http], /^--url must be https .+\.$/],
      [
        ['create', merchant(), '--url', http, '--events', 'payment.charge.craeted'],
        /^Unknown event payment\.charge\.craeted\. Did you mean payment\.charge\.created\? kassa help .+$/,
      ],
      [
        ['create', merchant(), '--url', http, '--events', 'sing'],
        /^Unknown event sing\. The events are payment\.created, .+, webhook\.disabled\.$/,
      ],
      [['create', merchant(), '--url', http, '--events', ','], /^The list of events is empty; .+$/],
      [['create', merchant(), '--url', http, '--events', '*,payment.created'], /^\* means all events .+$/],
      [['create', merchant(), '--url', http, '--events', '*,payment.create'], /^Unknown event payment\.create\. .+$/],
      [['update', id, '--enable'], new RegExp(`^There is no webhook ${id}\\. kassa webhook list MERCHANT .+$`)],
      [['update', id], /^Nothing to change\. kassa help webhook update lists the options\.$/],
      [['update', id, '--enable', '--disable'], /^--enable and --disable cannot be combined\.$/],
      [['update', 'abc', '--enable'], /^WEBHOOK is abc; it must be the 32 hex digits of the id of a webhook\.$/],
      [['delete', id], /^There is no webhook .+$/],
      [['show', id], /^There is no webhook .+$/],
      [['deliveries', id], /^There is no webhook .+$/],
      [
        ['deliveries', id, '--state', 'lost'],
        /^--state is lost; it must be one of pending, delivered, failed, dropped\.$/,
      ],
      [['rotate', id], /^There is no webhook .+$/],
      [['redeliver', id], /^--since is missing, for example: --since .+$/],
      [
        ['redeliver', id, '--since', 'yesterday'],
        /^--since is yesterday; it must be a date or a timestamp such as .+$/,
      ],
    ];
    for (const [args, sentence] of refusals) {
      const { code, out, err } = await kassa(...args);
      assert.deepEqual({ code, out }, { code: 1, out: '' }, args.join(' '));
      assert.match(err, /^kassa: [^\n]+\n$/);
      assert.match(err.slice('kassa: '.length, -1), sentence);
    }
  });
});
