// Goal: a collector gets every record of the audit, once and in order, by the API and by the command, and goes on where it
// was; nobody without the scope reads it, not even a key for everything else. Method: pages of one, positions that are
// handed in again, a file that keeps them, and a chain that was cut under it.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { KASSA } from '../../src/domain/audit.ts';
import type { Merchant } from '../../src/domain/merchant.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { issueKey } from '../../src/merchants/keys.ts';
import { signIn } from '../support/console.ts';
import { launchKassa, runKassa, until } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

type Line = { merchantId: number | null; number: number; action: string; previousHash: string; hash: string };

describe('the audit for a collector', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-collector-'));
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const keyOf = async ({ id }: Merchant, scopes?: readonly Scope[]): Promise<string> => {
    const issued = await issueKey(service.pool, KASSA, id, { ...(scopes && { scopes }) });
    return issued.kind === 'issued' ? issued.secret : assert.fail(issued.kind);
  };

  test('the API gives page after page, and later what came since; of one merchant alone', async () => {
    const shop = await service.openShop();
    const { merchant } = shop;
    const other = await service.openShop({ beside: shop });
    const client = service.client(await keyOf(merchant, ['audit']));
    for (let more = 0; more < 2; more += 1) await keyOf(merchant);
    // Beyond the last number of the one that is asked for.
    for (let more = 0; more < 6; more += 1) await keyOf(other.merchant);
    await client.get('/v1/audit');
    await until('the record of that', async () => (await client.get('/v1/audit')).text.includes('audit.export'));
    const numbers: number[] = [];
    let cursor = '';
    do {
      const { body } = await client.get(`/v1/audit?limit=1&after=${cursor}`);
      numbers.push(...body.records.map(({ number }: Line) => number));
      cursor = body.cursor ?? '';
    } while (cursor !== '');
    assert.deepEqual(numbers, [1, 2, 3, 4]);
    assert.deepEqual((await client.get('/v1/audit?after=4')).body, { records: [] });
    await keyOf(merchant, ['read']);
    const { records } = await client.must(200, 'GET', '/v1/audit?after=4');
    const [{ at: _at, hash, previousHash, subject, ...record }] = records;
    assert.match(`${hash} ${previousHash} ${subject}`, /^[0-9a-f]{64} [0-9a-f]{64} key_[0-9a-f]{16}$/);
    assert.deepEqual(record, {
      number: 5,
      actor: KASSA,
      action: 'key.create',
      after: { endsWith: record.after.endsWith, scopes: ['read'] },
    });
    assert.equal((await client.get('/v1/audit?before=3')).status, 400);
  });

  test('a key has to name the scope, and only admins make one that does', async () => {
    const { merchant, client } = await service.openShop();
    for (const asking of [client, service.client(await keyOf(merchant, ['read', 'money', 'webhooks']))]) {
      const refused = await asking.get('/v1/audit');
      assert.equal(refused.status, 403);
      assert.match(refused.body.message, /has not the scope audit/);
    }
    const reader = service.client(await keyOf(merchant, ['audit']));
    assert.equal((await reader.get('/v1/payments')).status, 403);
    const keys = `/console/${merchant.id}/keys`;
    const developer = await signIn(service, merchant.id, 'developer');
    assert.doesNotMatch(await (await developer.ask(keys)).text(), /name="audit"/);
    const refused = await developer.submit(`${keys}/create`, { name: 'Mine', days: '', audit: 'on' });
    assert.equal(refused.status, 403);
    const admin = await signIn(service, merchant.id, 'admin');
    assert.doesNotMatch(await (await admin.ask(keys)).text(), /name="audit" value="on" checked/);
    const made = await admin.act(`${keys}/create`, { name: 'Collector', days: '', audit: 'on' });
    const [secret = ''] = /test-secret-key-[0-9a-f]{32}/.exec(await made.text()) ?? [];
    assert.equal((await service.client(secret).get('/v1/audit')).status, 200);
  });

  test('the command writes lines, goes on from its file, follows, and tells of a chain that went back', async () => {
    const { merchant } = await service.openShop();
    const env = { DATABASE_URL: service.databaseUrl };
    const id = String(merchant.id);
    for (let more = 0; more < 3; more += 1) await keyOf(merchant);
    const linesOf = (text: string): Line[] =>
      text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
    const state = join(folder, 'state.json');
    const first = await runKassa(['audit', 'export', id, '--state', state], { env });
    assert.equal(first.code, 0, first.err);
    const lines = linesOf(first.out);
    assert.deepEqual(
      lines.map(({ merchantId, number, action }) => [merchantId, number, action]),
      ['key.create', 'key.create', 'key.create', 'audit.export'].map((action, index) => [
        merchant.id,
        index + 1,
        action,
      ]),
    );
    for (const [index, { previousHash }] of lines.entries())
      assert.equal(previousHash, lines[index - 1]?.hash ?? '0'.repeat(64));
    assert.deepEqual(JSON.parse(readFileSync(state, 'utf8')), { [id]: 4 });

    const following = launchKassa(['audit', 'export', id, '--state', state, '--follow'], { env });
    await keyOf(merchant);
    await until('the new record', () => following.out().includes('"number":5'));
    await following.end('SIGTERM');
    assert.deepEqual(
      linesOf(following.out()).map(({ number }) => number),
      [5],
    );
    const behind = await runKassa(['audit', 'export', id, '--after', '2'], { env });
    assert.deepEqual(
      linesOf(behind.out).map(({ number }) => number),
      [3, 4, 5, 6],
    );

    writeFileSync(state, JSON.stringify({ [id]: 9 }));
    const cut = await runKassa(['audit', 'export', id, '--state', state], { env });
    assert.equal(cut.code, 1);
    assert.match(cut.err, /The audit of merchant \d{9} ends before record 9, which was already exported/);
    assert.match(cut.err, /: was it truncated\?/);
    writeFileSync(state, 'what is this');
    const broken = await runKassa(['audit', 'export', '--state', state], { env });
    assert.match(broken.err, /was not written by kassa audit export/);
    const all = await runKassa(['audit', 'export', '--after', '2'], { env });
    assert.match(all.err, /--after requires MERCHANT/);
  });
});
