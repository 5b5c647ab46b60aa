// `kassa trigger`. Goal: every event can be made to happen by its name, and nothing of it is faked. Method: each name is
// triggered at a real service; the events are looked for in the database.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partOf } from '../../src/domain/id.ts';
import { definitions } from '../../src/events/definitions.ts';
import { runCommand } from '../support/commands.ts';
import type { Ran } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

const OF_NO_PAYMENT: ReadonlySet<string> = new Set(['subscription.ended', 'webhook.disabled']);

describe('trigger', { concurrency: 2 }, () => {
  let service: SharedService;
  let shop: Shop;
  before(async () => {
    service = shareService();
    shop = await service.openShop();
  });
  after(() => service.close());

  const kassa = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
    runCommand(['trigger', ...args], { env: { KASSA_CLI_KEY: shop.secretKey, ...env } });
  const atService = (...args: string[]): Promise<Ran> => kassa([...args, '--url', service.url]);

  async function readEventNames(paymentId: string): Promise<string[]> {
    const rows = await service.pool.query<{ name: string }>(
      'select name from events where part = $1 and subject_id = $2 order by version, ordinal',
      [partOf(paymentId), paymentId],
    );
    return rows.map((row) => row.name);
  }

  for (const { name } of definitions.filter((one) => !OF_NO_PAYMENT.has(one.name)))
    test(`${name} happens, and each step is told`, async () => {
      const { code, out, err } = await atService(name);
      assert.deepEqual({ code, err }, { code: 0, err: '' });
      const [, paymentId = ''] = /^Payment ([0-9a-f]{32})\n/.exec(out) ?? [];
      const told = await readEventNames(paymentId);
      assert.ok(told.includes(name), `${name} is not among ${told.join(', ')}`);
      const lines = out.trimEnd().split('\n').slice(1);
      assert.equal(lines.at(-1), `  Events: ${told.join(', ')}`);
      assert.match(lines[0] ?? '', /^ {2}POST \/v1\/payments +201 {2}created, 100\.00 SEK$/);
      assert.match(
        lines[1] ?? '',
        /^ {2}POST \/v1\/sandbox\/payments\/\w{32}\/reserve +\d{3} {2}reserv.+ card \d{16}$/,
      );
      // What failed did so at the bank, and is the last that was done.
      const isDeclined = lines.map((line) => / declined(?:,|$)/.test(line));
      assert.equal(isDeclined.indexOf(true), name.includes('.failed') ? lines.length - 2 : -1, out);
    });

  test('subscription.ended happens: one is begun and ended', async () => {
    const { code, out, err } = await atService('subscription.ended');
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    const [, id = ''] = /^Subscription ([0-9a-f]{32})\n/.exec(out) ?? [];
    assert.match(out, /PUT \/v1\/subscriptions\/\w{32}\/terminate +204 {2}ended\n {2}Events: subscription\.ended\n$/);
    assert.deepEqual(await readEventNames(id), ['subscription.ended']);
  });

  test('webhook.disabled happens: one is made that answers 410, and it is gone in the end', async () => {
    const { code, out, err } = await atService('webhook.disabled');
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    const [, webhookId = ''] = /^Webhook ([0-9a-f]{32})\n/.exec(out) ?? [];
    assert.match(out, /disabled, since its address responded with 410\n {2}Events: webhook\.disabled\n$/);
    const told = await service.pool.query<{ data: { reason: string } }>(
      `select data from events where name = 'webhook.disabled' and subject_id = $1`,
      [webhookId],
    );
    assert.deepEqual(
      told.map(({ data }) => data.reason),
      ['gone'],
    );
    assert.deepEqual(await service.pool.query('select 1 from webhooks where id = $1', [webhookId]), []);
  });

  test('--count makes as many payments, with another dialect too', async () => {
    const other = await service.openShop({ dialect: 'nexi' });
    const { code, out } = await atService('payment.refund.failed', '--count', '3', '--key', other.secretKey);
    assert.equal(code, 0);
    assert.equal(new Set(out.match(/^Payment [0-9a-f]{32}$/gm)).size, 3);
    assert.equal(out.match(/ 402 {2}refund declined$/gm)?.length, 3);
  });

  test('a key works in each of its spellings, and the address with the version of the API', async () => {
    const digits = shop.secretKey.slice(-32);
    for (const key of [digits, `testsecretkey${digits}`]) {
      const { code } = await kassa(['payment.created', '--url', `${service.url}/v1/`, '--key', key]);
      assert.equal(code, 0);
    }
  });

  test('what cannot be is refused with one sentence, and no key is repeated', async () => {
    const live = await service.openShop({ live: true });
    const digits = live.secretKey.slice(-32);
    const refusals: readonly (readonly [args: readonly string[], sentence: RegExp])[] = [
      [
        ['payment.charge.craeted'],
        /^Unknown event payment\.charge\.craeted\. Did you mean payment\.charge\.created\? .+$/,
      ],
      [['charge.created'], /^Unknown event charge\.created\. Did you mean payment\.charge\.created\? .+$/],
      [['payment.charge'], /^Unknown .+ Did you mean payment\.charge\.created or payment\.charge\.failed\? .+$/],
      [['payment.completed'], /^.+ Did you mean payment\.checkout\.completed or payment\.refund\.completed\? .+$/],
      [['payment.cancelled'], /^.+ Did you mean payment\.cancel\.created or payment\.cancel\.failed\? .+$/],
      [['payment'], /^Unknown event payment\. The events are payment\.created, .+\.$/],
      [['sing'], /^Unknown event sing\. The events are payment\.created, .+\.$/],
      [['payment.created', '--count', '0'], /^--count is 0; it must be a number from 1 to 1000\.$/],
      [['payment.created', '--url', 'localhost'], /^--url must be a plain http or https address, for example .+$/],
      [['payment.created', '--key', 'my-secret'], /^The key from --key is not a secret key; .+$/],
      [
        ['payment.created', '--key', live.secretKey],
        /^The key from --key is a live key; this command is only for test merchants\.$/,
      ],
      [
        ['payment.created', '--url', service.url, '--key', digits],
        /^Kassa at \S+ does not accept the key from --key as a test key: use another one\.$/,
      ],
      [
        ['payment.created', '--url', 'http://127.0.0.1:1'],
        /^Cannot reach Kassa at http:\/\/127\.0\.0\.1:1 \(.+\): start it with kassa serve, or set .+\.$/,
      ],
    ];
    for (const [args, sentence] of refusals) {
      const { code, out, err } = await kassa(args);
      assert.deepEqual({ code, out }, { code: 1, out: '' }, args.join(' '));
      assert.match(err, /^kassa: [^\n]+\n$/);
      assert.match(err.slice('kassa: '.length, -1), sentence);
      assert.doesNotMatch(err, new RegExp(`my-secret|${digits}`));
    }
    const noSandbox = await kassa(['payment.created'], { KASSA_CLI_KEY: '' });
    assert.match(
      noSandbox.err,
      /^kassa: There is no sandbox in \S+; set a test key with KASSA_CLI_KEY or --key, or start Kassa with npm start\.\n$/,
    );
    const noPort = await kassa(['payment.created'], { PORT: '0' });
    assert.equal(noPort.err, 'kassa: PORT is 0, so the address of Kassa is unknown: set it with --url.\n');
  });
});
