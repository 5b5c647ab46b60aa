// Goal: admins look after the people of their own merchant, and nobody else does; the last admin stays; no link lets an
// admin of one merchant into another. Method: requests as browsers send them, by every role and by a stranger's admin.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ROLES } from '../../src/domain/role.ts';
import { invitePerson } from '../../src/merchants/people.ts';
import { listAudit } from '../../src/store/audit/audit.ts';
import { findPerson, holdPerson, listPeople } from '../../src/store/people/people.ts';
import { withinTransaction } from '../../src/store/connections/transaction.ts';
import { setPassword, signIn, Visitor } from '../support/console.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';
import { whenSomebodyWaits } from '../support/somebody-waits.ts';

const A_COMMAND = { kind: 'cli', id: 'root@here', name: 'root@here' } as const;
const LINK = /http[^\s"<]*\/console\/link\/[\w-]{43}/;

describe('the team', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  let made = 0;
  const newEmail = (): string => `team-${process.pid}-${(made += 1)}@example.test`;
  const idOf = async (email: string): Promise<string> => (await findPerson(service.pool, email))?.id ?? '';
  const shop = async () => {
    const { merchant } = await service.openShop();
    const admin = await signIn(service, merchant.id, 'admin');
    return { merchant, admin, team: `/console/${merchant.id}/team` };
  };

  test('an invitation gives a link once, which lets in with the role; roles change; who is removed is out', async () => {
    const { merchant, admin, team } = await shop();
    const email = newEmail();
    const invited = await (await admin.act(`${team}/invite`, { email, role: 'operator' })).text();
    const [link = ''] = LINK.exec(invited) ?? assert.fail('no link');
    assert.doesNotMatch(await (await admin.ask(team)).text(), LINK);
    const bob = new Visitor(service.url);
    const answer = await bob.post(new URL(link).pathname);
    bob.cookie = (answer.headers.getSetCookie()[0] ?? '').replace(/;.*/, '');
    assert.equal((await bob.ask(`/console/${merchant.id}/payments`)).status, 200);
    assert.equal((await bob.ask(team)).status, 404);
    const id = await idOf(email);
    assert.equal((await admin.submit(`${team}/${id}/role`, { role: 'admin' })).status, 303);
    assert.equal((await bob.ask(team)).status, 200);
    const again = await (await admin.act(`${team}/${id}/link`)).text();
    assert.match(again, LINK);
    assert.equal((await admin.submit(`${team}/${id}/remove`)).status, 303);
    assert.equal((await bob.ask(team)).status, 303);
    // What was refused meanwhile is told of within seconds, wherever that comes between.
    const told = await listAudit(service.pool, merchant, { limit: 6 });
    const records = told.filter(({ action }) => action !== 'access.refuse').slice(0, 5);
    const actions = records.map(({ action, actor }) => [action, actor.name, actor.kind]);
    const by = [admin.email, 'person'];
    assert.deepEqual(actions, [
      ['person.remove', ...by],
      ['person.link', ...by],
      ['person.role', ...by],
      ['person.sign-in', email, 'person'],
      ['person.invite', ...by],
    ]);
    assert.ok(!JSON.stringify(records).includes(link.slice(-43)));
  });

  test('the last admin stays, also when two leave at once', async () => {
    const { merchant, admin, team } = await shop();
    const own = await idOf(admin.email);
    const role = await admin.submit(`${team}/${own}/role`, { role: 'viewer' });
    assert.deepEqual([role.status, (await role.text()).includes('last admin')], [409, true]);
    assert.equal((await admin.submit(`${team}/${own}/remove`)).status, 409);
    const second = await signIn(service, merchant.id, 'admin');
    const statuses = await Promise.all([
      admin.submit(`${team}/${own}/remove`).then(({ status }) => status),
      second.submit(`${team}/${await idOf(second.email)}/remove`).then(({ status }) => status),
    ]);
    assert.deepEqual(statuses.toSorted(), [303, 409]);
    const left = await listPeople(service.pool, merchant.id);
    assert.equal(left.length, 1);
  });

  test('who is known here already is let in by whoever runs Kassa alone, and only with a new link', async () => {
    const [here, there] = [await shop(), await shop()];
    const email = newEmail();
    const invited = await (await there.admin.act(`${there.team}/invite`, { email, role: 'admin' })).text();
    const [link = ''] = LINK.exec(invited) ?? assert.fail('no link');
    // The admin who got the link keeps a way in: that opens no other door later.
    const kept = new Visitor(service.url);
    const [cookie = ''] = (await kept.post(new URL(link).pathname)).headers.getSetCookie();
    kept.cookie = cookie.replace(/;.*/, '');
    assert.equal((await kept.ask(there.team)).status, 200);

    const refused = await here.admin.submit(`${here.team}/invite`, { email, role: 'viewer' });
    const page = await refused.text();
    assert.deepEqual([refused.status, LINK.test(page)], [409, false]);
    assert.match(page, /has an account here already/);
    assert.equal((await kept.ask(there.team)).status, 200, 'nothing has changed');

    const joined = await invitePerson(service.pool, A_COMMAND, { email, merchantId: here.merchant.id, role: 'viewer' });
    assert.equal(joined.kind, 'invited');
    assert.equal((await kept.ask(`/console/${here.merchant.id}/payments`)).status, 303, 'signed out everywhere');
    const id = await idOf(email);
    for (const { admin, team } of [here, there]) {
      const answer = await admin.submit(`${team}/${id}/link`);
      assert.deepEqual([answer.status, LINK.test(await answer.text())], [409, false]);
    }
  });

  test('an invitation or a link waits for who is letting the same person in elsewhere, and is refused then', async () => {
    const [here, there] = [await shop(), await shop()];
    const [known, fresh] = [newEmail(), newEmail()];
    await here.admin.submit(`${here.team}/invite`, { email: known, role: 'viewer' });
    const id = await idOf(known);
    for (const [email, ask] of [
      [known, () => here.admin.submit(`${here.team}/${id}/link`)],
      [fresh, () => here.admin.submit(`${here.team}/invite`, { email: fresh, role: 'viewer' })],
    ] as const) {
      let asked: Promise<Response> | undefined;
      await withinTransaction(service.pool, async (within) => {
        await invitePerson(within, A_COMMAND, { email, merchantId: there.merchant.id, role: 'admin' });
        asked = ask();
        // As long as it takes until the other is waiting, or was not: then it has answered already.
        await Promise.race([asked, whenSomebodyWaits(within)]);
      });
      const answer = await asked;
      assert.deepEqual([answer?.status, LINK.test((await answer?.text()) ?? '')], [409, false], email);
    }
  });

  test('a link that is used while its person is let in elsewhere lets nobody in', async () => {
    const [here, there] = [await shop(), await shop()];
    const email = newEmail();
    const invited = await (await here.admin.act(`${here.team}/invite`, { email, role: 'viewer' })).text();
    const [link = ''] = LINK.exec(invited) ?? assert.fail('no link');
    let used: Promise<Response> | undefined;
    await withinTransaction(service.pool, async (within) => {
      await holdPerson(within, email);
      used = new Visitor(service.url).post(new URL(link).pathname);
      await Promise.race([used, whenSomebodyWaits(within)]);
      await invitePerson(within, A_COMMAND, { email, merchantId: there.merchant.id, role: 'admin' });
    });
    const answer = await used;
    assert.deepEqual([answer?.status, answer?.headers.getSetCookie()], [404, []]);
    const left = await service.pool.query('select 1 from sessions where person_id = $1', [await idOf(email)]);
    assert.deepEqual(left, []);
  });

  test('who is removed from the last merchant is out of all, and any admin can invite them again, by a new link alone', async () => {
    const [here, there] = [await shop(), await shop()];
    const person = await signIn(service, here.merchant.id, 'viewer');
    const { email } = person;
    await setPassword(service, person);
    const id = await idOf(email);
    const [link = ''] = LINK.exec(await (await here.admin.act(`${here.team}/${id}/link`)).text()) ?? assert.fail();
    assert.equal((await here.admin.submit(`${here.team}/${id}/remove`)).status, 303);
    assert.equal((await person.ask('/console/account')).status, 303, 'the session is over');
    assert.equal(
      (await new Visitor(service.url).post(new URL(link).pathname)).status,
      404,
      'the link is worth nothing',
    );
    const [gone] = await listAudit(service.pool, here.merchant, { limit: 1 });
    assert.deepEqual([gone?.action, gone?.after], ['person.remove', { signedOutEverywhere: true }]);
    const invited = await there.admin.act(`${there.team}/invite`, { email, role: 'viewer' });
    assert.deepEqual([invited.status, LINK.test(await invited.text())], [200, true]);
    const again = await findPerson(service.pool, email);
    assert.deepEqual([again?.id, again?.hasWayIn], [id, false], 'what let them in before is gone');
  });

  test('what cannot be taken is said, and what was typed stays', async () => {
    const { admin, team } = await shop();
    const bad = await admin.submit(`${team}/invite`, { email: '"><b>x', role: 'viewer' });
    const text = await bad.text();
    assert.equal(bad.status, 400);
    assert.ok(text.includes('&quot;&gt;&lt;b&gt;x') && !text.includes('<b>x'));
    assert.equal((await admin.submit(`${team}/invite`, { email: newEmail(), role: 'boss' })).status, 400);
    assert.equal((await admin.submit(`${team}/invite`, { email: admin.email, role: 'viewer' })).status, 409);
    assert.equal((await admin.submit(`${team}/person_0000000000000000/remove`)).status, 404);
  });

  test('nobody but an admin of this merchant, by whatever address', async () => {
    const { merchant, admin, team } = await shop();
    const other = await shop();
    const visitors = [other.admin, ...(await Promise.all(ROLES.map((role) => signIn(service, merchant.id, role))))];
    const forbidden = visitors.filter((_, index) => ROLES[index - 1] !== 'admin');
    assert.equal(forbidden.length, 4);
    const id = await idOf(admin.email);
    const there = await listPeople(service.pool, merchant.id);
    for (const visitor of forbidden) {
      for (const path of [team, `/console/${merchant.id}/audit`]) assert.equal((await visitor.ask(path)).status, 404);
      const acts = [
        [`${team}/invite`, { email: newEmail(), role: 'admin' }],
        [`${team}/${id}/role`, { role: 'viewer' }],
        [`${team}/${id}/link`, {}],
        [`${team}/${id}/remove`, {}],
      ] as const;
      for (const [path, fields] of acts) assert.equal((await visitor.submit(path, fields)).status, 404, path);
    }
    // Nor does an admin reach people of another merchant by their ids.
    const stranger = await idOf(other.admin.email);
    for (const [path, fields] of [
      ['role', { role: 'viewer' }],
      ['link', {}],
      ['remove', {}],
    ] as const)
      assert.equal((await admin.submit(`${team}/${stranger}/${path}`, fields)).status, 404);
    assert.deepEqual(await listPeople(service.pool, merchant.id), there);
  });

  test('whoever has not proved for long is led to do so, and nothing happens', async () => {
    const { merchant, admin, team } = await shop();
    await service.pool.query(`update sessions set proved_at = now() - interval '1 hour' where person_id = $1`, [
      await idOf(admin.email),
    ]);
    const answer = await admin.submit(`${team}/invite`, { email: newEmail(), role: 'viewer' });
    const location = answer.headers.get('location') ?? '';
    const [asked, form] = location.split('&form=');
    assert.equal(asked, `/console/prove?next=${encodeURIComponent(team)}`);
    assert.match(form ?? '', /^[0-9a-f]{12}$/);
    const page = await (await admin.ask(location)).text();
    assert.match(page, /on the page “Team” asks for a proof[^]*What you entered is kept/);
    assert.ok(page.includes(`<a href="${team}">Back</a>`));
    assert.equal((await listPeople(service.pool, merchant.id)).length, 1);
  });

  test('the audit shows who did what, by pages and filters, and markup as text', async () => {
    const { merchant, admin, team } = await shop();
    const emails = Array.from({ length: 27 }, newEmail);
    for (const email of emails) {
      await admin.submit(`${team}/invite`, { email, role: 'viewer' });
      await admin.submit(`${team}/${await idOf(email)}/role`, { role: 'operator' });
    }
    const audit = `/console/${merchant.id}/audit`;
    const numbersIn = (page: string): number[] =>
      Array.from(page.matchAll(/No\. (\d+)/g), ([, number]) => Number(number));
    const first = await (await admin.ask(audit)).text();
    const [older = ''] = /audit\?before=\d+/.exec(first) ?? assert.fail('no older page');
    const second = await (await admin.ask(`/console/${merchant.id}/${older}`)).text();
    const numbers = [...numbersIn(first), ...numbersIn(second)];
    // The admin was invited and came in first.
    assert.deepEqual(
      numbers,
      Array.from({ length: 56 }, (_, index) => 56 - index),
    );
    assert.match(first, /<del>viewer<\/del>[^]*?<ins>operator<\/ins>/);
    const invites = await (await admin.ask(`${audit}?action=person.invite`)).text();
    assert.deepEqual([numbersIn(invites).length, invites.includes('Older')], [28, false]);
    const own = await (await admin.ask(`${audit}?actor=${await idOf(admin.email)}&action=person.role`)).text();
    assert.equal(numbersIn(own).length, 27);
    const odd = await (await admin.ask(`${audit}?actor=%3Cb%3E&before=x&action=y`)).text();
    assert.ok(odd.includes('Nothing here') && !odd.includes('<b>'));
  });
});
