// `kassa backup` and `kassa restore`. Goal: a copy that is taken while shops pay is one moment of the books, has all that
// was answered before it began, and makes a Kassa that goes on with the same keys; whatever is wrong is told before
// anything is written over. Method: the commands beside a service under load, on the embedded Postgres; the copy restored
// elsewhere, verified and served.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { BadArchive, readTar, tarFile } from '../../src/database/tar.ts';
import { Workshop } from '../database/workshop.ts';
import { Client } from '../support/client.ts';
import { runCommand } from '../support/commands.ts';
import { runKassa, serveKassa } from '../support/kassa.ts';

test('a backup under load restores to a moment that balances, and the service goes on from it', async (t) => {
  const shop = new Workshop();
  t.after(() => shop.close());
  shop.bringDatabase();
  const folder = join(shop.root, 'backups');
  const env = { KASSA_DATA_DIR: shop.dataDir };
  const service = await serveKassa(t, { env });

  const paid: string[] = [];
  const over = new AbortController();
  const load = Array.from({ length: 3 }, async () => {
    while (!over.signal.aborted) {
      const paymentId = await service.client.createReserved(10_000);
      await service.client.charge(paymentId, 6_000);
      paid.push(paymentId);
    }
  });
  const backUp = async (): Promise<{ file: string; bytes: number; removed: string[]; before: number }> => {
    const before = paid.length;
    const { code, out, err } = await runKassa(['backup', folder, '--keep', '1', '--json'], { env });
    assert.equal(code, 0, err);
    return { ...(JSON.parse(out) as { file: string; bytes: number; removed: string[] }), before };
  };
  const first = await backUp();
  const foreign = join(folder, 'kassa-20200101T000000Z.tar.gz');
  writeFileSync(foreign, gzipSync('of somebody else'));
  const second = await backUp();
  over.abort();
  await Promise.all(load);
  await service.stop();
  assert.ok(paid.length > second.before, 'paid while it was copied');
  assert.deepEqual(second.removed, [first.file]);
  assert.deepEqual(
    readdirSync(folder).toSorted(),
    [foreign, second.file].map((file) => file.slice(folder.length + 1)),
  );
  assert.equal(statSync(second.file).mode & 0o777, 0o600);

  const elsewhere = join(shop.root, 'restored');
  const restored = { env: { KASSA_DATA_DIR: elsewhere } };
  const made = await runKassa(['restore', second.file], restored);
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /^Restored .*restored to 20.*Its newest event is from 20/);
  const verified = await runKassa(['verify', '--json'], restored);
  assert.equal(verified.code, 0, verified.out + verified.err);
  const { payments } = JSON.parse(verified.out) as { payments: number };
  assert.ok(payments >= second.before, `${payments} of ${second.before}`);
  const again = await runKassa(['restore', second.file], restored);
  assert.deepEqual([again.code, again.out], [1, '']);
  assert.match(again.err, /restored already contains a database: stop Kassa/);

  const revived = await serveKassa(t, restored);
  assert.equal(revived.secretKey, service.secretKey);
  const client = new Client(revived.url, service.secretKey);
  for (const paymentId of [paid[0], paid[second.before - 1]]) {
    const { summary } = await client.payment(paymentId as string);
    assert.deepEqual([summary.reservedAmount, summary.chargedAmount], [10_000, 6_000]);
  }
  await revived.stop();

  // A copy that was cut, or damaged in one byte, makes no database.
  const bytes = readFileSync(second.file);
  const damaged = Buffer.from(bytes);
  damaged[(bytes.length / 2) | 0] = (bytes[(bytes.length / 2) | 0] as number) ^ 0xff;
  for (const [name, content] of [
    ['cut', bytes.subarray(0, bytes.length - 1_000)],
    ['damaged', damaged],
  ] as const) {
    const file = join(shop.root, `${name}.tar.gz`);
    writeFileSync(file, content);
    const dataDir = join(shop.root, name);
    const refused = await runKassa(['restore', file], { env: { KASSA_DATA_DIR: dataDir } });
    assert.equal(refused.code, 1);
    assert.match(refused.err, /^kassa: \S+\.tar\.gz is damaged, so nothing was restored: .+\.$/m);
    assert.deepEqual(
      readdirSync(dataDir).filter((entry) => entry.startsWith('postgres')),
      [],
    );
  }
});

test('what it cannot do is told before anything is written', async (t) => {
  const shop = new Workshop();
  t.after(() => shop.close());
  const refusal = async (args: string[], env: Record<string, string>): Promise<string> => {
    const { code, out, err } = await runCommand(args, { env });
    assert.deepEqual([code, out], [1, '']);
    return err;
  };
  const own = { DATABASE_URL: 'postgres://kassa:secret@db.example/kassa' };
  for (const command of ['backup', 'restore'])
    assert.match(
      await refusal([command, shop.root], own),
      new RegExp(`kassa ${command} only works with the embedded Postgres: use pg_dump, or pg_basebackup`),
    );
  const folder = join(shop.root, 'data');
  mkdirSync(folder);
  const none = { KASSA_DATA_DIR: folder };
  assert.match(await refusal(['backup', join(shop.root, 'to')], none), /There is no database in \S+data; run this/);
  assert.match(await refusal(['backup', shop.root, '--keep', '0'], none), /--keep is 0; it must be a number from 1/);
  const file = join(shop.root, 'there.tar.gz');
  writeFileSync(file, 'there');
  assert.match(await refusal(['backup', file], none), /there\.tar\.gz already exists/);
  assert.match(await refusal(['restore', file], none), /there\.tar\.gz is not a backup made by kassa backup\./);
  assert.match(await refusal(['restore', join(shop.root, 'none')], none), /There is no file \S+none\./);
  assert.equal(existsSync(join(folder, 'postgres')), false);
});

test('an archive that leads out of its folder is refused', () => {
  const archive = (name: string): Buffer => Buffer.concat([tarFile(name, 'text'), Buffer.alloc(1_024)]);
  const read = (bytes: Buffer): string[] => {
    const seen: string[] = [];
    const tar = readTar({
      onEntry: ({ name }) => seen.push(name),
      onPiece: (piece) => seen.push(String(piece)),
      onEntryEnd: () => {},
    });
    for (let at = 0; at < bytes.length; at += 100) tar.take(bytes.subarray(at, at + 100));
    tar.end();
    return seen;
  };
  assert.deepEqual(read(archive('base/1/2')), ['base/1/2', 'text']);
  assert.deepEqual(read(archive('./base')), ['base', 'text']);
  for (const name of ['../base', '/etc/passwd', 'base/../../out', 'base\\out', 'C:out'])
    assert.throws(() => read(archive(name)), BadArchive);
  assert.throws(() => read(archive('base').subarray(0, 1_024)), /is truncated/);
  const wrong = archive('base');
  wrong[0] = (wrong[0] as number) + 1;
  assert.throws(() => read(wrong), /a header is damaged/);
});
