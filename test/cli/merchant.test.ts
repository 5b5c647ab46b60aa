// `kassa merchant create|list|show|update`. Method: real processes on a database of their own; what they print as JSON
// is compared with what they print for people and with what the database holds.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { findMerchantByKey } from '../../src/store/merchants/keys.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import { cloneDatabase } from '../support/database.ts';
import { runCommand } from '../support/commands.ts';
import type { Ran } from '../support/kassa.ts';

describe('merchant', { concurrency: 2 }, () => {
  let databaseUrl: string;
  before(async () => {
    databaseUrl = await cloneDatabase();
  });

  const kassa = (...args: string[]): Promise<Ran> => runCommand(args, { env: { DATABASE_URL: databaseUrl } });

  /** The JSON that a command prints, alone; of a live merchant something is remarked beside it. */
  async function json<Value>(...args: string[]): Promise<Value> {
    const { code, out, err } = await kassa(...args, '--json');
    assert.deepEqual({ code, isQuiet: err === '' }, { code: 0, isQuiet: !args.includes('--live') }, err);
    return JSON.parse(out) as Value;
  }

  type Shown = { merchantId: number; secretKey: string; checkoutKey: string; [field: string]: unknown };

  test('a second factor is required at a live merchant, until it is switched off', async () => {
    const flagOf = async (id: string) => (await json<Shown>('merchant', 'show', id))['secondFactor'];
    for (const [live, flag] of [
      [['--live'], true],
      [[], false],
    ] as const) {
      const { merchantId } = await json<Shown>('merchant', 'create', '--name', 'Guarded', ...live);
      const id = String(merchantId);
      assert.equal(await flagOf(id), flag);
      await kassa('merchant', 'update', id, flag ? '--no-second-factor' : '--second-factor');
      assert.equal(await flagOf(id), !flag);
    }
  });

  test('update --refund-proof takes amounts by currency, and none', async () => {
    const { merchantId } = await json<Shown>('merchant', 'create', '--name', 'Guarded', '--refund-proof', '100 SEK');
    const show = async () => (await json<Shown>('merchant', 'show', String(merchantId)))['refundProof'];
    assert.equal(await show(), '100.00 SEK');
    const set = (text: string) => kassa('merchant', 'update', String(merchantId), '--refund-proof', text);
    assert.equal((await set('250.50 EUR, 5000 SEK')).code, 0);
    assert.equal(await show(), '250.50 EUR, 5000.00 SEK');
    const bad = await set('a lot');
    assert.deepEqual([bad.code, /--refund-proof is a lot/.test(bad.err)], [1, true]);
    assert.equal((await set('')).code, 0);
    assert.equal(await show(), undefined);
  });

  // decision: two-dialects
  test('create --json prints one object with the number and the keys, which are valid', async () => {
    const made = await json<Shown>('merchant', 'create', '--name', 'Ærlig “shop”');
    assert.equal(typeof made.merchantId, 'number');
    assert.match(made.secretKey, /^test-secret-key-[0-9a-f]{32}$/);
    assert.match(made.checkoutKey, /^test-checkout-key-[0-9a-f]{32}$/);
    assert.equal(made['name'], 'Ærlig “shop”');
    assert.equal(made['dialect'], 'spec');
    const pool = openPool(databaseUrl, { size: 1 });
    const merchant = await findMerchantByKey(pool, made.secretKey.slice(-32));
    await pool.close();
    assert.equal(merchant?.id, made.merchantId);
  });

  // decision: two-dialects, test-and-live-merchants
  test('create takes every option', async () => {
    const options = ['--dialect', 'nexi', '--strict-items', '--reserve-on-demand'];
    const made = await json<Shown>('merchant', 'create', '--name', 'N', ...options);
    const { mode, dialect, strictItems, reserveOnDemand } = made;
    assert.deepEqual(
      { mode, dialect, strictItems, reserveOnDemand },
      { mode: 'test', dialect: 'nexi', strictItems: true, reserveOnDemand: true },
    );
    const live = await json<Shown>('merchant', 'create', '--name', 'L', '--live');
    assert.equal(live['mode'], 'live');
    assert.match(live.secretKey, /^live-secret-key-/);
    assert.match(live.checkoutKey, /^live-checkout-key-/);
    assert.equal(live['acquirer'], null);
  });

  test('create --live says that there is no acquirer yet, beside the fields and beside the JSON', async () => {
    const words = ['merchant', 'create', '--name', 'Live', '--live'];
    for (const [{ code, out, err }, acquirer] of [
      [await kassa(...words), /^acquirer +none$/m],
      [await kassa(...words, '--json'), /^ {2}"acquirer": null,$/m],
    ] as const) {
      assert.equal(code, 0);
      assert.match(out, acquirer);
      assert.match(err, /It offers no invoices until .+docs\/operate\/invoices\.md\.\nA live merchant /);
      assert.match(
        err,
        /A live merchant has no acquirer yet: .+\nbut not paid\. docs\/operate\/acquirers\.md describes .+\n$/,
      );
    }
    assert.match((await kassa('merchant', 'list')).out, / live +enabled +spec +none +Live\n/);
  });

  test('create for people prints the fields, and the warning apart from them', async () => {
    const { code, out, err } = await kassa('merchant', 'create', '--name', 'People');
    assert.equal(code, 0);
    assert.match(out, /^merchantId +\d{9}\nname +People\n/);
    assert.match(out, /^secretKey +test-secret-key-[0-9a-f]{32}$/m);
    assert.equal(err, 'Save the secret key now: only its hash is stored, and it is not shown again.\n');
  });

  test('list and show tell the same, and never a secret key', async () => {
    const { merchantId, secretKey } = await json<Shown>('merchant', 'create', '--name', 'Listed', '--strict-items');
    const listed = (await json<Shown[]>('merchant', 'list')).find((each) => each.merchantId === merchantId);
    const shown = await json<Shown>('merchant', 'show', String(merchantId));
    assert.deepEqual(listed, shown);
    assert.equal(shown['strictItems'], true);
    assert.equal(JSON.stringify(shown).includes(secretKey.slice(-32)), false);
    const table = await kassa('merchant', 'list');
    assert.match(table.out, /^MERCHANT +MODE +STATE +DIALECT +ACQUIRER +NAME\n/);
    assert.match(table.out, new RegExp(`^${merchantId} +test +enabled +spec +simulator +Listed$`, 'm'));
    const fields = await kassa('merchant', 'show', String(merchantId));
    assert.match(fields.out, /^strictItems +true$/m);
  });

  test('what people read has the names of the JSON', async () => {
    const { merchantId } = await json<Shown>('merchant', 'create', '--name', 'Names');
    const id = String(merchantId);
    await json('merchant', 'update', id, '--seller-name', 'Names AB', '--country', 'SE', '--colour', '#0b6e4f');
    const { seller, ...shown } = await json<Shown & { seller: object }>('merchant', 'show', id);
    const names = [...Object.keys(shown), ...Object.keys(seller).map((name) => `seller.${name}`)];
    const printed = (await kassa('merchant', 'show', id)).out.trimEnd().split('\n');
    assert.deepEqual(new Set(printed.map((line) => line.split(' ')[0])), new Set(names));
    assert.ok(printed.some((line) => /^offersInvoices +true$/.test(line)));
  });

  test('lists take the only merchant there is; where there are several they name them', async () => {
    const env = { DATABASE_URL: await cloneDatabase() };
    const run = (...args: string[]): Promise<Ran> => runCommand(args, { env });
    const lists = ['subscription', 'event', 'webhook', 'key'];
    const none = await run('subscription', 'list');
    assert.deepEqual([none.code, none.err], [1, 'kassa: No merchants found. kassa merchant create creates one.\n']);
    const { out } = await run('merchant', 'create', '--name', 'Only', '--json');
    const { merchantId: only } = JSON.parse(out) as Shown;
    for (const list of lists) {
      const named = await run(list, 'list', String(only));
      assert.equal(named.code, 0, named.err);
      assert.deepEqual(await run(list, 'list'), named, list);
    }
    const other = JSON.parse((await run('merchant', 'create', '--name', 'Other', '--json')).out) as Shown;
    for (const list of lists) {
      const { code, err } = await run(list, 'list');
      assert.equal(code, 1);
      assert.match(err, /^kassa: MERCHANT is missing, and there are 2 merchants:\n/);
      for (const line of [`\n  ${only}  Only`, `\n  ${other.merchantId}  Other`]) assert.ok(err.includes(line), err);
    }
  });

  test('disable and enable: said in a sentence, shown in the list', async () => {
    const { merchantId } = await json<Shown>('merchant', 'create', '--name', 'Leaving');
    const id = String(merchantId);
    const { out } = await kassa('merchant', 'disable', id);
    assert.equal(
      out,
      `Disabled merchant ${id}, Leaving: its keys stop working. kassa merchant enable ${id} enables it again.\n`,
    );
    assert.match((await kassa('merchant', 'list')).out, new RegExp(`^${id} +test +disabled +spec `, 'm'));
    const shown = await json<Shown>('merchant', 'enable', id);
    assert.deepEqual([shown['state'], shown['disabledAt']], ['enabled', undefined]);
    const { code, err } = await kassa('merchant', 'disable', '999999999');
    assert.deepEqual([code, err], [1, 'kassa: There is no merchant 999999999. kassa merchant list shows all.\n']);
  });

  test('update changes what is named, switches off with --no, and leaves the rest', async () => {
    const { merchantId } = await json<Shown>('merchant', 'create', '--name', 'Before', '--strict-items');
    const id = String(merchantId);
    const first = await json<Shown>('merchant', 'update', id, '--dialect', 'nexi', '--reserve-on-demand');
    assert.deepEqual(
      [first['name'], first['dialect'], first['strictItems'], first['reserveOnDemand']],
      ['Before', 'nexi', true, true],
    );
    const second = await json<Shown>('merchant', 'update', id, '--name', 'After', '--no-strict-items');
    assert.deepEqual(
      [second['name'], second['dialect'], second['strictItems'], second['reserveOnDemand']],
      ['After', 'nexi', false, true],
    );
  });

  test('what cannot be is refused with one sentence', async () => {
    const { merchantId } = await json<Shown>('merchant', 'create', '--name', 'Live', '--live');
    const refusals: readonly (readonly [args: readonly string[], sentence: string])[] = [
      [['create'], '--name is missing, for example: kassa merchant create --name "My shop"'],
      [['create', '--name', ' '], '--name must be one line of 1 to 128 characters.'],
      [['create', '--name', 'a\nb'], '--name must be one line of 1 to 128 characters.'],
      [['create', '--name', 'a'.repeat(129)], '--name must be one line of 1 to 128 characters.'],
      [['create', '--name', 'a', '--dialect', 'english'], '--dialect is english; it must be spec or nexi.'],
      [['create', '--name', 'a', '--live', '--reserve-on-demand'], '--reserve-on-demand is only for test merchants.'],
      [['update', String(merchantId), '--reserve-on-demand'], '--reserve-on-demand is only for test merchants.'],
      [['update', String(merchantId)], 'Nothing to change. kassa help merchant update lists the options.'],
      [['show', '12'], 'MERCHANT is 12; it must be a nine-digit id, as kassa merchant list shows it.'],
      [['show', '100000000'], 'There is no merchant 100000000. kassa merchant list shows all.'],
      [['update', '100000000', '--name', 'a'], 'There is no merchant 100000000. kassa merchant list shows all.'],
    ];
    for (const [args, sentence] of refusals)
      assert.deepEqual(await kassa('merchant', ...args), {
        code: 1,
        signal: null,
        out: '',
        err: `kassa: ${sentence}\n`,
      });
  });

  test('an empty list says how to make the first one, and is [] as JSON', async () => {
    const env = { DATABASE_URL: await cloneDatabase() };
    const people = await runCommand(['merchant', 'list'], { env });
    assert.deepEqual([people.code, people.out], [0, '']);
    assert.match(people.err, /^No merchants found\. kassa merchant create creates one\.\n$/);
    assert.equal((await runCommand(['merchant', 'list', '--json'], { env })).out, '[]\n');
  });
});
