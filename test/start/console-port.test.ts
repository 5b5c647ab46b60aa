// Goal: on a port of its own the console is there whole, and nowhere else; all that names its address names that one.
// Method: real processes; both ports are asked for everything.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { consoleUrlFor } from '../../src/start/console-url.ts';
import { listKeys } from '../../src/store/merchants/keys.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import { Workshop } from '../database/workshop.ts';
import { runCommand } from '../support/commands.ts';
import { setPassword, Visitor } from '../support/console.ts';
import { cloneDatabase } from '../support/database.ts';
import { serveKassa, until } from '../support/kassa.ts';
import { openCompanySignIn } from '../support/oidc-provider.ts';

const EMAIL = 'you@sandbox.example';

describe('the console on a port of its own', () => {
  const start = async (t: Parameters<typeof serveKassa>[0], more: Readonly<Record<string, string>> = {}) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const env = {
      DATABASE_URL: await cloneDatabase(),
      KASSA_DATA_DIR: shop.dataDir,
      KASSA_SANDBOX: 'on',
      KASSA_CONSOLE_PORT: '0',
      ...more,
    };
    const service = await serveKassa(t, { env });
    const [, figures = ''] = /Metrics +(\S+)\/metrics\n/.exec(service.banner) ?? assert.fail(service.banner);
    return { service, env, port: figures };
  };
  const statusOf = async (url: string, method = 'GET'): Promise<number> =>
    (await fetch(url, { method, redirect: 'manual', headers: { origin: new URL(url).origin } })).status;

  test('is whole there with the figures, and off the port of the API; links and forms are of that port', async (t) => {
    const { service, env, port } = await start(t);
    const shop = service.url;
    assert.notEqual(port, shop);
    assert.ok(service.banner.includes(`Console       ${port}/console`), service.banner);
    const sandbox = Number(/Merchant +(\d{9})/.exec(service.banner)?.[1]);
    for (const [path, method] of [
      ['/console', 'GET'],
      ['/console/sign-in', 'GET'],
      ['/console/sign-in', 'POST'],
      [`/console/${sandbox}/payments`, 'GET'],
      ['/console/api/passkeys/sign-in/options', 'POST'],
      ['/metrics', 'GET'],
    ] as const) {
      assert.equal(await statusOf(`${shop}${path}`, method), 404, `${method} ${path} at the API`);
      assert.notEqual(await statusOf(`${port}${path}`, method), 404, `${method} ${path} at the console`);
    }
    for (const path of ['/v1/payments', '/docs', '/openapi.json', '/demo'])
      assert.equal(await statusOf(`${port}${path}`), 404, path);
    for (const url of [shop, port])
      for (const path of ['/healthz', '/readyz']) assert.equal(await statusOf(`${url}${path}`), 200, url + path);
    const page = await (await fetch(`${port}/console/sign-in`)).text();
    const assets = Array.from(page.matchAll(/"(\/console\/assets\/[^"]+)"/g), ([, path = '']) => path);
    assert.ok(assets.length >= 2, page);
    for (const path of assets) {
      assert.equal(await statusOf(`${port}${path}`), 200, path);
      assert.equal(await statusOf(`${shop}${path}`), 404, path);
    }

    assert.ok(page.includes(`npx kassa user link ${EMAIL}`), 'as long as nothing else lets in');
    const pool = openPool(env.DATABASE_URL, { size: 1 });
    t.after(() => pool.close());
    const bannerAt = (isTerminal: boolean): Promise<string> =>
      consoleUrlFor(pool, { merchantId: sandbox }, { url: port, isTerminal, command: 'npx kassa' });
    const isLink = async (): Promise<boolean> => (await bannerAt(true)).startsWith(`${port}/console/link/`);
    assert.ok(await isLink(), 'at a terminal');
    assert.equal(await bannerAt(false), `${port}/console, sign in with: npx kassa user link ${EMAIL}`);

    const { out } = await runCommand(['user', 'link', EMAIL], { env: { ...env, KASSA_CONSOLE_PORT: '' } });
    assert.ok(out.startsWith(`${port}/console/link/`), 'of the one that runs, whatever the command was given');
    const { pathname } = new URL(out.trim());
    const foreign = new Visitor(port);
    assert.equal((await foreign.ask(pathname, { method: 'POST', more: { origin: shop } })).status, 403);
    const visitor = new Visitor(port);
    const entered = await visitor.post(pathname);
    assert.equal(entered.status, 303);
    visitor.cookie = (entered.headers.getSetCookie()[0] ?? '').replace(/;.*/, '');
    assert.ok(await isLink(), 'whoever is signed in comes back by a new one');
    const [key] = await listKeys(pool, sandbox);
    assert.equal(key?.name, 'Sandbox');
    await setPassword({ url: port, pool }, visitor);
    assert.equal(await bannerAt(true), `${port}/console`, 'not past a password');
    await until('the hint to go', async () => !(await (await fetch(`${port}/console/sign-in`)).text()).includes(EMAIL));
    const list = await visitor.ask(`/console/${sandbox}/payments`);
    assert.equal(list.status, 200);
    assert.match(await list.text(), new RegExp(`href="${shop}/demo"`), 'the shop is where it was');
    assert.match(await (await visitor.ask(`/console/${sandbox}/requests`)).text(), /\/v1\/payments\/:paymentId/);
    const { paymentId } = (await service.client.must(201, 'POST', '/v1/payments', {
      order: {
        items: [
          {
            reference: 'mug',
            name: 'Mug',
            quantity: 1,
            unit: 'pcs',
            unitPrice: 100,
            grossTotalAmount: 100,
            netTotalAmount: 100,
          },
        ],
        amount: 100,
        currency: 'SEK',
        reference: 'order-1',
      },
      checkout: {
        integrationType: 'HostedPaymentPage',
        returnUrl: 'https://shop.example/',
        termsUrl: 'https://shop.example/',
      },
    })) as { paymentId: string };
    const raw = (await (await visitor.ask(`/console/api/${sandbox}/payments/${paymentId}`)).text()) || '';
    assert.ok(!raw.includes(`${port}/`), 'and so is what the API tells of a payment');
    assert.equal((await service.stop()).code, 0);
  });

  test('has an address of its own: of links, of the way back from the company, of passkeys and cookies', async (t) => {
    const console = 'https://console.example.com/ops';
    const company = await openCompanySignIn(() => `${console}/console/oidc/callback`);
    t.after(() => company.close());
    const { service, env, port } = await start(t, {
      KASSA_CONSOLE_URL: `${console}/`,
      KASSA_OIDC_ISSUER: company.issuer,
      KASSA_OIDC_CLIENT_ID: company.clientId,
      KASSA_OIDC_CLIENT_SECRET: company.clientSecret,
    });
    assert.ok(service.banner.includes(`${console}/console`), service.banner);
    const begun = await fetch(`${port}/console/oidc`, { redirect: 'manual' });
    const away = new URL(begun.headers.get('location') ?? '');
    assert.equal(away.searchParams.get('redirect_uri'), `${console}/console/oidc/callback`);
    const asker = new Visitor(port);
    const more = { origin: 'https://console.example.com' };
    const asked = await asker.ask('/console/api/passkeys/sign-in/options', { method: 'POST', more });
    assert.equal(((await asked.json()) as { rpId: string }).rpId, 'console.example.com');
    const { out } = await runCommand(['user', 'link', EMAIL], { env });
    assert.ok(out.startsWith(`${console}/console/link/`), out);
    const path = new URL(out.trim()).pathname.replace('/ops', '');
    const entered = await asker.ask(path, { method: 'POST', more });
    assert.equal(entered.headers.get('location'), '/ops/console');
    assert.match(entered.headers.getSetCookie().join(), /^__Host-kassa-session=.*; Secure/);
  });
});
