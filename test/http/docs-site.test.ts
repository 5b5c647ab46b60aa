// Goal: the documentation is a site: every guide at its address, every link and picture of every page there, a search
// that knows them all, code that runs, and the sandbox's key for nobody but this machine. Method: all pages are asked of
// the routes alone and read strictly; the same is written to a folder; requests are run as they are shown.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import type { FastifyInstance } from 'fastify';
import { root } from '../../proof/program.ts';
import { writeSite } from '../../scripts/site.ts';
import { LANGUAGES } from '../../src/docs/reference/request.ts';
import type { Document } from '../../src/api/openapi/document.ts';
import { docsOf } from '../../src/start/docs-options.ts';
import { buildBareApp } from '../support/bare-app.ts';
import { elementsOf, unescape } from '../support/markup.ts';
import type { Element } from '../support/markup.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

/** As far as a test asks it. */
type Find = {
  read(index: unknown): object;
  find(index: object, query: string): { readonly found: readonly string[][]; readonly meant: readonly string[] };
};

const KEY = `test-secret-key-${'0123456789abcdef'.repeat(2)}`;
const GUIDES = globSync('docs/{integrate,operate,reference}/*.md', { cwd: root }).map((file) =>
  file.slice('docs/'.length, -'.md'.length),
);

/** A page as it is read, once: the reference has a megabyte. */
type Read = { readonly ids: readonly string[]; readonly links: ReadonlySet<string>; readonly elements: Element[] };

function readPage(page: string): Read {
  const elements = elementsOf(page);
  const ids = elements.flatMap(({ attributes }) => attributes['id'] ?? []);
  return { ids, links: new Set(linksOf(elements)), elements };
}

const linksOf = (elements: readonly Element[]): string[] =>
  elements.flatMap(({ name, attributes }) =>
    [name === 'a' ? attributes['href'] : undefined, name === 'img' ? attributes['src'] : undefined].flatMap((link) =>
      link === undefined || /^(?:data|https?):/.test(link) ? [] : [link],
    ),
  );

describe('the site', () => {
  let app: FastifyInstance;
  before(async () => {
    app = await buildBareApp('http://localhost:8081/below', undefined, { secretKey: KEY, demo: true });
  });
  after(() => app.close());

  // Each comes from an address of its own: readers are limited by address.
  let readers = 0;
  const ask = (path: string, headers: Record<string, string> = {}) => {
    readers += 1;
    const remoteAddress = `10.0.${Math.floor(readers / 250)}.${(readers % 250) + 1}`;
    return app.inject({ url: path, headers, remoteAddress });
  };
  const here = (path: string, headers: Record<string, string> = {}, remoteAddress?: string) => {
    readers += 1;
    const options = { url: path, headers: { host: 'localhost:8081', ...headers } };
    return app.inject({ ...options, remoteAddress: remoteAddress ?? `127.0.0.${(readers % 250) + 1}` });
  };

  test('has a page for each guide, led to by the menu of every page, and whatever a page leads to is there', async () => {
    const pages = new Map<string, Read & { readonly body: string }>();
    for (const path of ['/docs', '/docs/api', ...GUIDES.map((guide) => `/docs/${guide}`)]) {
      const { statusCode, body, headers } = await ask(path);
      assert.equal(statusCode, 200, path);
      assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self'/);
      pages.set(path, { ...readPage(body), body });
    }
    assert.ok(pages.size > 30);
    const leadsTo = new Map<string, boolean>();
    const isThere = async (address: string): Promise<boolean> => {
      const known = leadsTo.get(address) ?? (await ask(address)).statusCode === 200;
      leadsTo.set(address, known);
      return known;
    };
    for (const [path, { ids, links, body }] of pages) {
      assert.equal(new Set(ids).size, ids.length, path);
      for (const link of links) {
        if (link === '/below/demo') continue;
        const [address = '', anchor] = link.replace(/^\/below/, '').split('#');
        const target = address === '' ? path : address;
        assert.ok(await isThere(target), `${path} leads to ${link}`);
        if (anchor !== undefined) assert.ok(pages.get(target)?.ids.includes(anchor), `${path} leads to ${link}`);
      }
      if (path !== '/docs/api')
        for (const guide of GUIDES) assert.ok(body.includes(`href="/below/docs/${guide}"`), `${path}: ${guide}`);
    }
  });

  test('what is no page of it is not there, and no name reaches a file', async () => {
    for (const path of ['/docs/integrate/nothing', '/docs/internals/store', '/docs/images/nothing.png'])
      assert.equal((await ask(path)).statusCode, 404, path);
    for (const file of ['..%2FREADME.md', '%2e%2e%2f%2e%2e%2fpackage.json', 'checkout-desktop-dark.png'])
      assert.equal((await ask(`/docs/images/${file}`)).statusCode, 404, file);
  });

  test('at an address without a page, a person gets the search, the menu and the main guides; a program an error', async () => {
    const page = { accept: 'text/html' };
    for (const path of ['/docs/nothing', '/docs/integrate/nothing', '/docs/a/b/c', '/docs/images/nothing.png']) {
      const { statusCode, body, headers } = await ask(path, page);
      assert.deepEqual([statusCode, headers['cache-control']], [404, 'no-store'], path);
      assert.match(body, /<h1>Page not found<\/h1>[^]*class="cards"[^]*href="\/below\/docs\/integrate\/quick-start"/);
      assert.match(body, /<input\s+type="search"/);
      assert.ok(!body.includes(KEY));
      for (const guide of GUIDES) assert.ok(body.includes(`href="/below/docs/${guide}"`), guide);
      for (const link of readPage(body).links) {
        if (link === '/below/demo' || link.startsWith('#')) continue;
        assert.equal((await ask(link.replace(/^\/below/, ''))).statusCode, 200, link);
      }
      const answer = await ask(path);
      assert.deepEqual([answer.statusCode, answer.headers['content-type']], [404, 'application/json; charset=utf-8']);
    }
  });

  test('pictures are sent, and once they are known only their mark', async () => {
    const picture = await ask('/docs/images/checkout-phone.png');
    assert.equal(picture.headers['content-type'], 'image/png');
    assert.deepEqual(picture.rawPayload, readFileSync(join(root, 'docs/images/checkout-phone.png')));
    const again = await ask('/docs/images/checkout-phone.png', { 'if-none-match': String(picture.headers.etag) });
    assert.deepEqual([again.statusCode, again.rawPayload.length], [304, 0]);
  });

  test('the index of the search has every page, and is kept for good only under its own version', async () => {
    const address = /data-index="\/below(?<address>[^"]+)"/.exec((await ask('/docs')).body)?.groups?.['address'] ?? '';
    const index = await ask(address);
    assert.equal(index.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal((await ask('/docs/search.js?v=older')).headers['cache-control'], 'no-store');
    const context: { kassaIndex?: readonly (readonly string[])[] } = {};
    runInNewContext(index.body, context);
    const addresses = new Set((context.kassaIndex ?? []).map(([, , target = '']) => target));
    for (const page of GUIDES) assert.ok(addresses.has(page), page);
    assert.ok(addresses.has('api#createPayment'));
    assert.ok(addresses.has('operate/run#settings'));
  });

  test('the search knows other words and slips, and leads from a name of the API to its reference first', async () => {
    const address = /data-index="\/below(?<address>[^"]+)"/.exec((await ask('/docs')).body)?.groups?.['address'] ?? '';
    const context: { kassaIndex?: unknown; kassaFind?: Find } = {};
    runInNewContext((await ask(address)).body, context);
    runInNewContext(readFileSync(join(root, 'src/docs/reference/find.js'), 'utf8'), context);
    const { kassaFind } = context;
    assert.ok(kassaFind);
    const index = kassaFind.read(context.kassaIndex);
    const rows: readonly (readonly [query: string, first: RegExp])[] = [
      // By another word for it.
      ['capture', /charge/i],
      ['captures', /charge/i],
      ['chargeback', /refund/i],
      ['charge back', /refund/i],
      ['apple pay', /^integrate\/checkout/],
      ['applepay', /^integrate\/checkout/],
      ['google pay', /^integrate\/checkout/],
      ['void', /cancel/i],
      ['recurring', /subscription/i],
      ['sso', /^operate\/(?:run|console)/],
      ['gdpr', /personal-data/],
      // One letter too few, too many, another, or two that changed places; also of what is not typed to its end.
      ['refnd', /refund/i],
      ['webhhook', /webhook|events/i],
      ['idempotancy', /retries/],
      ['subscirption', /^api#createPayment$/],
      ['challange', /test-cards|challenge/],
      ['subscripsi', /subscription/i],
      // A name of an operation, in any case, or of a field, however deep.
      ['chargePayment', /^api#chargePayment$/],
      ['createwebhook', /^api#createWebhook$/],
      ['unitPrice', /^api#/],
      ['myReference', /^api#/],
      ['consumerPageUrl', /^api#/],
      ['oldSecretFor', /^api#/],
      ['webhookId', /^api#/],
    ];
    for (const [query, first] of rows) {
      const [hit] = kassaFind.find(index, query).found;
      assert.match(hit?.[2] ?? 'nothing', first, query);
    }
    assert.deepEqual(Array.from(kassaFind.find(index, 'refnd').meant), ['refund']);
    assert.deepEqual(Array.from(kassaFind.find(index, 'subscirption').meant), ['subscription']);
    assert.deepEqual(Array.from(kassaFind.find(index, 'refund').meant), [], 'what stands there is meant');
    for (const nothing of ['', '   ', 'xqzzyw', 'refund xqzzyw'])
      assert.equal(kassaFind.find(index, nothing).found.length, 0, nothing);
  });

  // decision: the-sandbox-key-in-the-documentation
  test('this machine is shown the key of the sandbox in the examples, and nobody else', async () => {
    const shown = ['/docs', '/docs/api', '/docs/integrate/quick-start', '/docs/integrate/checkout'];
    for (const path of shown) {
      assert.ok((await here(path)).body.includes(KEY), path);
      assert.ok((await here(path, { host: '[::1]:8081' }, '::ffff:127.9.9.9')).body.includes(KEY), path);
      const others = [
        await ask(path, { host: 'localhost:8081' }),
        await here(path, { host: 'kassa.example' }),
        await here(path, { host: 'localhost.example' }),
        await here(path, { 'x-forwarded-for': '127.0.0.1' }),
        await here(path, { 'x-forwarded-host': 'localhost' }),
      ];
      for (const other of others) assert.ok(other.statusCode === 200 && !other.body.includes(KEY), path);
    }
    const { body } = await here('/docs/integrate/quick-start');
    assert.ok(unescape(body).includes(`KEY='${KEY}'\nAPI=http://localhost:8081/below/v1 `));
    assert.ok(!body.includes('localhost:8080'));
    // There a Kassa of its own is started.
    assert.ok((await here('/docs/integrate/ci')).body.includes('localhost:8080/v1'));
  });

  // decision: the-sandbox-key-in-the-documentation
  test('a service has a key to show only where its start shows it', () => {
    const sandbox = { merchantId: 1, secretKey: KEY, checkoutKey: '' };
    const none = { publicUrl: undefined, databaseUrl: undefined, consolePort: undefined };
    const own = { ...none, dataDir: '.kassa', demo: true, console: true };
    const url = (): string => 'http://localhost';
    assert.deepEqual(docsOf(own, sandbox, url, true), { demo: true, consoleUrl: url, secretKey: KEY });
    for (const { secretKey } of [
      docsOf(own, sandbox, url, false),
      docsOf(own, undefined, url, true),
      docsOf(own, { merchantId: 1 }, url, true),
      docsOf(own, { ...sandbox, secretKey: KEY.replace('test', 'live') }, url, true),
      docsOf({ ...own, publicUrl: 'https://pay.example' }, sandbox, url, true),
      docsOf({ ...own, databaseUrl: 'postgres://db' }, sandbox, url, true),
    ])
      assert.equal(secretKey, undefined);
    assert.deepEqual(docsOf({ ...own, consolePort: 8081, demo: false }, undefined, url, true), { demo: false });
    const elsewhere = { ...own, dataDir: '/srv/my kassa' };
    assert.equal(docsOf(elsewhere, sandbox, url, false).keysFile, `'/srv/my kassa/sandbox.json'`);
    assert.equal(docsOf({ ...elsewhere, databaseUrl: 'postgres://db' }, sandbox, url, false).keysFile, undefined);
  });

  test('names the folder that is really used, to this machine alone', async (t) => {
    const file = '/srv/kassa-data/sandbox.json';
    const other = await buildBareApp('http://localhost:8081', undefined, { keysFile: file });
    t.after(() => other.close());
    for (const path of ['/docs/integrate/quick-start', '/docs/integrate/checkout', '/docs/api']) {
      const at = (host: string) => other.inject({ url: path, headers: { host }, remoteAddress: '127.0.0.1' });
      const [mine, theirs] = [(await at('localhost:8081')).body, (await at('kassa.example')).body];
      assert.ok(mine.includes(file) && !mine.includes('.kassa/sandbox.json'), path);
      assert.ok(theirs.includes('.kassa/sandbox.json') && !theirs.includes(file), path);
    }
  });
});

test('written to a folder, every page finds the others, its files and its pictures there', async (t) => {
  const out = await mkdtemp(join(tmpdir(), 'kassa-site-'));
  t.after(() => rm(out, { recursive: true, force: true }));
  const files = await writeSite(out);
  const pages = new Map(
    files
      .filter((file) => file.endsWith('.html'))
      .map((file) => [file, readPage(readFileSync(join(out, file), 'utf8'))]),
  );
  assert.equal(pages.size, GUIDES.length + 2);
  for (const [file, { elements, links }] of pages) {
    const values = elements.flatMap(({ attributes }) =>
      ['href', 'src', 'data-index'].flatMap((name) => attributes[name] ?? []),
    );
    assert.deepEqual(
      values.filter((value) => /^(?:docs:|\/)/.test(value)),
      [],
    );
    const loaded = values.filter((value) => /\.(?:js|css|json)$/.test(value));
    assert.ok(loaded.length >= 4, file);
    for (const link of [...links, ...loaded]) {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? file : join(dirname(file), path);
      assert.ok(existsSync(join(out, target)), `${file} leads to ${link}`);
      if (anchor !== undefined) assert.ok(pages.get(target)?.ids.includes(anchor), `${file} leads to ${link}`);
    }
  }
});

describe('a request of the reference', () => {
  let service: SharedService;
  let document: Document;
  before(async () => {
    service = shareService();
    document = (await service.client().get('/openapi.json')).body as Document;
  });
  after(() => service.close());

  const asked = (operationId: string) => {
    const place = Object.entries(document.paths)
      .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
      .find(({ operation }) => operation.operationId === operationId);
    assert.ok(place, operationId);
    const [media] = Object.values(place.operation.requestBody?.content ?? {});
    const [example] = Object.values(media?.examples ?? {});
    return { ...place, ...(example && { body: example.value }) };
  };
  const codeOf = (language: string, operationId: string): string =>
    LANGUAGES.find(({ id }) => id === language)?.write(document, asked(operationId)) ?? '';

  const runs = [
    { language: 'typescript', program: [process.execPath, '--input-type=module-typescript', '-e'] },
    { language: 'python', program: ['python3', '-c'], skip: spawnSync('python3', ['--version']).status !== 0 },
  ];
  for (const { language, program, skip = false } of runs)
    test(`runs as it is shown in ${language}: created, paid, charged, read`, { skip }, async () => {
      const { secretKey } = await service.openShop();
      const env: Record<string, string> = { SECRET_KEY: secretKey };
      const run = async (operationId: string): Promise<string> => {
        const [command = '', ...args] = program;
        const options = { cwd: root, env: { ...process.env, ...env } };
        return (await promisify(execFile)(command, [...args, codeOf(language, operationId)], options)).stdout;
      };
      env['PAYMENT_ID'] = /[0-9a-f]{32}/.exec(await run('createPayment'))?.[0] ?? '';
      await run('reserveInSandbox');
      assert.match(await run('chargePayment'), /chargeId/);
      assert.match(await run('getPayment'), /chargedAmount\W+50000/);
      await run('listPayments');
    });

  test('is spelt for PHP with its own arrays and words', () => {
    const body = { text: "it's \\ fine", none: {}, list: [], yes: true, nothing: null };
    const place = { ...asked('chargePayment'), body };
    const php = LANGUAGES.find(({ id }) => id === 'php')?.write(document, place) ?? '';
    assert.ok(php.startsWith('<?php\n'));
    assert.ok(php.includes(`/v1/payments/' . getenv('PAYMENT_ID') . '/charges');`), php);
    assert.ok(php.includes(String.raw`'text' => 'it\'s \\ fine'`), php);
    assert.ok(php.includes(`'none' => new stdClass()`) && php.includes(`'list' => []`), php);
    assert.ok(php.includes("CURLOPT_CUSTOMREQUEST => 'POST'"), php);
  });
});
