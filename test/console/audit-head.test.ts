// Goal: who can write to the database cannot rewrite the audit or cut its end without being found, as long as a signed head
// is kept elsewhere. Method: chains that are made anew by SQL so that every hash fits, held against heads of the service's
// own log and of the command; keys that are replaced, and heads that are forged.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { KASSA } from '../../src/domain/audit.ts';
import type { Merchant } from '../../src/domain/merchant.ts';
import { createMerchantWithKey } from '../../src/merchants/merchants.ts';
import { AUDIT_COLUMNS, FIRST_HASH, hashOfRecord, recordAct } from '../../src/store/audit/audit.ts';
import type { AuditRow } from '../../src/store/audit/audit.ts';
import {
  publicTextOf,
  readChainHeads,
  SignedHeads,
  signHeads,
  signingKeyOf,
} from '../../src/store/audit/audit-head.ts';
import { withinTransaction } from '../../src/store/connections/transaction.ts';
import { verifyAudit } from '../../src/store/books/verify-audit.ts';
import { runKassa, until } from '../support/kassa.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

const KEY = '0123456789abcdef'.repeat(4);
const NEW_KEY = 'fedcba9876543210'.repeat(4);
const HEAD = /kassa-head-1\.[\w-]+\.[\w-]{86}/g;

const keyOf = (text: string) => signingKeyOf([text]) ?? assert.fail('a key that signs');

describe('a signed head of the audit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-heads-'));
  let service: Service;
  let merchant: Merchant;
  before(async () => {
    service = await startService({ env: { KASSA_AUDIT_KEY: KEY } });
    const made = await createMerchantWithKey(service.pool, KASSA, { name: 'Shop' });
    assert.equal(made.kind, 'created');
    ({ merchant } = made);
    await add(3);
  });
  after(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const add = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1)
      await withinTransaction(service.pool, (within) =>
        recordAct(within, merchant, { actor: KASSA, action: 'key.create', subject: `key ${index}` }),
      );
  };
  const headsBy = async (key: string): Promise<string[]> =>
    signHeads(keyOf(key), new Date(), await readChainHeads(service.pool));
  const findings = async (heads: readonly string[], keys = [KEY]): Promise<string[]> => {
    const signed = new SignedHeads(keys);
    for (const head of heads) signed.add(`{"level":30,"auditHead":"${head}","msg":"audit head"}`);
    const { differences } = await verifyAudit(service.pool, signed);
    return [...differences.map(({ number, difference }) => `${number}: ${difference}`), ...signed.problems];
  };
  /** As somebody would who knows how records are hashed: from a number on they say something else, or are gone. */
  const remake = async (from: number, keepTo: number): Promise<void> => {
    const rows = await service.pool.query<AuditRow & { hash: Buffer }>(
      `select ${AUDIT_COLUMNS}, hash from audit_records where merchant_id = $1 and number <= $2 order by number`,
      [merchant.id, keepTo],
    );
    let [number, previous] = [0, FIRST_HASH as Buffer];
    for (const row of rows) {
      const name = row.number < from ? row.actor_name : 'eve@example.test';
      const hash = hashOfRecord({ ...row, actor_name: name, previous_hash: previous });
      await service.pool.query(
        `update audit_records set actor_name = $3, previous_hash = $4, hash = $5 where merchant_id = $1 and number = $2`,
        [merchant.id, row.number, name, previous, hash],
      );
      [number, previous] = [row.number, hash];
    }
    await service.pool.query('delete from audit_records where merchant_id = $1 and number > $2', [merchant.id, keepTo]);
    await service.pool.query('update audit_heads set number = $2, hash = $3 where merchant_id = $1', [
      merchant.id,
      number,
      previous,
    ]);
  };

  test('is written to the log at the start and at the end, and fits as long as records are only added', async () => {
    await until('a head in the log', () => service.log().includes('"auditHead":"kassa-head-1.'));
    const other = await startService({ databaseUrl: service.databaseUrl, env: { KASSA_AUDIT_KEY: KEY } });
    await add(1);
    await other.stop();
    const written = other.log().match(HEAD) ?? [];
    assert.ok(written.length > 0);
    const last = new SignedHeads([KEY]);
    for (const head of written) last.add(head);
    assert.ok(last.of(merchant.id).has(6), 'with what was done until the end');
    await add(2);
    assert.deepEqual(await findings(written), []);
    assert.ok(!other.log().includes(KEY));
  });

  test('finds a tail that was cut, a chain that was made anew, and one that is gone', async () => {
    const heads = await headsBy(KEY);
    await remake(9, 8);
    assert.deepEqual(await findings(heads), []);
    await remake(9, 6);
    assert.deepEqual(await findings([]), [], 'the hashes fit');
    const [cut] = await findings(heads);
    assert.match(
      cut ?? '',
      /^7: the head that was signed at .+ names record 8, and the chain ends at record 6: its tail was cut$/,
    );
    await add(4);
    const [replaced] = await findings(heads);
    assert.match(replaced ?? '', /^8: is not the one that the head signed at .+ names: the chain was rewritten$/);
    const later = await headsBy(KEY);
    await remake(3, 10);
    assert.match((await findings(later))[0] ?? '', /^10: is not the one that the head signed/);
    assert.match((await findings([...later, ...(await headsBy(KEY))])).at(-1) ?? '', /name two records 10 of merchant/);
    await service.pool.query('delete from audit_records where merchant_id = $1', [merchant.id]);
    await service.pool.query('delete from audit_heads where merchant_id = $1', [merchant.id]);
    assert.match((await findings(later))[0] ?? '', /^1: the head .+ names record 10, and there is no such chain/);
    await add(1);
  });

  test('is worth nothing when it was changed or signed by another key; keys are replaced, and public ones check', async () => {
    const [head = ''] = await headsBy(KEY);
    const [name, body = '', signature] = head.split('.');
    const payload = { ...(JSON.parse(Buffer.from(body, 'base64url').toString()) as object), chains: [] };
    const forged = `${name}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.${signature}`;
    assert.match((await findings([forged]))[0] ?? '', /^kassa-head-1.+ has a signature that does not fit/);
    const others = await headsBy(NEW_KEY);
    assert.match(
      (await findings(others))[0] ?? '',
      /was signed with the key [0-9a-f]{16}, which KASSA_AUDIT_KEY does not/,
    );
    assert.deepEqual(await findings([head, ...others], [NEW_KEY, KEY]), []);
    assert.deepEqual(await findings([head], [publicTextOf(keyOf(KEY))]), []);
    assert.equal(signingKeyOf([publicTextOf(keyOf(KEY)), NEW_KEY])?.id, keyOf(NEW_KEY).id);
  });

  test('kassa audit head prints one, kassa verify --audit-head takes it or a log; what is wrong is a sentence', async () => {
    const env = { DATABASE_URL: service.databaseUrl, KASSA_AUDIT_KEY: `${NEW_KEY},${KEY}` };
    const printed = await runKassa(['audit', 'head'], { env });
    assert.deepEqual([printed.code, printed.out.match(HEAD)?.length], [0, 1], printed.err);
    const file = join(folder, 'kassa.log');
    writeFileSync(file, `a line\n{"auditHead":"${(await headsBy(KEY))[0]}"}\n${printed.out}`);
    const fits = await runKassa(['verify', '--audit-head', file], { env });
    assert.equal(fits.code, 0, fits.out + fits.err);
    assert.match(fits.out, /\nChecked against 2 audit heads, the newest from 20.+Z\.\n/);
    await add(1);
    const later = await runKassa(['audit', 'head', '--json'], { env });
    const { heads, publicKey } = JSON.parse(later.out) as { heads: [string]; publicKey: string };
    await remake(1, 1);
    const checker = { DATABASE_URL: service.databaseUrl, KASSA_AUDIT_KEY: publicKey };
    const found = await runKassa(['verify', '--audit-head', heads[0]], { env: checker });
    assert.equal(found.code, 1, found.err);
    assert.match(found.out, /audit of merchant \d{9}, record 2: the head .+ its tail was cut\n/);
    const refused = await runKassa(['verify', '--audit-head', folder], { env });
    assert.deepEqual([refused.code, /cannot be read \(EISDIR\)/.test(refused.err)], [2, true]);
    const nothing = `kassa-head-1.${Buffer.from('null').toString('base64url')}.${'A'.repeat(86)}`;
    const damaged = await runKassa(['verify', '--audit-head', nothing], { env });
    assert.match(damaged.out, /is damaged: no part of it can be read/, damaged.err);
    const keyless = await runKassa(['audit', 'head'], { env: checker });
    assert.match(keyless.err, /contains only public keys, which cannot sign/);
  });
});
