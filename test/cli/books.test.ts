// `kassa verify`, `erase` and `migrate`. Method: real commands on the database of a running service; a row is falsified
// by hand, since the program itself cannot do it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Foresight } from '../../src/store/schema/foresee-migration.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { readMigrations } from '../../src/store/schema/migration-files.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import { cloneDatabase } from '../support/database.ts';
import { runCommand } from '../support/commands.ts';
import { until } from '../support/kassa.ts';
import type { Ran } from '../support/kassa.ts';
import { launchNext, NOW } from '../support/next-version.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';
import { CTRL_C, launchInTerminal } from '../support/terminal.ts';

const LISTS = ['Erased', 'Kept', 'Elsewhere'].map((title) => `${title}:\\n(?: {2}.+\\n)+`).join('');

describe('books', () => {
  let service: Service;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = await service.openShop();
  });
  after(() => service.stop());

  const kassa = (...args: string[]): Promise<Ran> => runCommand(args, { env: { DATABASE_URL: service.databaseUrl } });

  test('verify counts what there is, finds a falsified total, and says which', async () => {
    const paymentId = await shop.client.createReserved(10_000);
    const chargeId = await shop.client.charge(paymentId, 6_000);
    await shop.client.refund(chargeId, 1_000);
    const good = await kassa('verify');
    assert.deepEqual([good.code, good.err], [0, '']);
    assert.match(
      good.out,
      /^1 payment of 1 merchant, 3 movements \(0 pending\), \d+ events, 0 idempotency records\.\n/,
    );
    assert.match(good.out, /\nThe books balance\.\n$/);
    const counted = JSON.parse((await kassa('verify', '--json')).out) as Record<string, unknown>;
    assert.deepEqual([counted['payments'], counted['movements'], counted['differences']], [1, 3, []]);

    await service.pool.query('update payments set charged = 7000 where id = $1', [paymentId]);
    const bad = await kassa('verify');
    assert.equal(bad.code, 1);
    assert.ok(bad.out.includes(`${paymentId}: charged is 7000, but its movements sum up to 6000\n`), bad.out);
    assert.match(bad.out, /\nThe books do not balance: 1 difference\.\n$/);
    const listed = await kassa('verify', '--json');
    assert.equal(listed.code, 1);
    const { differences } = JSON.parse(listed.out) as { differences: object[] };
    assert.deepEqual(differences, [{ paymentId, difference: 'charged is 7000, but its movements sum up to 6000' }]);
    await service.pool.query('update payments set charged = 6000 where id = $1', [paymentId]);
  });

  // decision: erasing-a-consumer
  test('erase blanks the consumer, says what stays, and the books balance', async () => {
    const paymentId = await shop.client.createReserved(10_000);
    const full = await shop.client.payment(paymentId);
    assert.equal(full.consumer.privatePerson.lastName, 'Nordmann');
    const erased = await kassa('erase', paymentId, '--yes');
    assert.deepEqual([erased.code, erased.err], [0, '']);
    assert.match(erased.out, new RegExp(`^Erased the personal data of payment ${paymentId}\\.\n${LISTS}$`));
    const { consumer, ...rest } = await shop.client.payment(paymentId);
    assert.deepEqual(consumer, { billingAddress: {}, shippingAddress: {}, company: {}, privatePerson: {} });
    assert.deepEqual(rest, withoutConsumer(full));
    await shop.client.charge(paymentId, 10_000);
    for (const field of ['name', 'birth', 'company', 'e-mail', 'phone', 'address', 'IP address', 'reference'])
      assert.ok(/^Erased:\n(?: {2}.+\n)+/m.exec(erased.out)?.[0].includes(field), field);
    const again = await kassa('erase', paymentId, '--yes', '--json');
    assert.deepEqual(JSON.parse(again.out), { paymentId, erased: true });
    assert.equal((await kassa('verify')).code, 0);
  });

  // decision: erasing-a-consumer
  test('erase asks at a terminal, and without one wants --yes', async () => {
    const paymentId = await shop.client.createReserved(10_000);
    const nameOf = async (): Promise<unknown> => (await shop.client.payment(paymentId)).consumer.privatePerson.lastName;
    const refused = await kassa('erase', paymentId);
    const sentence = 'kassa: Erasing cannot be undone, and there is no terminal to confirm it: pass --yes.\n';
    assert.deepEqual([refused.code, refused.out, refused.err], [1, '', sentence]);
    for (const answer of ['n\r', '\r', CTRL_C]) {
      const asked = launchInTerminal(['erase', paymentId], { env: { DATABASE_URL: service.databaseUrl } });
      await until('the question', () => asked.screen().includes('cannot be undone. [y/N]'));
      asked.type(answer);
      assert.equal((await asked.ended).code, 1);
      assert.match(asked.screen(), /Nothing was erased\.\n$/);
      assert.equal(await nameOf(), 'Nordmann');
    }
    const asked = launchInTerminal(['erase', paymentId], { env: { DATABASE_URL: service.databaseUrl } });
    await until('the question', () => asked.screen().includes('cannot be undone. [y/N]'));
    assert.match(asked.screen(), new RegExp(`^${LISTS}`));
    asked.type('yes\r');
    assert.equal((await asked.ended).code, 0);
    assert.equal(await nameOf(), undefined);
  });

  test('erase refuses what is no payment with one sentence', async () => {
    const [unknown, impossible] = ['019f0000000070008000000000000000', '0'.repeat(32)];
    const text = "PAYMENT is abc; it must be the 32 hex digits of a payment's id.";
    assert.equal((await kassa('erase', 'abc')).err, `kassa: ${text}\n`);
    for (const id of [unknown, impossible])
      assert.deepEqual(await kassa('erase', id, '--yes'), {
        code: 1,
        signal: null,
        out: '',
        err: `kassa: There is no payment ${id}.\n`,
      });
  });

  test('migrate brings an empty database to the newest version, and then has nothing to do', async () => {
    const url = await emptyDatabase();
    const env = { DATABASE_URL: url };
    const names = readMigrations().map(({ number, name }) => `${String(number).padStart(3, '0')}-${name}`);
    const newest = readMigrations().at(-1)?.number;
    const first = await runCommand(['migrate'], { env });
    assert.equal(
      first.out,
      `${names.map((name) => `Applied ${name}.\n`).join('')}The database is at version ${newest}.\n`,
    );
    const second = await runCommand(['migrate'], { env });
    assert.equal(second.out, `The database is at version ${newest}; nothing to do.\n`);
    const third = await runCommand(['migrate', '--json'], { env });
    assert.deepEqual(JSON.parse(third.out), { applied: [], version: newest });
  });

  test('migrate --dry-run says what would be applied and who would wait, and changes nothing', async () => {
    const url = await emptyDatabase();
    const kassaThere = (...args: string[]): Promise<Ran> => runCommand(args, { env: { DATABASE_URL: url } });
    const next = (...args: string[]): Promise<Ran> => launchNext(args, { DATABASE_URL: url }).ended;
    const empty = await kassaThere('migrate', '--dry-run');
    assert.deepEqual([empty.code, empty.err], [0, '']);
    assert.match(empty.out, new RegExp(`^The database is at version 0; ${NOW} migrations? would bring it to ${NOW}`));
    assert.match(empty.out, /\n001-first-schema +– +nothing\n/);

    const pool = openPool(url, { size: 2 });
    await migrate(pool);
    const told = await next('migrate', '--dry-run');
    assert.equal(told.code, 0);
    assert.match(told.out, /\n\d{3}-sales-channels +merchants +reads and writes +a moment +AccessExclusiveLock\n/);
    assert.match(
      told.out,
      /-sales-channel-indexes \(online\)(?: .*\n.*)* payments +nothing +a moment: reads 0 bytes +ShareUp/,
    );
    assert.match(told.out, /\n\nNo query would be blocked for more than a second\. Nothing was changed\.\n$/);
    await pool.withClient(async (client) => {
      await client.query('begin; select * from payments');
      const held = await until('a holder that is in the way', async () => {
        const ran = await next('migrate', '--dry-run');
        return ran.code !== 0 && ran;
      });
      assert.equal(held.code, 2);
      assert.match(
        held.out,
        /\nSessions blocking it on payments now: kassa \(pid \d+\), for \d+ s\.\nQueries would be/,
      );
      const { out, code } = await next('migrate', '--dry-run', '--json');
      const { version, migrations, holdsUp } = JSON.parse(out) as Foresight;
      assert.deepEqual([code, version, migrations[0]?.name, holdsUp], [2, NOW, 'sales-channels', true]);
      await client.query('rollback');
    });
    assert.deepEqual(await pool.query('select max(number) as newest from schema_migrations'), [{ newest: NOW }]);
    await pool.query("insert into schema_migrations values (999, 'later', '', 998)");
    await pool.close();
    const newer = await kassaThere('migrate', '--dry-run');
    assert.deepEqual([newer.code, newer.out], [1, '']);
    assert.match(newer.err, /^kassa: The database is at version 999/);
    // What runs on it has nothing to do.
    assert.match((await kassa('migrate', '--dry-run')).out, /; nothing to do\.\n$/);
    const nowhere = await runCommand(['migrate', '--dry-run']);
    assert.deepEqual([nowhere.code, nowhere.out], [1, '']);
  });
});

/** Nor what knows the card again. */
function withoutConsumer({ consumer: _consumer, paymentDetails, ...rest }: Record<string, unknown>): object {
  const { paymentAccountReference: _reference, ...details } = paymentDetails as Record<string, unknown>;
  return { ...rest, paymentDetails: details };
}

/** A clone with nothing in it, not even the table of migrations. */
async function emptyDatabase(): Promise<string> {
  const url = await cloneDatabase();
  const pool = openPool(url, { size: 1 });
  await pool.query('drop schema public cascade');
  await pool.query('create schema public');
  await pool.close();
  return url;
}
