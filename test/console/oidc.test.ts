// Goal: the company's own sign-in lets in whom it has verified and who is known here, and nobody by an answer that was not
// asked for. Method: a real provider on loopback, and a browser's way there and back, request by request.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { consoleTexts } from '../../src/console/texts.ts';
import { inviteTo, signIn, Visitor } from '../support/console.ts';
import { FORGED, openCompanySignIn } from '../support/oidc-provider.ts';
import type { Claimed, CompanySignIn, Manner } from '../support/oidc-provider.ts';
import { KASSA } from '../../src/domain/audit.ts';
import { invitePerson } from '../../src/merchants/people.ts';
import { linkPerson } from '../../src/merchants/sign-in-links.ts';
import { createMerchant } from '../../src/store/merchants/merchants.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import { listAudit, NO_MERCHANT } from '../../src/store/audit/audit.ts';
import { until } from '../support/kassa.ts';
import { cloneDatabase } from '../support/database.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

/** How the provider is this time, and what else Kassa is asked for. */
type Way = { readonly manner?: Manner; readonly more?: string };

describe('OpenID Connect', () => {
  let company: CompanySignIn;
  let service: Service;
  let merchantId: number;
  before(async () => {
    company = await openCompanySignIn(() => `${service.url.replace('127.0.0.1', 'localhost')}/console/oidc/callback`);
    const databaseUrl = await cloneDatabase();
    const pool = openPool(databaseUrl, { size: 1 });
    const settings = { dialect: 'spec', strictItems: false, reserveOnDemand: false, acquirer: 'simulator' } as const;
    ({ id: merchantId } = await createMerchant(pool, false, { ...settings, name: 'By groups' }));
    await pool.close();
    service = await startService({
      databaseUrl,
      env: {
        KASSA_SIGN_IN: 'oidc',
        KASSA_OIDC_ISSUER: company.issuer,
        KASSA_OIDC_CLIENT_ID: company.clientId,
        KASSA_OIDC_CLIENT_SECRET: company.clientSecret,
        KASSA_OIDC_ROLES: `bosses=admin@${merchantId}, support=operator@${merchantId}`,
      },
    });
  });
  after(async () => {
    await service.stop();
    await company.close();
  });

  /** Cookies by name, as a browser keeps them for one host. */
  const keep = (jar: Map<string, string>, answer: Response): void => {
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (/Max-Age=0/.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
  };
  const cookiesOf = (jar: ReadonlyMap<string, string>): string =>
    Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ');

  /** To the provider, through it, and to the address at which it sends the browser back. */
  const goThere = async (claims: Claimed, next = '/console', { manner = {}, more = '' }: Way = {}) => {
    company.be(claims, manner);
    const [here, there] = [new Map<string, string>(), new Map<string, string>()];
    const begun = await new Visitor(service.url).ask(`/console/oidc?next=${encodeURIComponent(next)}${more}`);
    assert.equal(begun.status, 303, await begun.text());
    keep(here, begun);
    let url = begun.headers.get('location') ?? '';
    const first = url;
    for (let hops = 0; hops < 10 && url.startsWith(company.issuer); hops += 1) {
      const answer = await fetch(url, { redirect: 'manual', headers: { cookie: cookiesOf(there) } });
      keep(there, answer);
      const location = answer.headers.get('location');
      assert.ok(location, `${answer.status} ${await answer.text()}`);
      url = new URL(location, url).href;
    }
    const { pathname, search } = new URL(url);
    return { first: new URL(first), here, back: pathname + search };
  };
  const comeBack = (here: ReadonlyMap<string, string>, back: string): Promise<Response> =>
    new Visitor(service.url, cookiesOf(here)).ask(back);
  const enter = async (claims: Claimed, next?: string, way?: Way): Promise<Response> => {
    const { here, back } = await goThere(claims, next, way);
    return comeBack(here, back);
  };
  /** As whom a browser goes on that was let in so. */
  const goOn = (answer: Response): Visitor => {
    assert.equal(answer.status, 303);
    const jar = new Map<string, string>();
    keep(jar, answer);
    return new Visitor(service.url, cookiesOf(jar));
  };

  /** Refusals for the audit are written once of a kind, so they are counted by what they say. */
  const noted = async (): Promise<unknown[]> => {
    const records = await listAudit(service.pool, NO_MERCHANT, { limit: 100 });
    return records
      .filter(({ action }) => action === 'person.sign-in-refused')
      .map(({ after: facts }) => facts?.['reason']);
  };

  // First of all, as keys that were fetched are kept for some minutes.
  test('while the keys of the provider cannot be fetched nobody is let in, and it is said', async () => {
    const { merchant } = await service.openShop();
    const { email } = await inviteTo(service, merchant.id, 'viewer');
    const claims = { email, email_verified: true };
    const refused = await enter(claims, undefined, { manner: { hidesKeys: true } });
    assert.equal(refused.status, 503);
    assert.ok((await refused.text()).includes(consoleTexts('en').signIn.company.keyless));
    assert.deepEqual(
      refused.headers.getSetCookie().filter((cookie) => cookie.startsWith('kassa-session=')),
      [],
    );
    assert.match(service.log(), /cannot be fetched: status 500/);
    assert.match(service.log(), /the keys of the sign-in provider cannot be fetched/);
    assert.equal((await enter(claims)).status, 303, 'and is as soon as they can be');
  });

  test('a token that is not signed by a key of the provider lets in nobody, and is noted as that', async () => {
    const { merchant } = await service.openShop();
    const { email } = await inviteTo(service, merchant.id, 'viewer');
    for (const forges of FORGED) {
      const refused = await enter({ email, email_verified: true }, undefined, { manner: { forges } });
      assert.equal(refused.status, 403, forges);
      assert.ok((await refused.text()).includes(consoleTexts('en').signIn.company.untrusted), forges);
      assert.deepEqual(
        refused.headers.getSetCookie().filter((cookie) => cookie.startsWith('kassa-session=')),
        [],
      );
    }
    await until('it is noted', async () => (await noted()).includes('signature') || undefined);
  });

  test('lets in who is known by a verified address, once per answer, and leads on', async () => {
    const { merchant } = await service.openShop();
    const { email } = await inviteTo(service, merchant.id, 'viewer');
    const next = `/console/${merchant.id}/payments`;
    const { first, here, back } = await goThere({ email: email.toUpperCase(), email_verified: true }, next);
    for (const name of ['state', 'nonce', 'code_challenge']) assert.ok(first.searchParams.get(name), name);
    assert.equal(first.searchParams.get('code_challenge_method'), 'S256');
    const answer = await comeBack(here, back);
    assert.equal(answer.status, 303, await answer.text());
    assert.equal(answer.headers.get('location'), next);
    keep(here, answer);
    const inside = new Visitor(service.url, cookiesOf(here));
    assert.equal((await inside.ask(next)).status, 200);
    const page = await (await inside.ask('/console/account')).text();
    assert.match(page, /by your company’s sign-in/);
    assert.doesNotMatch(page, /Add a passkey|Set a password/, 'nothing else is offered');
    const again = await goThere({ email, email_verified: true });
    again.here.set('kassa-oidc', again.here.get('kassa-oidc') ?? '');
    assert.equal((await comeBack(again.here, again.back)).status, 303);
    assert.equal((await comeBack(again.here, again.back)).status, 403, 'a code is taken once');
  });

  // decision: single-sign-on
  test('refuses who is not known, not verified, or comes with an answer that this browser did not ask for', async () => {
    const { merchant } = await service.openShop();
    const { email } = await inviteTo(service, merchant.id, 'viewer');
    const unknown = await enter({ email: 'stranger@example.test', email_verified: true });
    assert.equal(unknown.status, 403);
    assert.match(await unknown.text(), /Nobody is known here as stranger@example.test/);
    const odd = { email: `${email}\u0000`, email_verified: true };
    for (const claims of [{ email }, { email, email_verified: false }, { email_verified: true }, odd])
      assert.equal((await enter(claims)).status, 403, JSON.stringify(claims));
    const [one, other] = [
      await goThere({ email, email_verified: true }),
      await goThere({ email, email_verified: true }),
    ];
    for (const [here, status] of [
      [new Map(), 400],
      [other.here, 403],
    ] as const) {
      const answer = await comeBack(here, one.back);
      assert.equal(answer.status, status);
      assert.ok(!answer.headers.getSetCookie().some((cookie) => cookie.startsWith('kassa-session=')));
    }
    assert.match(service.log(), /it is not the answer to what this browser asked/);
    const denied = one.back.replace(/code=[^&]+/, 'error=access_denied&error_description=not%20today');
    assert.equal((await comeBack(one.here, denied)).status, 403);
    await until('the reason in the log', () => service.log().includes('access_denied: not today'));
  });

  test('a problem is told in the language that whoever is in has chosen, else in the browser’s', async () => {
    const { merchant } = await service.openShop();
    const visitor = await signIn(service, merchant.id, 'viewer');
    const problem = async (who: Visitor): Promise<string> => {
      const answer = await who.ask('/console/oidc/callback', { more: { 'accept-language': 'de' } });
      assert.equal(answer.status, 400);
      return answer.text();
    };
    const german = /<html lang="de">[^]*Das hat zu lange gedauert/;
    assert.match(await problem(new Visitor(service.url)), german);
    assert.match(await problem(visitor), german);
    await visitor.submit('/console/account/language', { language: 'sv' });
    const swedish = await problem(visitor);
    assert.match(swedish, /<html lang="sv">/);
    assert.ok(swedish.includes(consoleTexts('sv').signIn.company.late), swedish);
  });

  test('roles follow groups at each sign-in, where groups are named', async () => {
    const { merchant } = await service.openShop();
    const { email } = await inviteTo(service, merchant.id, 'viewer');
    const roles = async (groups: readonly string[]): Promise<unknown> => {
      assert.equal((await enter({ email, email_verified: true, groups })).status, 303);
      return service.pool.query(
        `select merchant_id::int as merchant, role from memberships join people on people.id = person_id
         where email = $1 and merchant_id = $2`,
        [email, merchantId],
      );
    };
    // Somebody has to stay who administers it.
    await inviteTo(service, merchantId, 'admin');
    assert.deepEqual(await roles(['support', 'others']), [{ merchant: merchantId, role: 'operator' }]);
    assert.deepEqual(await roles(['support', 'bosses']), [{ merchant: merchantId, role: 'admin' }]);
    assert.deepEqual(await roles(['others']), []);
  });

  test('a role that groups gave is of no use to who came in another way, until it is given by hand', async () => {
    await inviteTo(service, merchantId, 'admin');
    const { merchant } = await service.openShop();
    const elsewhere = await inviteTo(service, merchant.id, 'viewer');
    const byHand = await inviteTo(service, merchantId, 'operator');
    const home = `/console/${merchantId}/payments`;
    for (const { email } of [elsewhere, byHand]) {
      const byCompany = goOn(await enter({ email, email_verified: true, groups: ['support'] }));
      assert.equal((await byCompany.ask(home)).status, 200);
      const linked = await linkPerson(service.pool, KASSA, email);
      assert.ok(linked.kind === 'linked');
      const byLink = goOn(await new Visitor(service.url).post(`/console/link/${linked.linkSecret}`));
      assert.equal((await byLink.ask(home)).status, 404, 'the directory cannot take it back from such a session');
      assert.equal((await byLink.ask(`/console/api/${merchantId}/payments/newest`)).status, 404);
      if (email === elsewhere.email)
        assert.equal(
          (await byLink.ask(`/console/${merchant.id}/payments`)).status,
          200,
          'what was given by hand stays',
        );
    }
    const again = await invitePerson(service.pool, KASSA, { email: byHand.email, merchantId, role: 'viewer' });
    assert.ok(again.kind === 'invited');
    const wayBack = goOn(await new Visitor(service.url).post(`/console/link/${again.linkSecret}`));
    assert.equal((await wayBack.ask(home)).status, 200, 'the way back in when the provider is away');
  });

  test('groups that the token does not tell are asked for, so that nobody loses a role by its silence', async () => {
    await inviteTo(service, merchantId, 'admin');
    const { merchant } = await service.openShop();
    const { email } = await inviteTo(service, merchant.id, 'viewer');
    const claims = { email, email_verified: true, groups: ['support'] };
    const visitor = goOn(await enter(claims, undefined, { manner: { tellsGroupsLater: true } }));
    assert.equal((await visitor.ask(`/console/${merchantId}/payments`)).status, 200);
  });

  test('a provider that does not say when it asked lets in, and proves nothing', async () => {
    const { merchant } = await service.openShop();
    const { email } = await inviteTo(service, merchant.id, 'admin');
    const claims = { email, email_verified: true };
    const [next, invite] = [`/console/${merchant.id}/team`, `/console/${merchant.id}/team/invite`];
    const silent = goOn(await enter(claims, next, { manner: { hidesTime: true } }));
    const led = await silent.submit(invite, { email: 'new@example.test', role: 'viewer' });
    assert.match(led.headers.get('location') ?? '', /\/console\/prove/);
    assert.match(await (await silent.ask('/console/prove')).text(), /\/console\/oidc\?[^"]*prove=/);
    const refused = await enter(claims, next, { manner: { hidesTime: true }, more: '&prove=' });
    assert.equal(refused.status, 403);
    assert.equal(refused.headers.getSetCookie().filter((cookie) => cookie.startsWith('kassa-session=')).length, 0);
    const { first, here, back } = await goThere(claims, next, { more: '&prove=' });
    assert.equal(first.searchParams.get('prompt'), 'login', 'whoever is signed in there is asked again');
    const proved = goOn(await comeBack(here, back));
    const page = await proved.act(invite, { email: `by-company-${process.pid}@example.test`, role: 'viewer' });
    assert.equal(page.status, 200);
    assert.doesNotMatch(await page.text(), /console\/link\//, 'nobody makes a way around the company’s sign-in');
    const [invited] = await service.pool.query<{ id: string }>('select id from people where email = $1', [
      `by-company-${process.pid}@example.test`,
    ]);
    assert.ok(invited, 'and comes in by it');
    assert.equal((await proved.submit(`${next}/${invited.id}/link`)).status, 409);
    assert.doesNotMatch(await (await proved.ask(next)).text(), /New link/);
  });

  test('as the only way it turns passwords and passkeys off, and links stay', async () => {
    const { merchant } = await service.openShop();
    const { link } = await inviteTo(service, merchant.id, 'viewer');
    const visitor = new Visitor(service.url);
    const page = await (await visitor.ask('/console/sign-in')).text();
    assert.match(page, /Sign in with your company/);
    assert.doesNotMatch(page, /name="password"|data-passkey/);
    assert.equal((await visitor.post('/console/sign-in', { email: 'a', password: 'b', code: 'c' })).status, 403);
    assert.equal((await visitor.post('/console/api/passkeys/sign-in/options')).status, 404);
    assert.equal((await visitor.post(new URL(link).pathname)).status, 303);
  });
});
