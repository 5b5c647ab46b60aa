// Goal: nobody does anything at the console but by its own pages, in a session, with the right to it and at their own
// merchant; and no address changes anything by being opened. Method: every route that the router has, tried without a
// session, by people of another merchant, by every role that must not, and from foreign pages; what the database holds is
// compared before and after.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newActKey } from '../../src/console/payment/act.ts';
import { grants, ROLES } from '../../src/domain/role.ts';
import type { Right } from '../../src/domain/role.ts';
import { inviteTo, signIn, Visitor } from '../support/console.ts';
import { consoleRoutes, isApi, isOfMerchant, nameOf, pathOf } from '../support/console-routes.ts';
import type { ConsoleRoute, Ids } from '../support/console-routes.ts';
import { actsOf, openWorld, rowsOf } from '../support/console-world.ts';
import type { World } from '../support/console-world.ts';
import { depth } from '../support/depth.ts';
import { openCompanySignIn } from '../support/oidc-provider.ts';
import type { CompanySignIn } from '../support/oidc-provider.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

const ROUTES = consoleRoutes();
const POSTS = ROUTES.filter(({ method }) => method !== 'GET');
const GETS = ROUTES.filter(({ method }) => method === 'GET');
const OF_MERCHANT = ROUTES.filter(isOfMerchant);

/** For who is not in yet: what they do is tried elsewhere. */
const OPEN = new Set([
  'GET /console/assets/:version/:file',
  'GET /console/sign-in',
  'POST /console/sign-in',
  'GET /console/link/:secret',
  'POST /console/link/:secret',
  'GET /console/oidc',
  'GET /console/oidc/callback',
  'POST /console/api/passkeys/sign-in/options',
  'POST /console/api/passkeys/sign-in',
  'GET /console/*',
]);
/** Where a second factor is registered, or the one shown that there is. */
const WHILE_WEAK = new Set([
  'GET /console/second-factor',
  'GET /console/prove',
  'POST /console/prove',
  'GET /console/account/password',
  'POST /console/account/password',
  'POST /console/api/passkeys/prove/options',
  'POST /console/api/passkeys/prove',
  'POST /console/api/passkeys/add/options',
  'POST /console/api/passkeys/add',
  'POST /console/sign-out',
]);
const isOpen = (route: ConsoleRoute): boolean => OPEN.has(nameOf(route));

/** Who may do what, as the documentation has it: the first that matches. */
const RIGHTS: readonly (readonly [pattern: RegExp, right: Right])[] = [
  [/:paymentId\/(?:charge|cancel|refund|terminate|pay)$/, 'move money'],
  [/:paymentId\/refunds\/:refundId\/cancel$/, 'move money'],
  [/:paymentId\/erase$/, 'administer'],
  [/:merchantId\/(?:team|audit)/, 'administer'],
  [/:merchantId\/settings\/change$/, 'administer'],
  [/:paymentId\/events\/:eventId\/resend$/, 'resend events'],
  [/:webhookId\/events\/:eventId\/resend$/, 'resend events'],
  [/:merchantId\/(?:webhooks|keys|requests)/, 'develop'],
  [/:merchantId\/(?:views|payments\.(?:csv|jsonl)$)/, 'read'],
  [/^GET /, 'read'],
];

/** One form with all that forms ask for: whoever were let through would change something. */
const FIELDS = {
  name: 'Sweep',
  role: 'admin',
  email: 'sweep@example.test',
  url: 'http://127.0.0.1:9/swept',
  dialect: 'nexi',
  colour: '#123456',
  sure: '10',
  mode: 'whole',
  whole: '10',
  card: '4925000000000004',
  since: '2026-01-01T00:00:00Z',
  query: 'state=reserved',
  password: 'otter lamp violin frost',
  read: 'on',
  days: '',
  language: 'de',
  confirmed: 'yes',
  id: 'a',
  next: '/console',
  to: 'hook-0',
};
/** Of addresses. */
const QUERY = {
  q: '',
  state: '',
  before: '',
  story: '',
  items: '',
  action: '',
  actor: '',
  sort: '',
  from: '',
  most: '',
};
const ODD_TEXTS = [
  'x'.repeat(6_000),
  'a\0b',
  '\u202E<script>alert(1)</script>',
  '99999999999999999999',
  '275760-09-14',
  '-1e309',
  '//evil.example/',
];
const ANSWER = { response: { id: 'a', response: { clientDataJSON: 'a' } } };

type Headers = Readonly<Record<string, string | undefined>>;

async function send(who: Visitor, route: ConsoleRoute, path: string, more: Headers = {}): Promise<Response> {
  if (route.method === 'GET') return who.ask(path, { more });
  if (!isApi(route)) {
    const body = new URLSearchParams({ ...FIELDS, key: newActKey() }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...more };
    return who.ask(path, { method: route.method, body, more: headers });
  }
  const body = JSON.stringify(route.url.includes('passkeys') ? ANSWER : { amount: 10 });
  const headers = { 'content-type': 'application/json', 'idempotency-key': newActKey(), ...more };
  return who.ask(path, { method: route.method, body, more: headers });
}

describe('every route of the console', () => {
  let service: Service;
  let company: CompanySignIn;
  let here: World;
  let there: World;
  before(async () => {
    company = await openCompanySignIn(() => `${service.url.replace('127.0.0.1', 'localhost')}/console/oidc/callback`);
    service = await startService({
      env: {
        KASSA_DELIVERIES: 'off',
        KASSA_OIDC_ISSUER: company.issuer,
        KASSA_OIDC_CLIENT_ID: company.clientId,
        KASSA_OIDC_CLIENT_SECRET: company.clientSecret,
      },
    });
    here = await openWorld(service);
    there = await openWorld(service, here);
    for (const role of ROLES) await here.as(role);
  });
  after(async () => {
    await service.stop();
    await company.close();
  });

  /** Nothing is changed by any of it. */
  const changesNothing = async (work: () => Promise<void>): Promise<void> => {
    const earlier = [await rowsOf(service.pool), await actsOf(service.pool)];
    await work();
    assert.deepEqual([await rowsOf(service.pool), await actsOf(service.pool)], earlier);
  };

  test('is found by itself, takes GET and POST alone, and bodies that are small or of somebody who is in', () => {
    assert.ok(ROUTES.length >= 80 && OF_MERCHANT.length >= 45, `${ROUTES.length}, ${OF_MERCHANT.length}`);
    for (const route of ROUTES) assert.match(route.method, /^(?:GET|POST)$/, nameOf(route));
    assert.equal(ROUTES.filter(({ url }) => url.startsWith('/console/oidc')).length, 2, 'those of a provider as well');
    for (const name of OPEN)
      assert.ok(
        ROUTES.some((route) => nameOf(route) === name),
        `${name} is no route any more`,
      );
    for (const route of POSTS)
      assert.ok(route.isGuarded || (route.bodyLimit ?? Number.POSITIVE_INFINITY) <= 65_536, nameOf(route));
  });

  test('leads to the sign-in without a session, and with one that nobody has', async () => {
    await changesNothing(async () => {
      for (const route of ROUTES.filter((each) => !isOpen(each)))
        for (const cookie of ['', `kassa-session=${'a'.repeat(43)}`]) {
          const answer = await send(new Visitor(service.url, cookie), route, pathOf(route, here.ids));
          if (isApi(route)) assert.equal(answer.status, 401, nameOf(route));
          else {
            assert.equal(answer.status, 303, nameOf(route));
            assert.match(answer.headers.get('location') ?? '', /^\/console\/sign-in/, nameOf(route));
          }
        }
    });
  });

  // decision: one-time-links-at-a-live-merchant
  test('leads a session that began with a link alone to a second factor, where a merchant of theirs requires one', async () => {
    const { merchant } = await service.openShop({ live: true });
    const weak = await signIn(service, merchant.id, 'admin', undefined, { isWeak: true });
    // An admin here as well, where none is required: the strictest of their merchants counts.
    await service.pool.query(
      `insert into memberships (person_id, merchant_id, role) select id, $1, 'admin' from people where email = $2`,
      [here.shop.merchant.id, weak.email],
    );
    const registering = ROUTES.filter((route) => WHILE_WEAK.has(nameOf(route)));
    assert.equal(registering.length, WHILE_WEAK.size);
    const closed = ROUTES.filter((route) => !OPEN.has(nameOf(route)) || route.url === '/console/*').filter(
      (route) => !WHILE_WEAK.has(nameOf(route)),
    );
    const live = { ...here.ids, merchantId: String(merchant.id) };
    await changesNothing(async () => {
      for (const route of closed)
        for (const ids of [here.ids, live]) {
          const path = route.url === '/console/*' ? '/console/1/nothing' : pathOf(route, ids);
          const answer = await send(weak, route, path, { accept: 'text/html' });
          if (isApi(route)) {
            assert.equal(answer.status, 403, nameOf(route));
            assert.match(await answer.text(), /second_factor_needed/, nameOf(route));
          } else {
            assert.equal(answer.status, 303, nameOf(route));
            const next = route.method === 'GET' ? `?next=${encodeURIComponent(path)}` : '';
            assert.equal(answer.headers.get('location'), `/console/second-factor${next}`, nameOf(route));
          }
        }
    });
    assert.ok(closed.length >= 70, String(closed.length));
  });

  test('is not there for people of another merchant, whatever their role', async () => {
    await changesNothing(async () => {
      for (const role of ['operator', 'admin'] as const)
        for (const route of OF_MERCHANT) {
          const answer = await send(await here.as(role), route, pathOf(route, there.ids));
          assert.equal(answer.status, 404, `${nameOf(route)} by an ${role} of another`);
        }
    });
  });

  test('finds nothing of another merchant by its ids, one of them or all', async () => {
    const parts = (route: ConsoleRoute): string[] =>
      Array.from(route.url.matchAll(/:(\w+)/g), ([, name = '']) => name).filter((name) => name !== 'merchantId');
    const strange = (names: readonly string[]): Ids => ({
      ...here.ids,
      ...Object.fromEntries(Object.entries(there.ids).filter(([name]) => names.includes(name))),
    });
    const admin = await here.as('admin');
    let tried = 0;
    await changesNothing(async () => {
      for (const route of ROUTES.filter((each) => !isOpen(each) && parts(each).length > 0))
        for (const names of [parts(route), ...parts(route).map((name) => [name])]) {
          const answer = await send(admin, route, pathOf(route, strange(names)));
          tried += 1;
          // Of a person's own it is as if there were nothing to end.
          const expected = isOfMerchant(route) ? 404 : 303;
          assert.equal(answer.status, expected, `${nameOf(route)} with ${names.join(', ')} of another`);
          assert.doesNotMatch(await answer.text(), new RegExp(there.ids['paymentId'] ?? ''), nameOf(route));
        }
    });
    assert.ok(tried >= 50, String(tried));
  });

  test('does nothing for a role that has no right to it', async () => {
    await changesNothing(async () => {
      for (const route of OF_MERCHANT) {
        const right = RIGHTS.find(([pattern]) => pattern.test(nameOf(route)))?.[1];
        // What is new and changes something is at least not for who only looks.
        const forbidden = ROLES.filter((role) => (right === undefined ? role === 'viewer' : !grants(role, right)));
        for (const role of forbidden) {
          const answer = await send(await here.as(role), route, pathOf(route, here.ids));
          assert.ok([403, 404].includes(answer.status), `${nameOf(route)} by a ${role}: ${answer.status}`);
        }
      }
    });
  });

  test('takes no form and no request from a foreign page, nor one that does not say where it comes from', async () => {
    const { host } = new URL(service.url);
    const all: readonly Headers[] = [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site', origin: `http://evil.${host}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
      { 'sec-fetch-site': undefined, origin: 'null' },
      { 'sec-fetch-site': undefined, origin: undefined },
      { origin: undefined },
    ];
    // One check is before all forms and one before all requests of scripts: by day each route has two of them in turns.
    const foreignOf = (route: ConsoleRoute): readonly Headers[] =>
      depth({ daily: all.filter((_, index) => index % 4 === POSTS.indexOf(route) % 4), release: all });
    const admin = await here.as('admin');
    await changesNothing(async () => {
      for (const route of POSTS)
        for (const headers of foreignOf(route)) {
          const answer = await send(admin, route, pathOf(route, here.ids), headers);
          assert.equal(answer.status, 403, `${nameOf(route)} with ${JSON.stringify(headers)}`);
          assert.deepEqual(answer.headers.getSetCookie(), [], nameOf(route));
        }
    });
  });

  test('changes nothing by being opened; no page can be framed, kept or given another script', async () => {
    const admin = await here.as('admin');
    let pages = 0;
    await changesNothing(async () => {
      for (const route of GETS) {
        const answer = await send(admin, route, pathOf(route, here.ids));
        assert.ok(answer.status < 500, `${nameOf(route)}: ${answer.status}`);
        await answer.arrayBuffer();
        assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', nameOf(route));
        if (!answer.headers.get('content-type')?.startsWith('text/html')) continue;
        pages += 1;
        assert.equal(answer.headers.get('cache-control'), 'no-store', nameOf(route));
        const policy = answer.headers.get('content-security-policy') ?? '';
        for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
          assert.ok(policy.includes(part), `${nameOf(route)}: ${policy}`);
        assert.doesNotMatch(policy, /unsafe|\*|https?:/, nameOf(route));
      }
    });
    assert.ok(pages >= 20, String(pages));
  });

  test('breaks at no text that is sent to it, and repeats no markup', async () => {
    const odd = await openWorld(service);
    const admin = await odd.as('admin');
    // What ends the session of who asks, and what is limited to a few tries.
    const isLast = ({ url }: ConsoleRoute): boolean => /sign-out|sessions|oidc|sign-in|link\/:secret|prove/.test(url);
    for (const route of ROUTES.filter((each) => !isLast(each))) {
      const path = pathOf(route, odd.ids);
      const fields = Object.keys({ ...FIELDS, ...QUERY });
      for (const text of ODD_TEXTS) {
        const all = Object.fromEntries(fields.map((name) => [name, text]));
        const query = new URLSearchParams(
          Object.fromEntries(fields.map((name) => [name, text.slice(0, 200)])),
        ).toString();
        const answer = await (route.method === 'GET'
          ? admin.ask(`${path}?${query}`, { more: { accept: 'text/html' } })
          : isApi(route)
            ? admin.post(path, all)
            : admin.submit(path, all));
        const said = `${nameOf(route)} with ${text.slice(0, 20)}: ${answer.status}`;
        assert.ok(answer.status < 500, said);
        assert.match(answer.headers.get('location') ?? '/console', /^\/console(?![^/?])/, said);
        const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true;
        assert.ok(!(await answer.text()).includes('<script>alert') || !isPage, said);
      }
    }
  });

  test('leads to the provider and nowhere else; what comes back without being asked for lets nobody in', async () => {
    const callback = '/console/oidc/callback';
    await changesNothing(async () => {
      for (const next of ['/console', 'https://evil.example/']) {
        const begun = await new Visitor(service.url).ask(`/console/oidc?next=${encodeURIComponent(next)}`);
        assert.equal(begun.status, 303);
        assert.equal(new URL(begun.headers.get('location') ?? '').origin, company.issuer, next);
        assert.doesNotMatch(begun.headers.getSetCookie().join(), /kassa-session=/);
        assert.ok(begun.headers.getSetCookie().every((cookie) => /; HttpOnly; SameSite=Lax/.test(cookie)));
        const kept = begun.headers.getSetCookie().map((cookie) => cookie.replace(/;.*/, ''));
        const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
        for (const [query, cookie] of [
          ['', kept],
          ['?code=a&state=b', kept],
          [`?code=a&state=${state}`, []],
          [`?code=a&state=${state}`, kept],
          [`?error=access_denied&state=${state}`, kept],
        ] as const) {
          const answer = await new Visitor(service.url, cookie.join('; ')).ask(`${callback}${query}`);
          assert.ok([400, 403].includes(answer.status), `${query}: ${answer.status}`);
          assert.doesNotMatch(answer.headers.getSetCookie().join(), /kassa-session=\w/);
          assert.match(await answer.text(), /<h1>Not signed in<\/h1>/);
        }
      }
    });
    // Whoever is in stays who they are, and no role gains anything there.
    for (const role of ROLES) {
      const visitor = await here.as(role);
      const answer = await visitor.ask(`${callback}?code=a&state=b`);
      assert.equal(answer.status, 400, role);
      assert.equal((await visitor.ask(`/console/${here.ids['merchantId']}/payments`)).status, 200, role);
    }
  });

  test('goes on in a new session after signing in: one that somebody planted is worth nothing', async () => {
    const planted = (await here.as('viewer')).cookie;
    const { shop } = there;
    const { link } = await inviteTo(service, shop.merchant.id, 'viewer');
    const victim = new Visitor(service.url, planted);
    const answer = await victim.post(new URL(link).pathname);
    const [cookie = ''] = answer.headers.getSetCookie();
    assert.match(cookie, /^kassa-session=[\w-]{43};/);
    assert.ok(!cookie.startsWith(planted));
    const page = `/console/${shop.merchant.id}/payments`;
    assert.equal(
      (await new Visitor(service.url, planted).ask(page)).status,
      404,
      'who planted it is not let in with it',
    );
    assert.equal((await new Visitor(service.url, cookie.replace(/;.*/, '')).ask(page)).status, 200);
  });
});
