// `kassa clock`. Goal: whoever runs the service moves a test merchant's clock from a terminal, and the running service
// goes by it when the command has ended. Method: real commands on the database of a running service.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { timeOf } from '../../src/domain/id.ts';
import { runCommand } from '../support/commands.ts';
import type { Ran } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const DAY_MS = 86_400_000;
const NEAR_MS = 60_000;

describe('clock', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  const kassa = (...args: string[]): Promise<Ran> => runCommand(args, { env: { DATABASE_URL: service.databaseUrl } });
  const isNear = (ms: number, expected: number): boolean => Math.abs(ms - expected) < NEAR_MS;

  test('shows it, moves it by a duration and to a time; the service goes by it at once', async () => {
    const { merchant, client } = await service.openShop();
    await client.create();
    const of = ['--merchant', String(merchant.id)];
    const shown = await kassa('clock', ...of);
    assert.equal(shown.code, 0);
    assert.ok(isNear(Date.parse(shown.out.trim()), Date.now()), shown.out);
    assert.equal(shown.err, 'This is the real time.\n');
    const moved = await kassa('clock', 'advance', '3d', ...of);
    assert.ok(isNear(Date.parse(moved.out.trim()), Date.now() + 3 * DAY_MS), moved.out);
    assert.equal(moved.err, 'This is 259200 s ahead of real time.\n');
    assert.ok(isNear(timeOf(await client.create()), Date.now() + 3 * DAY_MS));
    const to = new Date(Date.now() + 30 * DAY_MS).toISOString();
    const json = JSON.parse((await kassa('clock', 'to', to, '--json', ...of)).out) as Record<string, unknown>;
    assert.deepEqual(Object.keys(json), ['merchantId', 'time', 'aheadSeconds', 'latest']);
    assert.ok(isNear(timeOf(await client.create()), Date.parse(to)));
    const acts = await service.pool.query<{ kind: string }>(
      'select actor_kind as kind from audit_records where merchant_id = $1',
      [merchant.id],
    );
    assert.deepEqual(
      acts.map(({ kind }) => kind),
      ['cli', 'cli'],
    );
  });

  test('what cannot be is told, and nothing is moved', async () => {
    const [{ merchant }, { merchant: live }] = [await service.openShop(), await service.openShop({ live: true })];
    const of = ['--merchant', String(merchant.id)];
    const cases: readonly [string[], RegExp][] = [
      [['advance', '3', ...of], /^kassa: DURATION is 3; it must be a duration such as 90s, 30m, 12h or 3d\.\n$/],
      [['advance', ...of], /^kassa: DURATION is missing;/],
      [['advance', '0d', ...of], /^kassa: DURATION is 0d;/],
      [['to', 'tomorrow', ...of], /^kassa: TIME is tomorrow; it must be a date or a time/],
      [['to', '2020-01-01', ...of], /^kassa: The clock shows .*Z already, and it cannot be moved back\.\n$/],
      [['advance', '731d', ...of], /^kassa: The clock can be moved to .*Z at most, two years ahead of real time\.\n$/],
      [['back', '1d', ...of], /^kassa: Unknown action back; it must be show, advance or to\.\n$/],
      [['show', '1d', ...of], /^kassa: Unexpected argument 1d/],
      [
        ['advance', '1d', '--merchant', String(live.id)],
        /^kassa: Merchant \d{9} is live: only test merchants have a clock/,
      ],
      [['--merchant', String(live.id)], /^kassa: Merchant \d{9} is live: only test merchants have a clock/],
    ];
    for (const [args, expected] of cases) {
      const { code, out, err } = await kassa('clock', ...args);
      assert.deepEqual([code, out], [1, ''], args.join(' '));
      assert.match(err, expected, args.join(' '));
    }
    const { out } = await kassa('clock', '--json', ...of);
    assert.equal((JSON.parse(out) as { aheadSeconds: number }).aheadSeconds, 0);
  });
});
