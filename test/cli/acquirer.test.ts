// Goal: an acquirer is named, changed, listed and removed by commands that say what they did and what is wrong with it.
// Method: run the commands on a database of their own, with a real bank and without one.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { updateMerchant } from '../../src/store/merchants/merchants.ts';
import { startBank } from '../support/bank.ts';
import type { RunningBank } from '../support/bank.ts';
import { runCommand } from '../support/commands.ts';
import { until } from '../support/kassa.ts';
import type { Ran } from '../support/kassa.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

const NOBODY = 'http://127.0.0.1:9';
const KEY = 'a-key-of-a-bank';

describe('kassa acquirer', () => {
  let service: Service;
  let bank: RunningBank;
  before(async () => {
    [service, bank] = await Promise.all([startService(), startBank()]);
  });
  after(async () => {
    await service.stop();
    await bank.stop();
  });

  const kassa = (...args: string[]): Promise<Ran> =>
    runCommand(['acquirer', ...args], { env: { DATABASE_URL: service.databaseUrl } });
  const refuse = async (args: readonly string[], sentence: string): Promise<void> => {
    const { code, out, err } = await kassa(...args);
    assert.deepEqual({ code, out, err }, { code: 1, out: '', err: `kassa: ${sentence}\n` });
  };

  test('add says where it is, and where it was', async () => {
    const first = await kassa('add', 'moving', '--url', NOBODY, '--key', KEY);
    assert.deepEqual([first.code, first.out], [0, `The acquirer moving is at ${NOBODY}.\n`]);
    const { code, out, err } = await kassa('add', 'moving', '--url', bank.url, '--key', bank.key);
    assert.deepEqual(
      { code, out, err },
      { code: 0, out: `The acquirer moving was at ${NOBODY} and is now at ${bank.url}.\n`, err: '' },
    );
    const same = await kassa('add', 'moving', '--url', bank.url, '--key', bank.key);
    assert.equal(same.out, `The acquirer moving is at ${bank.url}.\n`);
  });

  // decision: changing-the-address-of-an-acquirer
  test('add leaves an address while movements are pending there, unless it is told that the book is the same', async (t) => {
    const other = { url: NOBODY, key: KEY };
    await putAcquirer(service.pool, { name: 'busy', url: bank.url, key: bank.key });
    const shop = await service.openShop({ acquirer: 'busy' });
    const paymentId = await shop.client.createReserved(1_000);
    t.after(() => bank.setFaults({}));
    // What the bank had made of it nobody knows, and it goes on answering so.
    await bank.setFaults({ errorBefore: 1 });
    const { status } = await shop.client.post(`/v1/payments/${paymentId}/charges`, { amount: 600 });
    assert.notEqual(status, 201);
    const isPending = async (): Promise<boolean> =>
      (await service.pool.query(`select 1 from movements where state = 'pending'`)).length > 0;
    await until('the charge', isPending);
    const move = ['add', 'busy', '--url', other.url, '--key', other.key];
    await refuse(
      move,
      `1 movement at busy is pending, and only ${bank.url} knows the outcome of it. ` +
        `If the same acquirer, with the same book, has moved to ${other.url}, use --force.`,
    );
    const sameUrl = await kassa('add', 'busy', '--url', bank.url, '--key', KEY);
    assert.equal(sameUrl.out, `The acquirer busy is at ${bank.url}.\n`, 'a new key is no new address');
    await putAcquirer(service.pool, { name: 'busy', url: bank.url, key: bank.key });
    const forced = await kassa(...move, '--force');
    assert.deepEqual(
      [forced.code, forced.out],
      [0, `The acquirer busy was at ${bank.url} and is now at ${other.url}.\n`],
    );
  });

  test('add remarks that nobody answers there, or that the key is refused, and names it all the same', async () => {
    const away = await kassa('add', 'away', '--url', NOBODY, '--key', KEY);
    assert.equal(away.code, 0);
    assert.match(away.err, /^Warning: it does not work at the moment: it cannot be reached, .+\.\n$/);
    const strange = await kassa('add', 'strange', '--url', bank.url, '--key', KEY);
    assert.deepEqual(
      [strange.code, strange.err],
      [0, 'Warning: it does not work at the moment: it refuses this key (401).\n'],
    );
    const { out } = await kassa('list', '--json');
    const names = new Set((JSON.parse(out) as { name: string }[]).map(({ name }) => name));
    for (const name of ['away', 'strange']) assert.ok(names.has(name));
  });

  test('list counts the merchants of each, and shows no key', async () => {
    await putAcquirer(service.pool, { name: 'counted', url: bank.url, key: bank.key });
    await service.openShop({ acquirer: 'counted' });
    await service.openShop({ acquirer: 'counted' });
    const { out } = await kassa('list');
    assert.match(out, /^NAME +MERCHANTS +URL\n/);
    assert.match(out, new RegExp(`^counted +2 +${bank.url}$`, 'm'));
    const listed = JSON.parse((await kassa('list', '--json')).out) as { name: string }[];
    assert.deepEqual(
      listed.find(({ name }) => name === 'counted'),
      { name: 'counted', url: bank.url, merchants: 2 },
    );
    assert.equal(out.includes(bank.key) || JSON.stringify(listed).includes(bank.key), false);
  });

  test('remove takes away what nobody uses, and nothing else', async () => {
    await putAcquirer(service.pool, { name: 'leaving', url: bank.url, key: bank.key });
    const shop = await service.openShop({ acquirer: 'leaving' });
    const used = 'Merchants use leaving: kassa merchant list shows them. Switch them to another acquirer first.';
    await refuse(['remove', 'leaving'], used);
    await shop.client.createReserved(1_000);
    await updateMerchant(service.pool, shop.merchant.id, { acquirer: 'simulator' });
    await refuse(['remove', 'leaving'], 'leaving has moved money: it is needed for refunds and reconciliation.');
    await putAcquirer(service.pool, { name: 'mistake', url: NOBODY, key: KEY });
    const { code, out, err } = await kassa('remove', 'mistake');
    assert.deepEqual({ code, out, err }, { code: 0, out: 'Removed the acquirer mistake.\n', err: '' });
    await refuse(['remove', 'mistake'], 'There is no acquirer mistake. kassa acquirer list shows all.');
    const { out: list } = await kassa('list');
    assert.deepEqual([list.includes('leaving'), list.includes('mistake')], [true, false]);
  });

  test('what cannot be is one sentence', async () => {
    const name =
      'NAME must have 1 to 32 lowercase letters, digits and dashes, start with a letter, and not be simulator.';
    const plain = '--url must be a plain http or https address, for example http://localhost:8090.';
    const key = '--key must have 8 to 256 visible ASCII characters, without spaces.';
    const cases: readonly (readonly [args: readonly string[], sentence: string])[] = [
      [['add', 'bank'], '--url is missing, for example --url http://localhost:8090.'],
      [['add', 'bank', '--url', NOBODY], '--key is missing: the key for requests to the acquirer.'],
      [['add', '1bank', '--url', NOBODY, '--key', KEY], name],
      [['add', 'simulator', '--url', NOBODY, '--key', KEY], name],
      [['add', 'bank', '--url', 'localhost:8090'], '--url is localhost:8090; did you mean http://localhost:8090?'],
      [['add', 'bank', '--url', 'bank.test'], '--url is bank.test; did you mean http://bank.test?'],
      [['add', 'bank', '--url', 'ftp://bank.test'], plain],
      [['add', 'bank', '--url', 'http://me:secret@bank.test'], plain],
      [['add', 'bank', '--url', 'me:secret@bank.test'], plain],
      [['add', 'bank', '--url', `${NOBODY}/${'a'.repeat(2_048)}`], '--url must have at most 2048 characters.'],
      [['add', 'bank', '--url', NOBODY, '--key', 'short'], key],
      [['add', 'bank', '--url', NOBODY, '--key', 'a'.repeat(257)], key],
    ];
    for (const [args, sentence] of cases) await refuse(args, sentence);
  });
});
