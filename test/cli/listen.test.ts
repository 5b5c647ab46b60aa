// `kassa listen`. Goal: a developer gets the events of a Kassa at an address of their own machine: signed, in order,
// none lost when the service is started anew, and each told with its answer. Method: real services, a real endpoint,
// real payments; the signature is verified with the library that the documentation names.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { Workshop } from '../database/workshop.ts';
import { Client } from '../support/client.ts';
import { cloneDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { runCommand } from '../support/commands.ts';
import { launchKassa, serveKassa, until } from '../support/kassa.ts';
import type { Launched } from '../support/kassa.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import { shareService, startService } from '../support/service.ts';
import type { Service, SharedService, Shop } from '../support/service.ts';

const RESERVED = [
  'payment.created',
  'payment.reservation.created',
  'payment.reservation.created.v2',
  'payment.checkout.completed',
];
const CHARGED = [...RESERVED, 'payment.charge.created', 'payment.charge.created.v2'];

const namesOf = (received: readonly Received[]): string[] => received.map(({ body }) => body.event as string);
const secretIn = (listening: Launched): string => /^Secret +(whsec_\S+)$/m.exec(listening.out())?.[1] ?? '';

type OwnKassa = {
  stop(): Promise<void>;
  start(): Promise<void>;
  /** A payment while it is away, at one that listens elsewhere. */
  reserveElsewhere(): Promise<string>;
};

describe('listen', () => {
  let shared: SharedService;
  let service: Pick<SharedService, 'url' | 'pool'>;
  let shop: Shop;
  let receiver: Receiver;
  before(() => {
    shared = shareService();
  });
  after(() => shared.close());
  beforeEach(async () => {
    service = shared;
    shop = await shared.openShop();
    receiver = await openReceiver();
  });
  afterEach(() => receiver.close());

  /** Listens, and waits until it does. It ends with the test. */
  const listen = (t: TestContext, ...args: string[]): Promise<Launched> =>
    launchListening(t, '--forward-to', receiver.url, ...args);

  async function launchListening(t: TestContext, ...args: string[]): Promise<Launched> {
    const words = ['listen', '--url', service.url, ...args];
    const listening = launchKassa(words, { env: { KASSA_CLI_KEY: shop.secretKey } });
    t.after(() => listening.child.kill('SIGKILL'));
    await until('the banner', () => {
      assert.equal(listening.child.exitCode, null, listening.err());
      return /kassa trigger .*\n\nTIME .*\n/.test(listening.out() + listening.err());
    });
    return listening;
  }

  /** A Kassa of the test's own, at one address for as long as the test takes: it can be stopped and started anew. */
  async function openOwn(t: TestContext): Promise<OwnKassa> {
    const [databaseUrl, port] = [await cloneDatabase(), String(await freePort())];
    const start = (): Promise<Service> => startService({ databaseUrl, env: { PORT: port } });
    let own = await start();
    t.after(() => own.stop());
    service = own;
    shop = await own.openShop();
    return {
      stop: async () => void (await own.stop()),
      start: async () => {
        own = await start();
        service = own;
      },
      async reserveElsewhere() {
        const elsewhere = await startService({ databaseUrl });
        try {
          return await elsewhere.client(shop.secretKey).createReserved();
        } finally {
          await elsewhere.stop();
        }
      },
    };
  }

  test('what is triggered arrives, in order, signed with the secret of the banner', async (t) => {
    const listening = await listen(t);
    const trigger = ['trigger', 'payment.charge.created', '--url', service.url];
    const triggered = await runCommand(trigger, { env: { KASSA_CLI_KEY: shop.secretKey } });
    assert.equal(triggered.err, '');
    const [, paymentId = ''] = /^Payment (\S+)$/m.exec(triggered.out) ?? [];
    const received = await receiver.until(6);
    assert.deepEqual(namesOf(received), CHARGED);
    for (const { text, headers, body } of received) {
      const event = new Verifier(secretIn(listening)).verify(text, headers as Record<string, string>);
      assert.deepEqual(event, body);
      assert.equal(headers['webhook-id'], body.id);
      assert.equal(headers['content-type'], 'application/json');
      assert.equal(headers.authorization, undefined);
      assert.equal(body.data.paymentId, paymentId);
    }
    const lines = await until('six lines', () => {
      const found = listening.out().match(/^\d\d:\d\d:\d\d .*$/gm) ?? [];
      return found.length === 6 ? found : false;
    });
    for (const [index, line] of lines.entries())
      assert.match(line, new RegExp(`^[\\d:]{8}  ${(CHARGED[index] ?? '').padEnd(30)}  ${paymentId}  200  \\d+ ms$`));
    for (const line of listening.out().split('\n')) assert.ok(line.length <= 100, line);
    const heading = `TIME      NAME${' '.repeat(28)}PAYMENT${' '.repeat(27)}RESPONSE\n`;
    assert.ok(
      listening.out().includes(`\n  npx kassa trigger payment.charge.created --url ${service.url}\n\n${heading}`),
    );
    assert.doesNotMatch(listening.out() + listening.err(), new RegExp(shop.secretKey.slice(-32)));

    listening.child.kill('SIGINT');
    const { code, err } = await listening.ended;
    assert.deepEqual([code, err], [0, '6 events forwarded: 6 accepted, 0 failed.\n']);
  });

  test('the same bodies as a webhook gets; one secret for a key; --events, --authorization and --json', async (t) => {
    const first = await listen(
      t,
      '--events',
      'payment.created,payment.charge.created',
      '--authorization',
      'Bearer mine',
    );
    const webhook = await openReceiver();
    t.after(() => webhook.close());
    await shop.client.must(201, 'POST', '/v1/webhooks', { url: webhook.url });
    await shop.client.charge(await shop.client.createReserved(), 100_000);
    const [received, sent] = [await receiver.until(2), await webhook.until(6)];
    assert.deepEqual(namesOf(received), ['payment.created', 'payment.charge.created']);
    for (const { text, headers } of received) {
      assert.equal(headers.authorization, 'Bearer mine');
      assert.ok(sent.some((one) => one.text === text && one.headers['webhook-id'] === headers['webhook-id']));
    }
    // Bodies alone on standard output, all else beside it.
    const again = await listen(t, '--json', '--events', 'payment.created');
    assert.match(secretIn(first), /^whsec_\S{44}$/);
    assert.equal(/^Secret +(whsec_\S+)$/m.exec(again.err())?.[1], secretIn(first));
    await shop.client.createReserved();
    await until('the answer', () => / 200 {2}\d+ ms\n/.test(again.err()));
    assert.deepEqual(JSON.parse(again.out()), receiver.received.at(-1)?.body);
  });

  test('a service that is started anew: what happened before, meanwhile and after arrives once', async (t) => {
    const own = await openOwn(t);
    const listening = await listen(t);
    const ids = [await shop.client.createReserved()];
    await receiver.until(4);
    await own.stop();
    await until('the remark', () => listening.err().includes('Lost the stream'));
    ids.push(await own.reserveElsewhere());
    await own.start();
    ids.push(await shop.client.createReserved());
    const received = await receiver.until(12);
    for (const id of ids)
      assert.deepEqual(namesOf(received.filter(({ body }) => body.data.paymentId === id)), RESERVED);
    assert.equal(received.length, 12);
    assert.match(
      listening.err(),
      /^Lost the stream from \S+ \(.+\)\. Reconnecting; Ctrl-C stops\.\nReconnected to \S+\.\n$/,
    );
  });

  test('nothing is lost either when the stream breaks before its first event', async (t) => {
    const own = await openOwn(t);
    const listening = await listen(t);
    await own.stop();
    await until('the remark', () => listening.err().includes('Lost the stream'));
    await own.reserveElsewhere();
    await own.start();
    assert.deepEqual(namesOf(await receiver.until(4)), RESERVED);
  });

  test('one payment after another’s answer, several payments at once', async (t) => {
    await listen(t, '--events', 'payment.created,payment.reservation.created');
    const held: (() => void)[] = [];
    receiver.react((response, { body }) => {
      if (body.event === 'payment.created') held.push(() => void response.writeHead(200).end());
      else response.writeHead(200).end();
    });
    const ids = await Promise.all([1, 2, 3].map(() => shop.client.createReserved()));
    const begun = await receiver.until(3);
    assert.deepEqual(namesOf(begun), ['payment.created', 'payment.created', 'payment.created']);
    assert.deepEqual(new Set(begun.map(({ body }) => body.data.paymentId as string)), new Set(ids));
    held.shift()?.();
    const [, , , next] = await receiver.until(4);
    assert.equal(next?.body.event, 'payment.reservation.created');
    assert.equal(next?.body.data.paymentId, begun[0]?.body.data.paymentId);
    for (const answer of held) answer();
    await receiver.until(6);
  });

  test('what is not taken is told: a status, or that nobody is there', async (t) => {
    const listening = await listen(t, '--events', 'payment.created');
    receiver.react((response) => response.writeHead(500).end(`no such order\n${'x'.repeat(500)}`));
    await shop.client.createReserved();
    await until('the status, and the beginning of the answer', () =>
      /payment\.created .* 500 {2}\d+ ms\n {10}no such order x{75}…\n/.test(listening.out()),
    );
    await receiver.close();
    await shop.client.createReserved();
    await shop.client.createReserved();
    await until(
      'both faults',
      () => listening.out().match(/ failed {2}\d+ ms\n {10}connection refused$/gm)?.length === 2,
    );
    listening.child.kill('SIGTERM');
    const { err } = await listening.ended;
    assert.equal(
      err,
      `Nothing is listening at ${receiver.url}: start your shop there.\n3 events forwarded: 0 accepted, 3 failed.\n`,
    );
    receiver = await openReceiver();
  });

  test('without --forward-to events are shown; --json prints their bodies alone, --after begins earlier', async (t) => {
    const paymentId = await shop.client.createReserved();
    const [first, ...rest] = (await shop.client.get('/v1/events')).body.events;
    const shown = await launchListening(t, '--after', first.id);
    const bodies = await launchListening(t, '--after', first.id, '--json');
    assert.doesNotMatch(shown.out(), /whsec_|ANSWER|^To /m);
    await until('three lines', () => shown.out().match(/^\d\d:\d\d:\d\d .*$/gm)?.length === 3);
    for (const { event } of rest) assert.match(shown.out(), new RegExp(`^[\\d:]{8}  ${event} +${paymentId}$`, 'm'));
    const lines = await until('three bodies', () => {
      const found = bodies.out().split('\n').slice(0, -1);
      return found.length === 3 ? found : false;
    });
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      rest,
    );
    shown.child.kill('SIGINT');
    assert.deepEqual((await shown.ended).err, '3 events shown.\n');
    assert.equal(receiver.received.length, 0);
  });

  test('--forward-to takes a port, or a host without http', async (t) => {
    const { host, port: at } = new URL(receiver.url);
    const here = `http://localhost:${at}/`;
    const given: readonly (readonly [to: string, url: string])[] = [
      [`${host}/events`, receiver.url],
      [at, here],
    ];
    for (const [to, url] of given) {
      const listening = await launchListening(t, '--forward-to', to);
      assert.equal(/^To +(\S+)$/m.exec(listening.out())?.[1], url, to);
      listening.child.kill('SIGTERM');
    }
  });

  test('what answers and is no Kassa is told so, with one sentence', async (t) => {
    const answers: readonly (readonly [status: number, type: string, text: string])[] = [
      [200, 'text/html', '<h1>My shop</h1>'],
      [200, 'application/json', '{}'],
      [200, 'application/json', 'not json'],
      [404, 'application/json', '{"message":"Not Found"}'],
      [401, 'text/html', 'Log in'],
      [302, 'text/html', ''],
    ];
    for (const [status, type, text] of answers) {
      const server = createServer((_request, response) =>
        response.writeHead(status, { 'content-type': type }).end(text),
      );
      const other = `http://127.0.0.1:${await new Promise<number>((resolve) => {
        server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
      })}`;
      t.after(() => server.close());
      for (const words of [['listen'], ['trigger', 'payment.created'], ['trigger', 'webhook.disabled']]) {
        const env = { KASSA_CLI_KEY: shop.secretKey };
        const { code, out, err } = await runCommand([...words, '--url', other], { env });
        assert.deepEqual({ code, out }, { code: 1, out: '' }, words.join(' '));
        assert.equal(
          err,
          `kassa: The server at ${other} is not Kassa (it responded with ${status}): set its address with --url.\n`,
        );
      }
    }
  });

  test('a service is found by its data folder, at whichever port, as long as it runs', async (t) => {
    const folder = new Workshop();
    t.after(() => folder.close());
    const env = { DATABASE_URL: await cloneDatabase(), KASSA_DATA_DIR: folder.dataDir, KASSA_SANDBOX: 'on' };
    const running = await serveKassa(t, { env });
    const { code, err } = await runCommand(['trigger', 'payment.created'], { env });
    assert.deepEqual([code, err], [0, '']);
    assert.equal((await running.client.get('/v1/payments')).body.payments.length, 1);
    const file = join(folder.dataDir, 'address.json');
    const left = readFileSync(file);
    await running.stop();
    assert.equal(existsSync(file), false);
    // As of one that was killed.
    writeFileSync(file, left, { mode: 0o600 });
    const away = String(await freePort());
    assert.equal(
      (await runCommand(['trigger', 'payment.created'], { env: { ...env, PORT: away } })).err,
      `kassa: Cannot reach Kassa at http://localhost:${away} (connection refused): start it with kassa serve, or set another address with --url.\n`,
    );
  });

  test('a key that is revoked ends it with one sentence', async (t) => {
    const own = await openOwn(t);
    const listening = await listen(t);
    await service.pool.query('update secret_keys set revoked_at = now() where merchant_id = $1', [shop.merchant.id]);
    await own.stop();
    await own.start();
    const { code, err } = await listening.ended;
    assert.equal(code, 1);
    assert.match(
      err,
      /\nkassa: Kassa at \S+ does not accept the key from KASSA_CLI_KEY as a test key: use another one\.\n$/,
    );
  });

  test('what cannot be is refused at the start, with one sentence', async () => {
    const to = ['--forward-to', receiver.url];
    const refusals: readonly (readonly [args: readonly string[], sentence: RegExp])[] = [
      [['--authorization', 'Bearer mine'], /^--authorization needs --forward-to, .+$/],
      [['--after', 'yesterday'], /^--after is yesterday; it must be the 32 hex digits of the id of an event\.$/],
      [['--forward-to', 'ftp://a.example'], /^--forward-to must be an http or https address, for example: .+$/],
      [['--forward-to', 'http://169.254.169.254'], /^--forward-to must not lead to .+$/],
      [[...to, '--events', 'payment.chargecreated'], /^Unknown event .+ Did you mean payment\.charge\.created\? .+$/],
      [[...to, '--authorization', 'a\nb'], /^--authorization must have .+$/],
      [[...to, '--url', 'http://127.0.0.1:1'], /^Cannot reach Kassa at http:\/\/127\.0\.0\.1:1 \(.+\): start it .+$/],
      [[...to, '--url', service.url, '--key', '0'.repeat(32)], /^Kassa at \S+ does not accept the key .+$/],
    ];
    for (const [args, sentence] of refusals) {
      const { code, out, err } = await runCommand(['listen', ...args], { env: { KASSA_CLI_KEY: shop.secretKey } });
      assert.deepEqual({ code, out }, { code: 1, out: '' }, args.join(' '));
      assert.match(err, /^kassa: [^\n]+\n$/);
      assert.match(err.slice('kassa: '.length, -1), sentence);
    }
    assert.equal((await new Client(service.url, shop.secretKey).get('/v1/events')).body.events.length, 0);
  });
});
