// Goal: a shop changes over with the keys that it has: kassa merchant create takes them from a file or from what is piped
// in, and then the API and the checkout take them as the shop spells them. Method: real processes and a running service;
// keys without a prefix, as GUIDs and with one, in both dialects.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DIALECTS } from '../support/answers.ts';
import { aPay } from '../support/checkout.ts';
import { findColumns } from '../support/columns.ts';
import { runCommand } from '../support/commands.ts';
import { depth } from '../support/depth.ts';
import { launchKassa } from '../support/kassa.ts';
import type { Ran } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const newDigits = (): string => randomBytes(16).toString('hex');
const asGuid = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const WITHOUT_PREFIX = ['without a prefix', (digits: string) => digits] as const;
const IN_CAPITALS = ['as GUIDs in capitals', (digits: string) => asGuid(digits).toUpperCase()] as const;
const SPELLINGS = depth<readonly (readonly [what: string, spell: (digits: string) => string])[]>({
  daily: [IN_CAPITALS],
  release: [WITHOUT_PREFIX, ['as GUIDs', asGuid], IN_CAPITALS],
});

describe('merchant create with the keys that a shop has', () => {
  let service: SharedService;
  let folder: string;
  before(async () => {
    service = shareService();
    folder = await mkdtemp(join(tmpdir(), 'kassa-keys-'));
  });
  after(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  const words = (...options: string[]): string[] => ['merchant', 'create', '--name', 'Moved shop', ...options];
  const kassa = (...options: string[]): Promise<Ran> =>
    runCommand(words(...options), { env: { DATABASE_URL: service.databaseUrl } });
  const piped = (text: string, ...options: string[]): Promise<Ran> => {
    const { child, ended } = launchKassa(words(...options), { env: { DATABASE_URL: service.databaseUrl } });
    child.stdin?.end(text);
    return ended;
  };
  let files = 0;
  const fileWith = async (text: string): Promise<string> => {
    files += 1;
    const path = join(folder, `key-${files}`);
    await writeFile(path, text);
    return path;
  };

  /** Creates a payment with the secret key, opens its page and pays with the checkout key, both as they are spelled. */
  async function buy(secretKey: string, checkoutKey: string): Promise<void> {
    const client = service.client(secretKey);
    const hosted = { integrationType: 'HostedPaymentPage', returnUrl: 'https://shop.example/thanks' };
    const paymentId = await client.create(100_000, hosted);
    for (const path of [
      `/checkout/?checkoutKey=${checkoutKey}&paymentId=${paymentId}`,
      `/hostedpaymentpage/?checkoutKey=${checkoutKey}&pid=${paymentId}`,
      new URL((await client.payment(paymentId)).checkout.url).href.slice(service.url.length),
    ]) {
      const page = await service.client().get(path);
      assert.equal(page.status, 200, path);
      assert.ok(page.text.includes(paymentId), path);
    }
    const paid = await service.client().post('/api/v1/pay', aPay(), { paymentId, CheckoutKey: checkoutKey });
    assert.equal(paid.status, 201, paid.text);
    assert.equal((await client.payment(paymentId)).summary.reservedAmount, 100_000);
  }

  for (const dialect of DIALECTS)
    for (const [what, spell] of SPELLINGS)
      // decision: bringing-your-own-keys
      test(`${dialect}: keys ${what}, from files: the API and the checkout take them as they are`, async () => {
        const [secretKey, checkoutKey] = [spell(newDigits()), spell(newDigits())];
        // The shop asks with them before they are anybody's.
        assert.equal((await service.client(secretKey).get('/v1/paymentmethods')).status, 401);
        const keys = ['--secret-key', await fileWith(`${secretKey}\n`), '--checkout-key', await fileWith(checkoutKey)];
        const { code, out, err } = await kassa('--dialect', dialect, ...keys, '--json');
        assert.deepEqual([code, err], [0, '']);
        const made = JSON.parse(out) as Record<string, unknown>;
        assert.deepEqual([made['mode'], made['dialect'], 'secretKey' in made], ['test', dialect, false]);
        await buy(secretKey, checkoutKey);
        await buy(`Bearer ${secretKey}`, checkoutKey.replaceAll('-', ''));
        assert.deepEqual(await findColumns(service.pool, secretKey.replaceAll('-', '').toLowerCase()), []);
      });

  // decision: bringing-your-own-keys
  test('keys with their prefix, piped in: a line for each', async () => {
    const [secretKey, checkoutKey] = [`test-secret-key-${newDigits()}`, `test-checkout-key-${newDigits()}`];
    const { code, out, err } = await piped(
      `${secretKey}\r\n${checkoutKey}\n`,
      '--secret-key',
      '-',
      '--checkout-key',
      '-',
    );
    assert.deepEqual([code, err], [0, 'It uses the given secret key, of which only a hash is stored.\n']);
    assert.match(out, new RegExp(`^checkoutKey +${checkoutKey}$`, 'm'));
    assert.doesNotMatch(out, /secretKey/);
    await buy(secretKey, checkoutKey);
    await buy(secretKey.slice(-32), checkoutKey);
  });

  test('one of the two: the other is made', async () => {
    const digits = newDigits();
    const first = JSON.parse((await kassa('--checkout-key', await fileWith(digits), '--json')).out);
    assert.match(first.secretKey, /^test-secret-key-[0-9a-f]{32}$/);
    assert.equal(first.checkoutKey, digits);
    await buy(first.secretKey, asGuid(digits));
    const secretKey = newDigits();
    const second = JSON.parse((await piped(secretKey, '--secret-key', '-', '--json')).out);
    assert.match(second.checkoutKey, /^test-checkout-key-[0-9a-f]{32}$/);
    await buy(secretKey, second.checkoutKey);
  });

  // decision: bringing-your-own-keys
  test('--live decides, where no prefix says it: such keys are no test keys', async () => {
    const digits = newDigits();
    const { code, out } = await kassa('--live', '--secret-key', await fileWith(digits), '--json');
    assert.equal(code, 0);
    assert.equal(JSON.parse(out).mode, 'live');
    const ask = async (key: string) => (await service.client(key).get('/v1/paymentmethods')).status;
    assert.deepEqual(await Promise.all([digits, `live-secret-key-${digits}`].map(ask)), [200, 200]);
    assert.equal(await ask(`test-secret-key-${digits}`), 401);
  });

  // decision: bringing-your-own-keys
  test('a checkout key of ours needs its prefix but in dialect nexi, one without stays without', async () => {
    const digits = newDigits();
    const made = JSON.parse((await kassa('--checkout-key', await fileWith(digits), '--json')).out);
    const { merchant, client } = await service.openShop();
    const pay = (paymentId: string, CheckoutKey: string) =>
      service.client().post('/api/v1/pay', aPay(), { paymentId, CheckoutKey });
    const bare = merchant.checkoutKey.slice(-32);
    assert.equal((await pay(await client.create(), bare)).status, 401);
    const nexi = await service.openShop({ dialect: 'nexi' });
    const bareOfNexi = nexi.merchant.checkoutKey.slice(-32);
    for (const key of [bareOfNexi, asGuid(bareOfNexi).toUpperCase()])
      assert.equal((await pay(await nexi.client.create(), key)).status, 201);
    assert.equal((await pay(await nexi.client.create(), bare)).status, 401);
    const paymentId = await service.client(made.secretKey).create();
    assert.equal((await pay(paymentId, `test-checkout-key-${digits}`)).status, 401);
  });

  // decision: bringing-your-own-keys
  test('keys that are in use, by anybody and as whatever, are refused, and nothing is made', async () => {
    const { merchant, secretKey } = await service.openShop();
    const count = async () => (await service.pool.query('select 1 from merchants where name = $1', ['In use'])).length;
    const [secret, checkout] = [secretKey.slice(-32), merchant.checkoutKey.slice(-32)];
    for (const [option, text] of [
      ['secret', secret],
      ['secret', secretKey],
      ['secret', checkout],
      ['checkout', merchant.checkoutKey],
      ['checkout', asGuid(checkout)],
      ['checkout', secret],
    ] as const) {
      const { code, out, err } = await kassa('--name', 'In use', `--${option}-key`, await fileWith(text));
      const told = `kassa: --${option}-key contains a key that is already in use, or was before it was revoked.\n`;
      assert.deepEqual([code, out, err], [1, '', told]);
    }
    assert.equal(await count(), 0);
  });

  // decision: bringing-your-own-keys
  test('what is no key, of the other mode, both at once, or among the arguments is refused and not repeated', async () => {
    const digits = newDigits();
    const refusals: readonly (readonly [options: readonly string[], told: RegExp])[] = [
      [
        ['--secret-key', await fileWith('secret')],
        /must contain one key: 32 hex digits, optionally prefixed with test-secret-key- or live-/,
      ],
      [['--secret-key', await fileWith('')], /must contain one key/],
      [['--secret-key', await fileWith(`${digits}\n${digits}`)], /must contain one key/],
      [['--secret-key', await fileWith(digits.repeat(1_000))], /must contain one key/],
      [['--secret-key', await fileWith(`test-checkout-key-${digits}`)], /--secret-key must contain one key/],
      [['--checkout-key', await fileWith(`test-secret-key-${digits}`)], /--checkout-key must contain one key/],
      [['--secret-key', await fileWith(`live-secret-key-${digits}`)], /contains a live key; add --live\./],
      [
        ['--live', '--checkout-key', await fileWith(`test-checkout-key-${digits}`)],
        /contains a test key; leave out --live/,
      ],
      [
        ['--secret-key', await fileWith(digits), '--checkout-key', await fileWith(asGuid(digits))],
        /--checkout-key contains the secret key, but every consumer can read the checkout key\./,
      ],
      [
        ['--secret-key', digits],
        /takes the name of a file that contains the key, or - for standard input: everyone on this/,
      ],
      [
        ['--checkout-key', `test-checkout-key-${digits}`],
        /--checkout-key takes the name of a file that contains the key/,
      ],
      [['--secret-key', join(folder, 'none')], /The file of --secret-key cannot be read \(ENOENT\)\./],
      [['--secret-key', folder], /cannot be read \(EISDIR\)/],
    ];
    for (const [options, told] of refusals) {
      const { code, out, err } = await kassa(...options);
      assert.deepEqual([code, out], [1, ''], err);
      assert.match(err, told);
      assert.ok(!err.replaceAll('-', '').includes(digits), 'the text repeats the key');
    }
  });
});
