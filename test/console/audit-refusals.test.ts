// Goal: who was refused leaves a record: failed sign-ins, bad links, what a role or a key may not do; so do sign-outs. A
// flood of refusals is a few records, and what a stranger typed is in none. Method: a service of its own, asked as browsers
// and shops do; and the tallies alone, by a clock of the test.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { KASSA } from '../../src/domain/audit.ts';
import { issueKey } from '../../src/merchants/keys.ts';
import { listAudit, NO_MERCHANT } from '../../src/store/audit/audit.ts';
import type { AuditRecord } from '../../src/store/audit/audit.ts';
import { Refusals } from '../../src/store/audit/refusals.ts';
import type { Merchant } from '../../src/domain/merchant.ts';
import { signIn, Visitor } from '../support/console.ts';
import { until } from '../support/kassa.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

const MINUTE_MS = 60_000;

describe('what was refused', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  type Of = Pick<Merchant, 'id' | 'parts'>;
  const recordsOf = async (of: Of, action: string): Promise<AuditRecord[]> =>
    (await listAudit(service.pool, of, { limit: 1_000 })).filter((record) => record.action === action);
  const toldAt = (of: Of, action: string, fits: (record: AuditRecord) => boolean): Promise<AuditRecord> =>
    until(`${action} in the audit`, async () => (await recordsOf(of, action)).find(fits));

  test('failed sign-ins and bad links are told, with the account where there is one and without what was typed', async () => {
    const { merchant } = await service.openShop();
    const { email } = await signIn(service, merchant.id, 'viewer');
    const stranger = new Visitor(service.url);
    const enter = async (name: string): Promise<number> =>
      (await stranger.submit('/console/sign-in', { email: name, password: 'not the right one', code: '000000' }))
        .status;
    assert.equal(await enter(email), 401);
    const known = await toldAt(merchant, 'person.sign-in-refused', () => true);
    assert.deepEqual([known.actor.name, known.after], [email, { method: 'password', reason: 'wrong' }]);
    assert.match(known.actor.address ?? '', /^(?:::ffff:)?127\.0\.0\.1$/);

    assert.equal(await enter('correct horse battery staple'), 401);
    const unknown = await toldAt(
      NO_MERCHANT,
      'person.sign-in-refused',
      ({ after: facts }) => facts?.['method'] === 'password',
    );
    assert.deepEqual([unknown.actor.id, unknown.actor.name], ['unknown', '…']);
    assert.equal((await stranger.ask(`/console/link/${'a'.repeat(43)}`)).status, 404);
    await toldAt(NO_MERCHANT, 'person.sign-in-refused', ({ after: facts }) => facts?.['method'] === 'link');
    const all = JSON.stringify(await listAudit(service.pool, NO_MERCHANT, { limit: 100 }));
    for (const typed of ['horse', 'not the right', 'aaaa']) assert.ok(!all.includes(typed), typed);
  });

  test('a wrong code of somebody who came by a link is told', async () => {
    const { merchant } = await service.openShop();
    const person = await signIn(service, merchant.id, 'viewer');
    assert.equal((await person.submit('/console/prove', { code: '000000' })).status, 401);
    const refused = await toldAt(merchant, 'person.sign-in-refused', () => true);
    assert.deepEqual([refused.actor.name, refused.after], [person.email, { method: 'code', reason: 'wrong' }]);
  });

  test('what a role or a key may not do is told at the merchant, and by its route alone', async () => {
    const { merchant } = await service.openShop();
    const other = await service.openShop();
    const viewer = await signIn(service, merchant.id, 'viewer');
    assert.equal((await viewer.ask(`/console/${merchant.id}/audit?secret=typed`)).status, 404);
    const refused = await toldAt(merchant, 'access.refuse', () => true);
    assert.deepEqual([refused.subject, refused.after], ['GET /console/:merchantId/audit', { reason: 'role' }]);
    assert.equal(refused.actor.name, viewer.email);
    // Those that answer themselves, as they refuse only a part.
    assert.equal((await viewer.submit(`/console/${merchant.id}/sandbox/clock`, { by: '60' })).status, 403);
    await toldAt(merchant, 'access.refuse', ({ subject }) => subject === 'POST /console/:merchantId/sandbox/clock');
    assert.equal((await viewer.ask(`/console/${other.merchant.id}/payments`)).status, 404);
    await toldAt(merchant, 'access.refuse', ({ after: facts }) => facts?.['reason'] === 'elsewhere');

    const live = await service.openShop({ live: true });
    const weak = await signIn(service, live.merchant.id, 'admin', undefined, { isWeak: true });
    assert.equal((await weak.ask(`/console/${live.merchant.id}/keys`)).status, 303);
    assert.equal((await weak.submit(`/console/${live.merchant.id}/keys/create`, { name: 'a key' })).status, 303);
    const act = await toldAt(live.merchant, 'access.refuse', () => true);
    assert.deepEqual(
      [act.subject, act.after],
      ['POST /console/:merchantId/keys/create', { reason: 'second factor' }],
      'a page is only put off',
    );

    const issued = await issueKey(service.pool, KASSA, merchant.id, { scopes: ['read'] });
    const { secret, key } = issued.kind === 'issued' ? issued : assert.fail(issued.kind);
    assert.equal((await service.client(secret).post('/v1/payments', {})).status, 403);
    const byKey = await toldAt(merchant, 'access.refuse', ({ actor }) => actor.kind === 'key');
    assert.deepEqual([byKey.actor.id, byKey.subject], [key.id, 'POST /v1/payments']);
    assert.deepEqual(byKey.after, { scopes: ['money'], reason: 'scope' });
    assert.deepEqual(await recordsOf(other.merchant, 'access.refuse'), []);
  });

  test('a sign-out is told, and what ended nothing is not; so is that a key reads the audit, once', async () => {
    const { merchant } = await service.openShop();
    const person = await signIn(service, merchant.id, 'admin');
    await person.submit('/console/account/sessions/end-others');
    assert.deepEqual(await recordsOf(merchant, 'person.sign-out'), []);
    for (let times = 0; times < 2; times += 1) await person.submit('/console/sign-out');
    const [out, ...more] = await recordsOf(merchant, 'person.sign-out');
    assert.deepEqual([out?.actor.name, out?.after, more], [person.email, undefined, []]);

    const issued = await issueKey(service.pool, KASSA, merchant.id, { scopes: ['audit'] });
    const collector = service.client(issued.kind === 'issued' ? issued.secret : '');
    for (let times = 0; times < 3; times += 1) await collector.get('/v1/audit');
    const read = await toldAt(merchant, 'audit.export', () => true);
    assert.equal(read.actor.kind, 'key');
  });

  test('a flood is a few records: the first of a kind, a count at the end of its period, and what is too much together', async () => {
    const { merchant } = await service.openShop();
    let nowMs = Date.parse('2026-11-15T08:00:00Z');
    const refusals = new Refusals(service.pool, () => nowMs);
    const actor = { kind: 'person', id: 'person_00000000000000aa', name: 'ada@example.test' } as const;
    const refuse = (more: Partial<Parameters<Refusals['note']>[0]> = {}): void =>
      refusals.note({
        actor,
        merchantIds: [merchant.id],
        address: '192.0.2.7',
        network: '192.0.2.7',
        isProved: false,
        action: 'access.refuse',
        after: { reason: 'role' },
        ...more,
      });
    const facts = async () => (await recordsOf(merchant, 'access.refuse')).map(({ after: each }) => each).toReversed();
    refuse();
    await refusals.write();
    for (let times = 0; times < 10_000; times += 1) refuse();
    await refusals.write();
    assert.deepEqual(await facts(), [{ reason: 'role' }]);
    nowMs += 10 * MINUTE_MS;
    await refusals.write();
    const counted = {
      reason: 'role',
      times: 10_000,
      since: '2026-11-15T08:00:00.000Z',
      until: '2026-11-15T08:00:00.000Z',
    };
    assert.deepEqual(await facts(), [{ reason: 'role' }, counted]);
    nowMs += 10 * MINUTE_MS;
    await refusals.write();
    refuse();
    await refusals.write();
    assert.equal((await facts()).length, 3, 'after a quiet period it begins anew');

    const earlier = (await listAudit(service.pool, NO_MERCHANT, { limit: 1_000 })).length;
    for (let network = 0; network < 500; network += 1)
      for (let kind = 0; kind < 30; kind += 1) refuse({ network: `net ${network}`, subject: `GET /${kind}` });
    await refusals.write({ isLast: true });
    const others = await recordsOf(NO_MERCHANT, 'access.refuse');
    assert.deepEqual([others[0]?.actor.id, others[0]?.after?.['reason']], ['others', 'many']);
    assert.equal((await listAudit(service.pool, NO_MERCHANT, { limit: 1_000 })).length - earlier, 1);
    assert.ok((await facts()).length <= 205);
  });
});
