// Goal: a person sees and ends their own sessions and nobody else's, and what asks for fresh proof gets it by the
// database's clock alone. Method: requests as browsers send them; sessions made older by SQL.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Fastify from 'fastify';
import { KASSA } from '../../src/domain/audit.ts';
import { leadToProof, ownPath } from '../../src/console/proof.ts';
import { linkPerson } from '../../src/merchants/sign-in-links.ts';
import { purgeSessions } from '../../src/store/purge/sessions.ts';
import { makeLink } from '../../src/store/people/sign-in-links.ts';
import { signIn, Visitor } from '../support/console.ts';
import { purgeNow } from '../support/purge.ts';
import { until } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

describe('the account page', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  /** The same person in another browser. */
  const again = async ({ email }: { email: string }, agent: string): Promise<Visitor> => {
    const linked = await linkPerson(service.pool, KASSA, email);
    assert.equal(linked.kind, 'linked');
    const visitor = new Visitor(service.url);
    const secret = linked.kind === 'linked' ? linked.linkSecret : '';
    const answer = await visitor.ask(`/console/link/${secret}`, { method: 'POST', more: { 'user-agent': agent } });
    visitor.cookie = (answer.headers.getSetCookie()[0] ?? '').replace(/;.*/, '');
    return visitor;
  };
  const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const sessionsIn = (page: string): string[] =>
    Array.from(page.matchAll(/sessions\/(session_[0-9a-f]{16})\/end/g), ([, id = '']) => id);

  test('shows where one is signed in; one session can be ended, or all others', async () => {
    const { merchant } = await service.openShop();
    const here = await signIn(service, merchant.id, 'viewer');
    const others = [await again(here, FIREFOX), await again(here, '<b>bold</b>')];
    const page = await (await here.ask('/console/account')).text();
    assert.match(page, /Firefox on Windows/);
    assert.doesNotMatch(page, /<b>bold/);
    assert.ok(page.includes(here.email));
    const [one = '', ...rest] = sessionsIn(page);
    assert.equal(rest.length, 1, 'all but this one can be ended from here');
    assert.equal((await here.post(`/console/account/sessions/${one}/end`)).headers.get('location'), '/console/account');
    const statuses = await Promise.all(others.map(async (each) => (await each.ask('/console/account')).status));
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, 303],
    );
    await here.post('/console/account/sessions/end-others');
    for (const other of others) assert.equal((await other.ask('/console/account')).status, 303);
    assert.equal((await here.ask('/console/account')).status, 200);
  });

  test('nobody ends a session of somebody else', async () => {
    const { merchant } = await service.openShop();
    const [ada, bob] = [await signIn(service, merchant.id, 'admin'), await signIn(service, merchant.id, 'viewer')];
    const [row] = await service.pool.query<{ id: string }>(
      'select sessions.id from sessions join people on people.id = person_id where email = $1',
      [ada.email],
    );
    await bob.post(`/console/account/sessions/${row?.id}/end`);
    await bob.post('/console/account/sessions/end-others');
    assert.equal((await ada.ask('/console/account')).status, 200);
  });

  test('is there for who belongs to no merchant any more', async () => {
    const { merchant } = await service.openShop();
    const visitor = await signIn(service, merchant.id, 'viewer');
    await service.pool.query('delete from memberships where merchant_id = $1', [merchant.id]);
    assert.equal((await visitor.ask('/console/account')).status, 200);
  });

  // decision: idle-sessions-at-a-live-merchant
  test('at a live merchant ends after 15 idle minutes, which no script of a page puts off', async () => {
    const seen = async ({ email }: { email: string }, ago: number): Promise<void> => {
      await service.pool.query(
        `update sessions set seen_at = now() - $2 * interval '1 minute'
         where person_id = (select id from people where email = $1)`,
        [email, ago],
      );
    };
    const open = async (live: boolean) => {
      const { merchant } = await service.openShop({ live });
      const visitor = await signIn(service, merchant.id, 'admin');
      const at = `/console/${merchant.id}/payments`;
      const statusOf = async (more: Readonly<Record<string, string>> = {}): Promise<number> =>
        (await visitor.ask(at, { more })).status;
      return { visitor, at, statusOf };
    };
    const [live, sandbox] = [await open(true), await open(false)];
    for (const { visitor } of [live, sandbox]) await seen(visitor, 16);
    assert.equal(await sandbox.statusOf(), 200, 'a test merchant’s does not');
    const answer = await live.visitor.ask(`${live.at}?state=reserved`);
    const back = encodeURIComponent(`${live.at}?state=reserved`);
    assert.equal(answer.headers.get('location'), `/console/sign-in?next=${back}`);
    assert.equal((await live.visitor.ask('/console/api/account/proof')).status, 401);
    const byScript = [{ 'kassa-background': 'yes' }, { cookie: `${live.visitor.cookie}; kassa-background=yes` }];
    for (const more of byScript) {
      await seen(live.visitor, 14);
      assert.equal(await live.statusOf(more), 200);
      await seen(live.visitor, 16);
      assert.equal(await live.statusOf(more), 303);
      await seen(live.visitor, 14);
      assert.equal(await live.statusOf(more), 200);
    }
    const minutes = async (): Promise<number> => {
      const [row] = await service.pool.query<{ ago: number }>(
        `select round(extract(epoch from now() - seen_at) / 60)::int as ago from sessions
         where person_id = (select id from people where email = $1)`,
        [live.visitor.email],
      );
      return row?.ago ?? -1;
    };
    assert.ok((await minutes()) >= 14, 'a script puts nothing off');
    const page = await (await live.visitor.ask('/console/account')).text();
    assert.ok((await minutes()) < 14, 'a person does');
    assert.match(page, /At a live merchant a session ends after 15 minutes without a click/);

    await seen(live.visitor, 16);
    assert.equal((await live.visitor.submit('/console/sign-out')).status, 303);
    await seen(live.visitor, 14);
    assert.equal(await live.statusOf(), 303, 'an idle one that was signed out of stays ended');
  });

  test('a proof of ten minutes is fresh; then the page of proof is shown, and leads on after it', async () => {
    const { merchant } = await service.openShop();
    const visitor = await signIn(service, merchant.id, 'admin');
    const next = `/console/${merchant.id}/payments?q=1`;
    const prove = () => visitor.ask(`/console/prove?next=${encodeURIComponent(next)}`);
    const askApi = () => visitor.ask('/console/api/account/proof');
    assert.equal((await prove()).headers.get('location'), next);
    assert.equal((await askApi()).status, 200);
    await service.pool.query(
      `update sessions set proved_at = proved_at - interval '11 minutes'
       where person_id = (select id from people where email = $1)`,
      [visitor.email],
    );
    const page = await prove();
    assert.equal(page.status, 200);
    assert.ok((await page.text()).includes(`kassa user link ${visitor.email}`));
    const refused = await askApi();
    assert.equal(refused.status, 403);
    assert.equal(((await refused.json()) as { reason: string }).reason, 'proof_needed');
    assert.equal((await new Visitor(service.url).ask('/console/api/account/proof')).status, 401);
  });

  test('a link leads to where the browser wanted to be, and nowhere but to the console', async () => {
    const { merchant } = await service.openShop();
    const person = await signIn(service, merchant.id, 'admin');
    const next = `/console/${merchant.id}/payments?q=1`;
    const cookieAt = async (who: Visitor, path: string, name = 'kassa-next='): Promise<string | undefined> =>
      (await who.ask(path)).headers.getSetCookie().find((each) => each.startsWith(name));
    const nobody = new Visitor(service.url);
    const asked = await cookieAt(nobody, `/console/sign-in?next=${encodeURIComponent(next)}`);
    assert.match(asked ?? '', /^kassa-next=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1800$/);
    for (const bad of ['', '?next=//evil.example/console/x', '?next=/console', `?next=/console/${'x'.repeat(1_100)}`])
      assert.equal(await cookieAt(nobody, `/console/sign-in${bad}`), undefined, bad);
    await service.pool.query(
      `update sessions set proved_at = now() - interval '11 minutes'
       where person_id = (select id from people where email = $1)`,
      [person.email],
    );
    const kept = await cookieAt(person, `/console/prove?next=${encodeURIComponent(next)}`);
    assert.equal(kept, asked);
    const enter = async (cookie: string): Promise<Response> => {
      const linked = await linkPerson(service.pool, KASSA, person.email);
      const secret = linked.kind === 'linked' ? linked.linkSecret : '';
      return nobody.ask(`/console/link/${secret}`, { method: 'POST', more: { cookie } });
    };
    const entered = await enter((kept ?? '').replace(/;.*/, ''));
    assert.equal(entered.headers.get('location'), next);
    assert.match(entered.headers.getSetCookie().join('\n'), /^kassa-session=[^]*\nkassa-next=; .*Max-Age=0$/);
    for (const evil of ['https://evil.example/console/', '//evil.example/console/x', '/console/../v1', '\\\\evil']) {
      const led = await enter(`kassa-next=${Buffer.from(evil).toString('base64url')}`);
      assert.equal(led.headers.get('location'), '/console', evil);
    }
  });

  test('a wrong address is told in the frame to who is in, and to nobody else', async () => {
    const { merchant } = await service.openShop();
    const viewer = await signIn(service, merchant.id, 'viewer');
    const more = { accept: 'text/html' };
    for (const path of [
      `/console/${merchant.id}/nowhere`,
      '/console/123456789/payments',
      `/console/${merchant.id}/keys`,
    ]) {
      const answer = await viewer.ask(path, { more });
      const page = await answer.text();
      assert.equal(answer.status, 404, path);
      assert.ok(page.includes('<nav') && page.includes(`href="/console/${merchant.id}/payments"`), path);
    }
    const wrong = `/console/${merchant.id}/nowhere`;
    const strangers = await new Visitor(service.url).ask(wrong, { more });
    assert.deepEqual([strangers.status, (await strangers.text()).includes('<nav')], [404, false]);
    assert.match(await (await viewer.ask(wrong)).text(), /^\{"message":/, 'a program is told as one');
    assert.equal((await viewer.ask('/console/api/passkeys/add', { more })).status, 405);
  });

  test('a page that asks for proof leads to it, and names itself as the way on', async () => {
    const app = Fastify();
    const visitorWith = (isProved: boolean) => ({ session: { isProved } }) as Parameters<typeof leadToProof>[0];
    app.get('/:proved', async (request, reply) => {
      const { proved } = request.params as { proved: string };
      return leadToProof(visitorWith(proved === 'yes'), '/pay', '/pay/console/1/keys?new', reply) ?? 'the page';
    });
    assert.equal((await app.inject('/yes')).body, 'the page');
    const { statusCode, headers } = await app.inject('/no');
    assert.deepEqual(
      [statusCode, headers.location],
      [303, `/pay/console/prove?next=${encodeURIComponent('/pay/console/1/keys?new')}`],
    );
  });

  test('nobody is led away from the console', () => {
    for (const [next, expected] of [
      ['/console/1/payments?q=%22a%22', '/console/1/payments?q=%22a%22'],
      ['/console/../v1/payments', '/console'],
      ['//evil.example/console/', '/console'],
      [String.raw`/\evil.example/console/`, '/console'],
      ['/\t/evil.example/console/', '/console'],
      ['https://evil.example/console/', '/console'],
      ['javascript:alert(1)', '/console'],
      ['/v1/payments', '/console'],
      [undefined, '/console'],
      [['/console/1', '/console/2'], '/console'],
    ] as const)
      assert.equal(ownPath('', next), expected, String(next));
    assert.equal(ownPath('/pay', '/pay/console/1'), '/pay/console/1');
    assert.equal(ownPath('/pay', '/console/1'), '/pay/console');
  });

  test('sessions that have ended and links whose time is over are forgotten, and no others', async () => {
    const { merchant } = await service.openShop();
    const [idle, old, alive] = [
      await signIn(service, merchant.id, 'viewer'),
      await signIn(service, merchant.id, 'viewer'),
      await signIn(service, merchant.id, 'viewer'),
    ];
    const [person] = await service.pool.query<{ id: string }>('select id from people where email = $1', [alive.email]);
    await makeLink(service.pool, person?.id ?? '', -1);
    const age = (email: string, column: string, by: string) =>
      service.pool.query(
        `update sessions set ${column} = ${column} - $2::interval where person_id = (select id from people where email = $1)`,
        [email, by],
      );
    await age(idle.email, 'seen_at', '12 hours 1 minute');
    await age(old.email, 'created_at', '7 days 1 minute');
    const statusOf = async (who: Visitor): Promise<number> => (await who.ask('/console/account')).status;
    assert.deepEqual([await statusOf(idle), await statusOf(old)], [303, 303], 'they let nobody in even before');
    const left = () =>
      service.pool.query<{ email: string; links: number }>(
        `select email, (select count(*)::int from sign_in_links where person_id = people.id) as links
         from sessions join people on people.id = person_id where email = any ($1)`,
        [[idle.email, old.email, alive.email]],
      );
    // The service forgets as well: what it has in hand is waited for.
    await until('those that have ended are forgotten', async () => {
      await purgeNow(purgeSessions(service.pool));
      const [one, ...others] = await left();
      return others.length === 0 && one?.links === 0;
    });
    assert.deepEqual(await left(), [{ email: alive.email, links: 0 }]);
  });
});
