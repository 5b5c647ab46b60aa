// Goal: whoever has a link is let in once, as whom it was made for; nobody else is, and nobody can make a browser act from
// another site. Method: requests as a browser sends them, to a Kassa that runs.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inviteTo, signIn, Visitor } from '../support/console.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

describe('signing in', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  test('a link shows a page, and lets in once: of many who use it at once, one', async () => {
    const { merchant } = await service.openShop();
    const { email, link } = await inviteTo(service, merchant.id, 'viewer');
    const path = new URL(link).pathname;
    const stranger = new Visitor(service.url);
    for (let look = 0; look < 2; look += 1) {
      const page = await stranger.ask(path);
      assert.equal(page.status, 200);
      assert.ok((await page.text()).includes(email), 'looking uses nothing up');
    }
    const answers = await Promise.all(Array.from({ length: 8 }, () => stranger.post(path)));
    const countOf = (status: number): number => answers.filter((answer) => answer.status === status).length;
    assert.deepEqual([countOf(303), countOf(404)], [1, 7]);
    assert.equal((await stranger.ask(path)).status, 404);
    const somebody = await signIn(service, merchant.id, 'viewer');
    const answer = await somebody.ask(path);
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/console'], 'who is in goes on');
  });

  test('the cookie is out of reach of scripts; its secret is nowhere in the database', async () => {
    const { merchant } = await service.openShop();
    const { link } = await inviteTo(service, merchant.id, 'viewer');
    const answer = await new Visitor(service.url).post(new URL(link).pathname);
    const [cookie = ''] = answer.headers.getSetCookie();
    assert.match(cookie, /^kassa-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const secret = /=([\w-]{43})/.exec(cookie)?.[1] ?? '';
    const rows = await service.pool.query(`select 1 from sessions where sessions::text like '%' || $1 || '%'`, [
      secret,
    ]);
    assert.deepEqual(rows, []);
  });

  test('without a session every page leads to the sign-in; after signing out, too', async () => {
    const { merchant } = await service.openShop();
    const stranger = new Visitor(service.url);
    const visitor = await signIn(service, merchant.id, 'viewer');
    const path = `/console/${merchant.id}/payments`;
    const whereTo = async (who: Visitor): Promise<string | null> => (await who.ask(path)).headers.get('location');
    const signInPage = `/console/sign-in?next=${encodeURIComponent(path)}`;
    assert.equal(await whereTo(stranger), signInPage, 'and knows the way back');
    assert.equal((await visitor.ask(path)).status, 200);
    assert.equal((await visitor.post('/console/sign-out')).status, 303);
    assert.equal(await whereTo(visitor), signInPage, 'the cookie is worth nothing any more');
  });

  test('a session of before is no session after signing in: the one who is let in gets a new one', async () => {
    const { merchant } = await service.openShop();
    const { link } = await inviteTo(service, merchant.id, 'viewer');
    const planted = new Visitor(service.url, `kassa-session=${'a'.repeat(43)}`);
    const answer = await planted.post(new URL(link).pathname);
    assert.doesNotMatch(answer.headers.getSetCookie()[0] ?? '', /aaaaaaaa/);
    assert.equal((await planted.ask(`/console/${merchant.id}/payments`)).status, 303);
  });

  test('another merchant’s pages are not there, and nobody may frame them', async () => {
    const [{ merchant }, other] = [await service.openShop(), await service.openShop()];
    const visitor = await signIn(service, merchant.id, 'admin');
    assert.equal((await visitor.ask(`/console/${other.merchant.id}/payments`)).status, 404);
    const own = await visitor.ask(`/console/${merchant.id}/payments`);
    assert.match(own.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.equal(own.headers.get('cache-control'), 'no-store');
  });

  test('what another site makes a browser send is refused, with the cookie and all', async () => {
    const { merchant } = await service.openShop();
    const visitor = await signIn(service, merchant.id, 'admin');
    const foreign: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
      'another site': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      'another port': { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' },
      'a sandboxed frame': { origin: 'null', 'sec-fetch-site': 'cross-site' },
      'an old browser at another site': { origin: 'https://evil.example', 'sec-fetch-site': undefined },
      'nobody knows where': { origin: undefined, 'sec-fetch-site': undefined },
    };
    for (const [name, more] of Object.entries(foreign))
      assert.equal((await visitor.ask('/console/sign-out', { method: 'POST', more })).status, 403, name);
    assert.equal((await visitor.ask(`/console/${merchant.id}/payments`)).status, 200, 'still signed in');
  });

  test('a sign that no text of the database can hold is a clear answer, wherever it stands', async () => {
    const { merchant, client } = await service.openShop();
    const paymentId = await client.createReserved(1_000);
    const admin = await signIn(service, merchant.id, 'admin');
    const home = `/console/${merchant.id}`;
    const answers = [
      await new Visitor(service.url).submit('/console/sign-in', { email: 'a\0@x', password: 'x' }),
      await admin.ask(`${home}/audit?actor=%00`),
      await admin.post(`${home}/keys/%00/revoke`),
      await admin.submit(`${home}/team/%00/role`, { role: 'viewer' }),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 400, answer.url);
      assert.match(await answer.text(), /No text may hold a NUL character/);
    }
    // Nor is a number where a form has a text.
    const more = { 'content-type': 'application/json' };
    const body = JSON.stringify({ amount: 5 });
    const odd = await admin.ask(`${home}/payments/${paymentId}/charge`, { method: 'POST', body, more });
    assert.equal(odd.status, 422);
  });

  test('whoever is removed is out at once', async () => {
    const { merchant } = await service.openShop();
    const visitor = await signIn(service, merchant.id, 'admin');
    await service.pool.query('delete from people where email = $1', [visitor.email]);
    const path = `/console/${merchant.id}/payments`;
    assert.equal(
      (await visitor.ask(path)).headers.get('location'),
      `/console/sign-in?next=${encodeURIComponent(path)}`,
    );
  });
});
