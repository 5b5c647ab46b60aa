// Goal: a sign-in link for somebody who can sign in already gives nobody their name unseen: the person is told, what is
// done by it is marked, and at a live merchant it is no link until a second admin has approved it. Method: requests as
// browsers send them, by several people, also at once, and every way around it that we know.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { KASSA } from '../../src/domain/audit.ts';
import type { Role } from '../../src/domain/role.ts';
import { invitePerson, removeMember } from '../../src/merchants/people.ts';
import { linkPerson } from '../../src/merchants/sign-in-links.ts';
import { signInPerson } from '../../src/merchants/sign-in.ts';
import { listAudit } from '../../src/store/audit/audit.ts';
import { findPerson } from '../../src/store/people/people.ts';
import { newActKey } from '../../src/console/payment/act.ts';
import { signIn, Visitor } from '../support/console.ts';
import { until } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

type Member = Visitor & { readonly email: string; readonly id: string };

describe('a sign-in link for a colleague', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  async function open(live: boolean) {
    const shop = await service.openShop({ live });
    const { merchant } = shop;
    const team = `/console/${merchant.id}/team`;
    const enter = async (role: Role, hasWayIn = true): Promise<Member> => {
      const visitor = await signIn(service, merchant.id, role);
      const { id } = (await findPerson(service.pool, visitor.email)) ?? { id: '' };
      if (hasWayIn)
        await service.pool.query(
          `insert into passkeys (id, person_id, name, public_key, counter, transports)
           values ($1, $2, 'Laptop', '\\x01', 0, '{internal}')`,
          [`passkey-${id}`, id],
        );
      return Object.assign(visitor, { id });
    };
    /** What an admin is shown once, and whether it is a link. */
    const makeLink = async (admin: Visitor, { id }: Member) => {
      const page = await (await admin.act(`${team}/${id}/link`)).text();
      const path = /(\/console\/link\/[\w-]{43})</.exec(page)?.[1] ?? '';
      return { page, path };
    };
    const requestOf = async (admin: Visitor): Promise<string> =>
      /team\/requests\/(request_[0-9a-f]{16})\/refuse/.exec(await (await admin.ask(team)).text())?.[1] ?? '';
    const decide = async (admin: Visitor, id: string, what: 'approve' | 'refuse'): Promise<number> =>
      (await admin.submit(`${team}/requests/${id}/${what}`)).status;
    const actions = async (): Promise<string[]> =>
      (await listAudit(service.pool, merchant, { limit: 50 })).map(({ action }) => action);
    return { shop, merchant, team, enter, makeLink, requestOf, decide, actions };
  }

  const use = async (path: string): Promise<Visitor | number> => {
    const answer = await new Visitor(service.url).post(path);
    const cookie = (answer.headers.getSetCookie()[0] ?? '').replace(/;.*/, '');
    return answer.status === 303 ? new Visitor(service.url, cookie) : answer.status;
  };
  const enterBy = async (path: string): Promise<Visitor> => {
    const used = await use(path);
    if (typeof used === 'number') throw new Error(`not let in: ${used}`);
    return used;
  };

  // decision: account-recovery
  test('is told to the person in each of their sessions, and what is done by it is marked in the audit', async () => {
    const { shop, merchant, enter, makeLink } = await open(false);
    const [admin, ada] = [await enter('admin'), await enter('admin')];
    const paymentId = await shop.client.createReserved(1_000);
    const home = `/console/${merchant.id}`;
    const isTold = async (who: Visitor): Promise<boolean> =>
      (await (await who.ask(`${home}/settings`)).text()).includes(`<strong>${admin.email}</strong> made a link`);
    assert.equal(await isTold(ada), false);
    const { path } = await makeLink(admin, ada);
    const other = await enterBy(path);
    assert.deepEqual([await isTold(ada), await isTold(other)], [true, true]);
    assert.equal((await findPerson(service.pool, ada.id))?.hasWayIn, true, 'what let them in before still does');
    await other.submit('/console/account/recovery-seen');
    assert.deepEqual([await isTold(ada), await isTold(other)], [true, false], 'nobody else closes it for them');
    await other.submit(`${home}/keys/create`, { name: 'By the link', read: 'on', days: '' });
    await other.submit(`${home}/payments/${paymentId}/charge`, { key: newActKey(), mode: 'whole', sure: '1000' });
    await ada.submit(`${home}/keys/create`, { name: 'By themselves', read: 'on', days: '' });
    const marksOf = async () =>
      (await listAudit(service.pool, merchant, { limit: 30, actorId: ada.id })).map(({ action, after: is = {} }) => {
        const { name = '', recoveryBy = 'none' } = is as { readonly name?: string; readonly recoveryBy?: string };
        return `${action} ${name} ${recoveryBy}`;
      });
    const marks = await until('the record of the charge', async () => {
      const all = await marksOf();
      return all.some((each) => each.startsWith('payment.charge')) ? all : undefined;
    });
    assert.ok(marks.includes(`key.create By the link ${admin.email}`), marks.join('; '));
    assert.ok(marks.includes(`payment.charge  ${admin.email}`), marks.join('; '));
    assert.ok(marks.includes(`person.sign-in  ${admin.email}`), marks.join('; '));
    assert.ok(marks.includes('key.create By themselves none'), marks.join('; '));
    assert.match(await (await admin.ask(`${home}/audit`)).text(), /Recovery link by/);
  });

  test('of somebody who was just invited is what it was: nobody is told, and nothing is marked', async () => {
    const { merchant, enter, makeLink, actions } = await open(true);
    const [admin, ada] = [await enter('admin'), await enter('viewer', false)];
    const { path } = await makeLink(admin, ada);
    await enterBy(path);
    assert.equal((await findPerson(service.pool, ada.id))?.recovery, undefined);
    assert.ok(!(await actions()).includes('person.link-ask'));
    const all = await listAudit(service.pool, merchant, { limit: 30 });
    assert.ok(all.every(({ after: is }) => is?.['recoveryBy'] === undefined && is?.['recovery'] === undefined));
  });

  test('of an invitation ends with the first sign-in by the company, and one made later is account recovery', async () => {
    const { enter, makeLink, requestOf } = await open(true);
    const [admin, ada, other] = [await enter('admin'), await enter('viewer', false), await enter('admin')];
    const { path } = await makeLink(admin, ada);
    const coming = { personId: ada.id, method: 'oidc', isProved: true, take: async () => true } as const;
    assert.ok(await signInPerson(service.pool, coming, { address: '127.0.0.1', agent: 'a browser' }));
    assert.equal(await use(path), 404);
    const later = await makeLink(admin, ada);
    assert.equal(await use(later.path), 404);
    assert.match(await requestOf(other), /^request_/);
  });

  // decision: account-recovery
  test('is none at a live merchant until another admin approves it, who is not the one that it is for', async () => {
    const { merchant, team, enter, makeLink, requestOf, decide, actions } = await open(true);
    const [asker, ada, approver, operator] = [
      await enter('admin'),
      await enter('admin'),
      await enter('admin'),
      await enter('operator'),
    ];
    const { page, path } = await makeLink(asker, ada);
    assert.match(page, /another admin has to approve this link/);
    const waiting = await new Visitor(service.url).ask(path);
    assert.deepEqual([waiting.status, /not approved yet/.test(await waiting.text())], [403, true]);
    assert.equal(await use(path), 404);
    const id = await requestOf(approver);
    for (const who of [asker, ada]) {
      assert.doesNotMatch(await (await who.ask(team)).text(), /\/approve"/);
      assert.equal(await decide(who, id, 'approve'), 409);
    }
    assert.equal(await decide(operator, id, 'approve'), 404);
    const stranger = await open(true);
    assert.equal(await stranger.decide(await stranger.enter('admin'), id, 'approve'), 404, 'nor at another merchant');
    assert.equal(await use(path), 404);
    const both = await Promise.all([decide(approver, id, 'approve'), decide(approver, id, 'approve')]);
    assert.deepEqual(
      both.toSorted((a, b) => a - b),
      [303, 404],
      'of two at once one does',
    );
    const session = await enterBy(path);
    assert.equal(
      (await session.ask(`/console/${merchant.id}/payments`)).headers.get('location')?.split('?')[0],
      '/console/second-factor',
    );
    const by = `${asker.email}, ${approver.email}`;
    assert.equal((await findPerson(service.pool, ada.id))?.recovery?.by, by);
    const [signedIn] = await listAudit(service.pool, merchant, { limit: 1, action: 'person.sign-in' });
    assert.equal(signedIn?.after?.['recoveryBy'], by);
    const told = (await actions()).filter((action) => action.startsWith('person.link'));
    assert.deepEqual(told, ['person.link-approve', 'person.link-ask']);
  });

  test('that was refused, replaced or asked for by who is no admin any more cannot be approved', async () => {
    const { merchant, enter, makeLink, requestOf, decide } = await open(true);
    const [asker, ada, approver] = [await enter('admin'), await enter('operator'), await enter('admin')];
    const first = await makeLink(asker, ada);
    const refused = await requestOf(approver);
    assert.equal(await decide(asker, refused, 'refuse'), 303, 'the one who asked may give it up');
    assert.equal(await decide(approver, refused, 'approve'), 404);
    await makeLink(asker, ada);
    const replaced = await requestOf(approver);
    const last = await makeLink(asker, ada);
    assert.equal(await decide(approver, replaced, 'approve'), 404, 'what was looked at is not what would be approved');
    const current = await requestOf(approver);
    const set = (role: string) =>
      service.pool.query('update memberships set role = $3 where person_id = $1 and merchant_id = $2', [
        asker.id,
        merchant.id,
        role,
      ]);
    await set('operator');
    assert.equal(await decide(approver, current, 'approve'), 404);
    await set('admin');
    const elsewhere = await service.openShop();
    await service.pool.query(`insert into memberships (person_id, merchant_id, role) values ($1, $2, 'viewer')`, [
      ada.id,
      elsewhere.merchant.id,
    ]);
    assert.equal(await decide(approver, current, 'approve'), 404, 'who belongs elsewhere meanwhile');
    await service.pool.query('delete from memberships where person_id = $1 and merchant_id = $2', [
      ada.id,
      elsewhere.merchant.id,
    ]);
    await service.pool.query(`update link_requests set expires_at = now() where id = $1`, [current]);
    assert.equal(await decide(approver, current, 'approve'), 404, 'and after its time');
    for (const { path } of [first, last]) assert.equal(await use(path), 404);
  });

  test('is not got round: not by the only admin, a link of before, a second invitation, or another merchant', async () => {
    const { merchant, team, enter, makeLink, requestOf, decide } = await open(true);
    const [admin, ada] = [await enter('admin'), await enter('operator')];
    const alone = await admin.submit(`${team}/${ada.id}/link`);
    assert.deepEqual([alone.status, /kassa user link/.test(await alone.text())], [409, true]);
    const byCommand = await linkPerson(service.pool, KASSA, ada.email);
    assert.equal(byCommand.kind, 'linked');
    const second = await enter('admin');
    // Taken away and invited again: their name, and not their consent.
    await removeMember(service.pool, KASSA, merchant.id, ada.id);
    const invited = await admin.act(`${team}/invite`, { email: ada.email, role: 'operator' });
    const text = await invited.text();
    assert.match(text, /another admin has to approve this link/);
    const path = /(\/console\/link\/[\w-]{43})</.exec(text)?.[1] ?? '';
    assert.equal(await use(path), 404);
    assert.equal(await decide(second, await requestOf(second), 'approve'), 303);
    await enterBy(path);
    // An admin of a test merchant makes none for somebody of a live one.
    const sandbox = await open(false);
    const tester = await sandbox.enter('admin');
    await service.pool.query(`insert into memberships (person_id, merchant_id, role) values ($1, $2, 'viewer')`, [
      second.id,
      sandbox.merchant.id,
    ]);
    assert.equal((await tester.submit(`${sandbox.team}/${second.id}/link`)).status, 409);
    assert.equal((await admin.submit(`${team}/${second.id}/link`)).status, 409);
    // Nor does a link of a test merchant last into a live one.
    const bo = await sandbox.enter('viewer');
    const link = await sandbox.makeLink(tester, bo);
    await invitePerson(service.pool, KASSA, { email: bo.email, merchantId: merchant.id, role: 'admin' });
    assert.equal(await use(link.path), 404);
    assert.equal((await makeLink(admin, bo)).path, '');
  });

  test('approves no other: not in the session that it began', async () => {
    const { enter, makeLink, requestOf, decide } = await open(true);
    const [asker, ada, helper, bo] = [
      await enter('admin'),
      await enter('admin'),
      await enter('admin'),
      await enter('operator'),
    ];
    const { path } = await makeLink(asker, ada);
    assert.equal(await decide(helper, await requestOf(helper), 'approve'), 303);
    const inHerName = await enterBy(path);
    await service.pool.query('update sessions set is_strong = true where person_id = $1', [ada.id]);
    await makeLink(asker, bo);
    const id = await requestOf(helper);
    assert.equal(await decide(inHerName, id, 'approve'), 409);
    assert.equal(await decide(ada, id, 'approve'), 303, 'but she does');
  });
});
