// Goal: every change leaves one record, in the chain of its merchant, with no secret in it; whoever meddles with a chain is
// found. Method: use cases by every way on a database of its own, whose records are then changed by SQL, and the files of
// the program, in which nothing may change one.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { KASSA } from '../../src/domain/audit.ts';
import type { Actor } from '../../src/domain/audit.ts';
import { issueKey, revokeKey } from '../../src/merchants/keys.ts';
import { changeMerchant, createMerchantWithKey, disableMerchant } from '../../src/merchants/merchants.ts';
import { invitePerson, removePerson } from '../../src/merchants/people.ts';
import { linkPerson } from '../../src/merchants/sign-in-links.ts';
import { listAudit, NO_MERCHANT, recordAct } from '../../src/store/audit/audit.ts';
import type { AuditRecord } from '../../src/store/audit/audit.ts';
import type { Merchant } from '../../src/domain/merchant.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { withinTransaction } from '../../src/store/connections/transaction.ts';
import { verifyAudit } from '../../src/store/books/verify-audit.ts';
import { root } from '../../proof/program.ts';
import { cloneDatabase } from '../support/database.ts';
import { runKassa } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';

const ADA: Actor = { kind: 'person', id: 'person_00000000000000aa', name: 'ada@example.test', address: '192.0.2.7' };

describe('the audit', () => {
  let url: string;
  let pool: Pool;
  before(async () => {
    url = await cloneDatabase();
    pool = openPool(url, { size: 8 });
  });
  after(() => pool.close());

  const shop = async (): Promise<{ merchant: Merchant; secret: string }> => {
    const made = await createMerchantWithKey(pool, KASSA, { name: 'Shop' });
    assert.equal(made.kind, 'created');
    return made;
  };
  const recordsOf = (merchant: Merchant): Promise<AuditRecord[]> => listAudit(pool, merchant, { limit: 1_000 });
  const actionsOf = async (merchant: Merchant): Promise<string[]> =>
    (await recordsOf(merchant)).map(({ action }) => action).toReversed();

  test('a change is told with who made it, before and after, and without secrets; none where nothing changed', async () => {
    const { merchant, secret } = await shop();
    await changeMerchant(pool, ADA, merchant.id, { settings: { name: 'Other' }, seller: { city: 'Oslo' } });
    await changeMerchant(pool, ADA, merchant.id, { settings: { name: 'Other' } });
    const [changed, key, created] = await recordsOf(merchant);
    assert.deepEqual(changed?.actor, ADA);
    assert.deepEqual([changed?.number, changed?.action], [3, 'merchant.change']);
    assert.deepEqual(changed?.before, { name: 'Shop', 'seller.city': null });
    assert.deepEqual(changed?.after, { name: 'Other', 'seller.city': 'Oslo' });
    assert.deepEqual([created?.number, created?.action, created?.actor], [1, 'merchant.create', KASSA]);
    assert.deepEqual(key?.after, { endsWith: secret.slice(-4) });
    const kept = JSON.stringify(await recordsOf(merchant));
    for (const hidden of [secret.slice(-32), merchant.accountSecret]) assert.ok(!kept.includes(hidden));
    assert.deepEqual((await verifyAudit(pool)).differences, []);
  });

  test('keys and people are told of; who is removed stays named', async () => {
    const { merchant } = await shop();
    const other = await shop();
    const issued = await issueKey(pool, ADA, merchant.id);
    const keyId = issued.kind === 'issued' ? issued.key.id : '';
    await revokeKey(pool, ADA, keyId);
    await revokeKey(pool, ADA, keyId);
    const bob = { email: 'bob@example.test', role: 'operator' } as const;
    for (const at of [merchant, other.merchant]) await invitePerson(pool, ADA, { ...bob, merchantId: at.id });
    await invitePerson(pool, ADA, { ...bob, merchantId: merchant.id, role: 'admin' });
    await linkPerson(pool, ADA, bob.email);
    await removePerson(pool, ADA, bob.email);
    await disableMerchant(pool, ADA, merchant.id);
    const since = ['key.create', 'key.revoke', 'person.invite', 'person.role', 'person.link', 'person.remove'];
    assert.deepEqual((await actionsOf(merchant)).slice(2), [...since, 'merchant.disable']);
    assert.deepEqual((await actionsOf(other.merchant)).slice(2), ['person.invite', 'person.link', 'person.remove']);
    const removed = (await recordsOf(merchant)).find(({ action }) => action === 'person.remove');
    assert.deepEqual(removed?.before, { email: 'bob@example.test', role: 'admin' });
    const again = (await recordsOf(merchant)).find(({ action }) => action === 'person.role');
    assert.deepEqual([again?.before?.['role'], again?.after?.['role']], ['operator', 'admin']);
  });

  test('commands leave the user and the machine; what is nobody’s has a chain of its own', async () => {
    const { merchant } = await shop();
    const options = { env: { DATABASE_URL: url } };
    const done = await runKassa(['key', 'create', String(merchant.id)], options);
    assert.equal(done.code, 0, done.err);
    const [record] = await recordsOf(merchant);
    assert.equal(record?.actor.kind, 'cli');
    assert.match(record?.actor.name ?? '', /^.+@.+$/);
    const added = await runKassa(
      ['acquirer', 'add', 'bank', '--url', 'http://127.0.0.1:9', '--key', 'a-key-of-a-bank'],
      options,
    );
    assert.equal(added.code, 0, added.err);
    const [act] = await listAudit(pool, NO_MERCHANT, { limit: 1 });
    assert.deepEqual([act?.action, act?.subject, act?.after], ['acquirer.put', 'bank', { url: 'http://127.0.0.1:9' }]);
  });

  test('acts of one merchant at once are numbered without a gap; what is undone leaves no record', async () => {
    const { merchant } = await shop();
    const act = { actor: ADA, action: 'payment.refund', subject: 'a payment' } as const;
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        withinTransaction(pool, async (within) => {
          await recordAct(within, merchant, { ...act, after: { amount: index } });
          if (index % 3 === 0) throw new Error('undone');
        }).catch(() => {}),
      ),
    );
    const numbers = (await recordsOf(merchant)).map(({ number }) => number);
    assert.deepEqual(
      numbers.toReversed(),
      Array.from({ length: 22 }, (_, index) => index + 1),
    );
    assert.deepEqual((await verifyAudit(pool)).differences, []);
    await assert.rejects(recordAct(pool, merchant, act), /in its transaction/);
  });

  test('facts that are too large are kept as their hash', async () => {
    const { merchant } = await shop();
    const large = { refused: 'x'.repeat(100_000) };
    await withinTransaction(pool, (within) =>
      recordAct(within, merchant, { actor: ADA, action: 'payment.charge', subject: 'a payment', after: large }),
    );
    const [record] = await recordsOf(merchant);
    assert.deepEqual(Object.keys(record?.after ?? {}), ['bytes', 'sha256']);
  });

  test('a record that was changed, removed, put elsewhere or cut off is found and named', async () => {
    const broken: Readonly<Record<string, readonly [sql: string, found: RegExp]>> = {
      'an actor': [`update audit_records set actor_name = 'eve' where number = 2`, /^2: was changed/],
      'a time': [`update audit_records set at = at - interval '1 day' where number = 2`, /^2: was changed/],
      'a fact': [`update audit_records set after = '{"endsWith":"0000"}' where number = 2`, /^2: was changed/],
      'a fact taken away': [`update audit_records set after = null where number = 3`, /^3: was changed/],
      'one removed': ['delete from audit_records where number = 2', /^2: is missing$/],
      'two removed': ['delete from audit_records where number in (2, 3)', /^2: is missing, and all up to 3 are$/],
      'the last removed': ['delete from audit_records where number = 4', /^4: is missing$/],
      'two swapped': [
        'update audit_records set number = case number when 2 then 12 else 2 end where number in (2, 3)',
        /^2: was changed/,
      ],
      'the head set back': [
        'update audit_heads set hash = decode(repeat($$ab$$, 32), $$hex$$) where true',
        /^4: is not the one/,
      ],
      'the head on the one before': [
        `update audit_heads set number = 3, hash = (select hash from audit_records as record
           where record.merchant_id = audit_heads.merchant_id and record.number = 3) where true`,
        /^4: stands behind the record that is last$/,
      ],
      'the head removed': ['delete from audit_heads where true', /^1: belongs to a chain whose head is gone$/],
    };
    for (const [what, [sql, found]] of Object.entries(broken)) {
      const { merchant } = await shop();
      for (let more = 0; more < 2; more += 1) await issueKey(pool, ADA, merchant.id);
      await pool.query(`${sql} and merchant_id = ${merchant.id}`);
      const { differences } = await verifyAudit(pool);
      const own = differences.filter(({ merchantId }) => merchantId === merchant.id);
      const [first] = own.map(({ number, difference }) => `${number}: ${difference}`);
      assert.match(first ?? '', found, what);
    }
    const verified = await runKassa(['verify'], { env: { DATABASE_URL: url } });
    assert.equal(verified.code, 1);
    assert.match(verified.out, /\naudit of merchant \d{9}, record 2: was changed/);
  });

  test('no statement of the program changes or deletes a record', () => {
    const files = globSync('src/**/*.{ts,sql}', { cwd: root });
    assert.ok(files.length > 300);
    for (const file of files)
      assert.doesNotMatch(
        readFileSync(join(root, file), 'utf8'),
        /\b(?:update|delete\s+from|truncate|merge\s+into|alter\s+table)\s+(?:only\s+)?audit_records/i,
        file,
      );
  });
});

describe('the audit of the API', () => {
  const service = shareService();
  after(() => service.close());

  test('webhooks are told of with the key that asked; their secrets are not; redeliveries by keys are not', async () => {
    const { merchant, client } = await service.openShop();
    const made = await client.send('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/hook' });
    const { webhookId, secret } = made.body as { webhookId: string; secret: string };
    await client.send('PUT', `/v1/webhooks/${webhookId}`, { state: 'disabled' });
    const rotated = await client.send('POST', `/v1/webhooks/${webhookId}/rotate`);
    await client.send('DELETE', `/v1/webhooks/${webhookId}`);
    assert.equal((await client.send('DELETE', `/v1/webhooks/${webhookId}`)).status, 404);
    const records = await listAudit(service.pool, merchant, { limit: 10 });
    const actions = records.map(({ action }) => action).toReversed();
    assert.deepEqual(actions, ['webhook.create', 'webhook.change', 'webhook.rotate', 'webhook.delete']);
    assert.ok(records.every(({ actor, subject }) => actor.kind === 'key' && subject === webhookId));
    assert.deepEqual(records[2]?.before, { state: 'enabled' });
    const kept = JSON.stringify(records);
    for (const hidden of [secret, (rotated.body as { secret: string }).secret]) assert.ok(!kept.includes(hidden));
  });
});
