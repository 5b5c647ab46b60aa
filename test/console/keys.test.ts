// Goal: a key is good for its scopes and until its end, on every route of the API; developers make and revoke keys in the
// console, and nobody else does. Method: every operation by keys with one scope each; pages by every role.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newActKey } from '../../src/console/payment/act.ts';
import { ROLES } from '../../src/domain/role.ts';
import { SCOPES } from '../../src/domain/scope.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { documentOf } from '../../src/api/openapi/complete.ts';
import { OPERATIONS } from '../../src/api/operations.ts';
import { listAudit } from '../../src/store/audit/audit.ts';
import { KeyUses } from '../../src/store/merchants/key-uses.ts';
import { disableMerchant } from '../../src/merchants/merchants.ts';
import { createKey, listKeys } from '../../src/store/merchants/keys.ts';
import { DIALECTS, expectFailure } from '../support/answers.ts';
import { signIn } from '../support/console.ts';
import type { Visitor } from '../support/console.ts';
import { until } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const { paths } = documentOf('http://localhost:8080');
const DESCRIBED = new Map(
  Object.values(paths).flatMap((methods) => Object.values(methods).map((one) => [one.operationId, one] as const)),
);

const ALL = { read: 'on', money: 'on', webhooks: 'on', days: '' };

describe('keys', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  // decision: scopes-and-expiry-of-keys
  test('every operation has a scope, and says so', () => {
    assert.ok(OPERATIONS.length > 50);
    for (const { operationId, route, scope } of OPERATIONS) {
      assert.equal(scope === 'read' || scope === 'audit', route.startsWith('GET '), operationId);
      assert.ok('403' in (DESCRIBED.get(operationId)?.responses ?? {}), operationId);
    }
  });

  for (const dialect of DIALECTS)
    // decision: scopes-and-expiry-of-keys
    test(`a key without the scope is 403 on every operation, before its body is looked at, in ${dialect}`, async () => {
      const { merchant } = await service.openShop({ dialect });
      const keyWith = async (scopes: readonly Scope[]) =>
        service.client((await createKey(service.pool, merchant, undefined, { scopes })).secret);
      const others = Object.fromEntries(
        await Promise.all(
          SCOPES.map(async (scope) => [scope, await keyWith(SCOPES.filter((each) => each !== scope))] as const),
        ),
      );
      for (const { route, scope } of OPERATIONS) {
        const [method, path] = route.replaceAll(/:\w+/g, '0'.repeat(32)).split(' ') as [string, string];
        const message = `This key has not the scope ${scope}, which this operation asks for; use another key, or make one with it.`;
        const body = method === 'GET' || method === 'DELETE' ? undefined : '{';
        const asking = others[scope] ?? assert.fail(scope);
        expectFailure(await asking.send(method, path, body), { status: 403, code: '1000', message });
      }
      const [reading, writing] = [await keyWith(['read']), await keyWith(['money', 'webhooks'])];
      assert.equal((await reading.get('/v1/webhooks')).status, 200);
      assert.equal((await writing.post('/v1/payments', {})).status, 400);
      assert.equal((await writing.send('DELETE', `/v1/webhooks/${'0'.repeat(32)}`)).status, 404);
    });

  // decision: scopes-and-expiry-of-keys
  test('a key that has expired is nobody’s, by the database’s clock', async () => {
    const { merchant } = await service.openShop();
    const { key, secret } = await createKey(service.pool, merchant, undefined, { expires: { afterDays: 1 } });
    const status = async (): Promise<number> => (await service.client(secret).get('/v1/webhooks')).status;
    assert.equal(await status(), 200);
    await service.pool.query('update secret_keys set expires_at = now() where id = $1', [key.id]);
    await until('it to be refused', async () => (await status()) === 401);
    const listed = (await listKeys(service.pool, merchant.id)).find(({ id }) => id === key.id);
    assert.equal(listed?.isExpired, true);
  });

  test('when a key was last used is noted, and what is not used is not', async () => {
    const { merchant } = await service.openShop();
    const { key } = await createKey(service.pool, merchant);
    const uses = new KeyUses(service.pool);
    for (let times = 0; times < 3; times += 1) uses.note(key.id);
    await uses.write();
    const [other, used] = await listKeys(service.pool, merchant.id);
    assert.equal(other?.lastUsedAt, undefined);
    assert.notEqual(used?.lastUsedAt, undefined);
    await service.pool.query('update secret_keys set last_used_at = null where id = $1', [key.id]);
    await uses.write();
    assert.equal((await listKeys(service.pool, merchant.id))[1]?.lastUsedAt, undefined, 'written once');
  });

  test('who moves no money makes no key that does, whatever is sent', async () => {
    const { merchant } = await service.openShop();
    const developer = await signIn(service, merchant.id, 'developer');
    const keys = `/console/${merchant.id}/keys`;
    assert.doesNotMatch(await (await developer.ask(keys)).text(), /name="money"/);
    for (const scopes of [{ money: 'on' }, { read: 'on', money: 'on', webhooks: 'on' }]) {
      const refused = await developer.submit(`${keys}/create`, { name: 'Mine', days: '', ...scopes });
      assert.equal(refused.status, 403);
      assert.doesNotMatch(await refused.text(), /test-secret-key-[0-9a-f]{32}/);
    }
    const admin = await signIn(service, merchant.id, 'admin');
    const made = await admin.act(`${keys}/create`, { name: 'Shop', days: '', money: 'on' });
    assert.match(await made.text(), /test-secret-key-[0-9a-f]{32}/);
  });

  test('for a disabled merchant people may look, and do nothing', async () => {
    const { client, merchant } = await service.openShop();
    const paymentId = await client.createReserved(1_000);
    const admin = await signIn(service, merchant.id, 'admin');
    await disableMerchant(service.pool, { kind: 'cli', id: 'root@here', name: 'root@here' }, merchant.id);
    assert.equal((await admin.ask(`/console/${merchant.id}/payments/${paymentId}`)).status, 200);
    const sure = { key: newActKey(), mode: 'whole', sure: '1000' };
    const charge = await admin.submit(`/console/${merchant.id}/payments/${paymentId}/charge`, sure);
    assert.equal(charge.status, 403);
    const requests = await admin.ask(`/console/api/${merchant.id}/requests`);
    assert.deepEqual([requests.status, await requests.json()], [403, { message: 'This merchant is disabled.' }]);
    const key = await admin.submit(`/console/${merchant.id}/keys/create`, { name: 'New', days: '', read: 'on' });
    assert.equal(key.status, 404);
  });

  test('the page that a form leads to tells the secret to that session, on that page, within a minute, once', async () => {
    const { merchant } = await service.openShop();
    const [admin, other] = [await signIn(service, merchant.id, 'admin'), await signIn(service, merchant.id, 'admin')];
    const keys = `/console/${merchant.id}/keys`;
    const create = async (name: string) => {
      const answer = await admin.submit(`${keys}/create`, { ...ALL, name });
      assert.equal(answer.status, 303);
      const [cookie = ''] = answer.headers.getSetCookie();
      assert.match(cookie, /^kassa-told-[0-9a-f]{12}=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=60$/);
      assert.doesNotMatch(Buffer.from(cookie.replace(/^[^=]*=|;.*/g, ''), 'base64url').toString(), /secret-key/);
      return { to: answer.headers.get('location') ?? '', told: cookie.replace(/;.*/, '') };
    };
    const look = (who: Visitor, path: string, ...told: string[]): Promise<Response> =>
      who.ask(path, { more: { cookie: [who.cookie, ...told].join('; ') } });
    const tells = async (answer: Promise<Response>): Promise<boolean> =>
      /test-secret-key-[0-9a-f]{32}/.test(await (await answer).text());
    const [one, two] = [await create('One'), await create('Two')];
    assert.equal(await tells(look(other, one.to, one.told)), false, 'to another session');
    assert.equal(await tells(look(admin, one.to.replace('/keys', '/team'), one.told)), false, 'on another page');
    const changed = one.told.replace(/=(.)/, (_all, first: string) => (first === 'A' ? '=B' : '=A'));
    assert.equal(await tells(look(admin, one.to, changed)), false, 'changed');
    assert.equal(await tells(look(admin, one.to, one.told.replace(/=.*/, '=AAAA'))), false, 'cut');
    assert.equal(await tells(look(admin, one.to, two.told)), false, 'of another tab');
    const shown = await look(admin, one.to, two.told, one.told);
    const name = one.told.replace(/=.*/, '');
    assert.deepEqual(shown.headers.getSetCookie(), [`${name}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`]);
    assert.equal(await tells(Promise.resolve(shown)), true);
    assert.equal(await tells(look(admin, two.to, two.told)), true, 'each tab has its own');
    assert.equal(await tells(look(admin, two.to)), false, 'a reload');
    assert.equal((await listKeys(service.pool, merchant.id)).length, 3);
  });

  test('an address of a form that is opened leads to its page', async () => {
    const { merchant } = await service.openShop();
    const admin = await signIn(service, merchant.id, 'admin');
    const home = `/console/${merchant.id}`;
    for (const [form, page] of [
      [`${home}/keys/create`, `${home}/keys`],
      [`${home}/keys/key_1/revoke`, `${home}/keys`],
      [`${home}/webhooks/create?a=b`, `${home}/webhooks`],
      [`${home}/webhooks/${'0'.repeat(32)}/rotate`, `${home}/webhooks/${'0'.repeat(32)}`],
      [`${home}/team/invite`, `${home}/team`],
      [`${home}/settings/change`, `${home}/settings`],
      [`${home}/sandbox/clock`, `${home}/sandbox`],
      ['/console/account/passkeys/remove', '/console/account'],
    ] as const) {
      const answer = await admin.ask(form, { more: { accept: 'text/html' } });
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, page], form);
    }
    assert.equal((await admin.ask(`${home}/keys/create`)).status, 405, 'a program is told');
    assert.equal((await admin.ask('/console/api/passkeys/add', { more: { accept: 'text/html' } })).status, 405);
  });

  test('a developer makes a key, which is shown once and works, and revokes it', async () => {
    const { merchant } = await service.openShop();
    const developer = await signIn(service, merchant.id, 'developer');
    const keys = `/console/${merchant.id}/keys`;
    const fields = { name: 'Reports <b>', read: 'on', days: '30' };
    const page = await (await developer.act(`${keys}/create`, fields)).text();
    const [secret = ''] = /test-secret-key-[0-9a-f]{32}/.exec(page) ?? assert.fail('no key');
    assert.ok(page.includes('Reports &lt;b&gt;') && !page.includes('Reports <b>'));
    assert.equal((await service.client(secret).get('/v1/webhooks')).status, 200);
    assert.equal((await service.client(secret).post('/v1/payments', {})).status, 403);
    assert.ok(!(await (await developer.ask(keys)).text()).includes(secret));
    const made = (await listKeys(service.pool, merchant.id))[1];
    assert.deepEqual([made?.name, made?.scopes], ['Reports <b>', ['read']]);
    assert.equal((await developer.submit(`${keys}/${made?.id}/revoke`)).status, 303);
    assert.equal((await service.client(secret).get('/v1/webhooks')).status, 401);
    // The refusal is written a little later.
    const records = (await listAudit(service.pool, merchant, { limit: 3 })).filter(({ action }) =>
      action.startsWith('key.'),
    );
    assert.deepEqual(
      records.map(({ action, actor }) => [action, actor.name]),
      [
        ['key.revoke', developer.email],
        ['key.create', developer.email],
      ],
    );
    for (const bad of [
      { name: ' ', read: 'on', days: '' },
      { name: 'x', days: '' },
      { name: 'x', read: 'on', days: '5' },
    ])
      assert.equal((await developer.submit(`${keys}/create`, bad)).status, 400);
  });

  test('nobody else: neither without the right, nor of another merchant, nor without a proof', async () => {
    const [{ merchant }, other] = [await service.openShop(), await service.openShop()];
    const keys = `/console/${merchant.id}/keys`;
    const [key] = await listKeys(service.pool, merchant.id);
    const stranger = await signIn(service, other.merchant.id, 'admin');
    const visitors = await Promise.all(
      ROLES.map(async (role) => [role, await signIn(service, merchant.id, role)] as const),
    );
    for (const [role, visitor] of [...visitors, ['stranger', stranger] as const]) {
      if (role === 'developer' || role === 'admin') continue;
      assert.equal((await visitor.ask(keys)).status, 404, role);
      assert.equal((await visitor.submit(`${keys}/create`, { ...ALL, name: 'x' })).status, 404, role);
      assert.equal((await visitor.submit(`${keys}/${key?.id}/revoke`)).status, 404, role);
    }
    const own = `/console/${other.merchant.id}/keys`;
    assert.equal((await stranger.submit(`${own}/${key?.id}/revoke`)).status, 404, 'a key of another merchant');
    const developer = await signIn(service, merchant.id, 'developer');
    await service.pool.query(
      `update sessions set proved_at = now() - interval '1 hour' where person_id = (select id from people where email = $1)`,
      [developer.email],
    );
    assert.match(
      (await developer.submit(`${keys}/create`, { ...ALL, name: 'x' })).headers.get('location') ?? '',
      /\/console\/prove/,
    );
    const left = await listKeys(service.pool, merchant.id);
    assert.deepEqual([left.length, left[0]?.revokedAt], [1, undefined]);
  });
});
