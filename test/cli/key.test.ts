// `kassa key create|list|revoke`. Goal: keys can be rotated without a gap while the service runs. Method: real commands
// on the database of a running service, whose answers tell which keys are valid.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { runCommand } from '../support/commands.ts';
import { until } from '../support/kassa.ts';
import type { Ran } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

describe('key', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  const kassa = (...args: string[]): Promise<Ran> => runCommand(args, { env: { DATABASE_URL: service.databaseUrl } });

  async function statusWith(secretKey: string): Promise<number> {
    return (await service.client(secretKey).get('/v1/payments')).status;
  }

  test('a second key works beside the first, and the first can go', async () => {
    const { merchant, secretKey } = await service.openShop();
    const made = JSON.parse((await kassa('key', 'create', String(merchant.id), '--json')).out) as Record<
      string,
      string
    >;
    assert.equal(await statusWith(made['secretKey'] ?? ''), 200);
    assert.equal(await statusWith(secretKey), 200);

    const listed = JSON.parse((await kassa('key', 'list', String(merchant.id), '--json')).out) as Record<
      string,
      string
    >[];
    assert.deepEqual(
      listed.map(({ endsWith }) => endsWith),
      [secretKey.slice(-4), made['secretKey']?.slice(-4)],
    );
    const [first] = listed;
    const revoked = await kassa('key', 'revoke', first?.['keyId'] ?? '');
    assert.equal(revoked.out, `Revoked key ${first?.['keyId']} of merchant ${merchant.id}.\n`);
    await until('the first key to be refused', async () => (await statusWith(secretKey)) === 401);
    assert.equal(await statusWith(made['secretKey'] ?? ''), 200);
  });

  test('create prints the key alone, and the rest where it does not disturb a pipe', async () => {
    const { merchant } = await service.openShop();
    const { code, out, err } = await kassa('key', 'create', String(merchant.id));
    assert.equal(code, 0);
    assert.match(out, /^test-secret-key-[0-9a-f]{32}\n$/);
    assert.match(err, /^Its id is key_[0-9a-f]{16}\. Save the key now: only its hash is stored\.\n$/);
    assert.equal(await statusWith(out.trim()), 200);
  });

  test('list shows ids, last digits and dates, and no key', async () => {
    const { merchant, secretKey } = await service.openShop();
    const { out } = await kassa('key', 'list', String(merchant.id));
    const columns = /^KEY +NAME +ENDS WITH +SCOPES +CREATED +LAST USED +EXPIRES +REVOKED\n/;
    assert.match(out, columns);
    assert.match(out.replace(columns, ''), /^key_[0-9a-f]{16} +- +[0-9a-f]{4} +all but audit +\S+Z +- +- +-\n$/);
    assert.equal(out.includes(secretKey.slice(-32)), false);
  });

  test('a key with a name, a scope and an end is good for that alone', async () => {
    const { merchant } = await service.openShop();
    const made = await kassa(
      'key',
      'create',
      String(merchant.id),
      '--name',
      'Reports',
      '--scopes',
      'read',
      '--expires',
      '30d',
      '--json',
    );
    const key = JSON.parse(made.out) as Record<string, string>;
    assert.deepEqual([key['name'], key['scopes']], ['Reports', ['read']]);
    assert.match(key['expires'] ?? '', /^\d{4}-.*Z$/);
    const client = service.client(key['secretKey'] ?? '');
    assert.deepEqual(
      [(await client.get('/v1/payments')).status, (await client.post('/v1/payments', {})).status],
      [200, 403],
    );
    const { out } = await kassa('key', 'list', String(merchant.id));
    assert.match(out, /\nkey_\S+ +Reports +[0-9a-f]{4} +read +\S+Z +(?:-|\S+Z) +\S+Z +-\n$/);
  });

  test('a key that is revoked twice keeps its first date', async () => {
    const { merchant } = await service.openShop();
    const { keyId } = JSON.parse((await kassa('key', 'create', String(merchant.id), '--json')).out) as {
      keyId: string;
    };
    const revoke = async (): Promise<unknown> => JSON.parse((await kassa('key', 'revoke', keyId, '--json')).out);
    const first = await revoke();
    assert.deepEqual(await revoke(), first);
    assert.match((first as { revoked: string }).revoked, /^\d{4}-.*Z$/);
  });

  test('what is not there is refused with one sentence that repeats no key', async () => {
    const { merchant, secretKey } = await service.openShop();
    const noMerchant = 'There is no merchant 100000000. kassa merchant list shows all.';
    const noId = 'KEY must be the id of a key, such as key_0123456789abcdef: kassa key list MERCHANT shows it.';
    const noKey = 'There is no key key_0123456789abcdef. kassa key list MERCHANT shows all.';
    const refusals: readonly (readonly [args: readonly string[], sentence: string])[] = [
      [['create', '100000000'], noMerchant],
      [['list', '100000000'], noMerchant],
      [['list', 'abc'], 'MERCHANT is abc; it must be a nine-digit id, as kassa merchant list shows it.'],
      [
        ['create', String(merchant.id), '--scopes', 'read,all'],
        '--scopes is read,all; it must be one or more of read, money, webhooks, audit, separated by commas.',
      ],
      [
        ['create', String(merchant.id), '--expires', 'soon'],
        '--expires is soon; it must be a number of days such as 90d, or a date such as 2027-01-31.',
      ],
      [
        ['create', String(merchant.id), '--expires', '2020-01-01'],
        '--expires must be in the future, and within 3650 days.',
      ],
      [['create', String(merchant.id), '--name', ''], '--name must be one line of 1 to 64 characters.'],
      [['revoke', secretKey], noId],
      [['revoke', 'key_0123456789abcdef'], noKey],
    ];
    for (const [args, sentence] of refusals)
      assert.deepEqual(await kassa('key', ...args), { code: 1, signal: null, out: '', err: `kassa: ${sentence}\n` });
  });
});
