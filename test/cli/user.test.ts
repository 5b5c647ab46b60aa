// `kassa user create|list|link|remove`. Goal: people are let into the console and out of it by commands alone. Method: real
// commands on the database of a running service, whose console tells who is in.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { runCommand } from '../support/commands.ts';
import { Visitor } from '../support/console.ts';
import type { Ran } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

describe('user', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  const kassa = (...args: string[]): Promise<Ran> =>
    runCommand(['user', ...args], { env: { DATABASE_URL: service.databaseUrl, KASSA_PUBLIC_URL: service.url } });

  test('create lets a person in, list shows them, link lets them in again, remove puts them out', async () => {
    const { merchant } = await service.openShop();
    const merchantId = String(merchant.id);
    const email = `ada-${merchantId}@example.test`;
    const made = JSON.parse(
      (await kassa('create', '--email', email, '--merchant', merchantId, '--role', 'operator', '--json')).out,
    ) as Record<string, string>;
    assert.deepEqual(Object.keys(made), ['userId', 'link']);
    assert.ok(made['link']?.startsWith(`${service.url}/console/link/`));

    const listed = JSON.parse((await kassa('list', merchantId, '--json')).out) as unknown;
    assert.deepEqual(listed, [
      { userId: made['userId'], email, merchants: [{ merchantId: merchant.id, role: 'operator' }] },
    ]);

    const again = await kassa('link', email.toUpperCase());
    const visitor = new Visitor(service.url);
    assert.equal((await visitor.ask(made['link'] ?? '')).status, 404, 'the link before is worth nothing any more');
    assert.equal((await visitor.ask(again.out.trim())).status, 200);
    assert.match(again.err, /Signs .* in once, within 3 days/);

    assert.equal((await kassa('remove', email)).code, 0);
    assert.equal((await visitor.ask(again.out.trim())).status, 404);
    assert.deepEqual(JSON.parse((await kassa('list', merchantId, '--json')).out), []);
  });

  test('what is wrong is said in one sentence', async () => {
    const { merchant } = await service.openShop();
    const id = String(merchant.id);
    const refused: Readonly<Record<string, readonly string[]>> = {
      '--email is missing.': ['create', '--role', 'viewer', '--merchant', id],
      '--role is boss; it must be one of viewer, operator, developer, admin.': [
        'create',
        '--email=a@example.test',
        `--merchant=${id}`,
        '--role=boss',
      ],
      '--email is nobody; it must be an e-mail address.': [
        'create',
        '--email=nobody',
        `--merchant=${id}`,
        '--role=viewer',
      ],
      'There is no user who@example.test. kassa user list shows all.': ['link', 'who@example.test'],
    };
    for (const [sentence, args] of Object.entries(refused)) {
      const { code, err } = await kassa(...args);
      assert.equal(code, 1);
      assert.ok(err.includes(sentence), err);
    }
  });
});
