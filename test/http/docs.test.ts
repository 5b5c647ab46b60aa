// Goal: GET /docs/api shows all of the API, loads nothing from elsewhere, and cannot be made to run what was put into it.
// Method: the page is read strictly, held against the description it was made of, and rendered once from a hostile one.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { renderPage } from '../../src/docs/reference/page.ts';
import type { Document } from '../../src/api/openapi/document.ts';
import { buildBareApp } from '../support/bare-app.ts';
import type { Reply } from '../support/client.ts';
import { elementsOf, unescape } from '../support/markup.ts';
import type { Element } from '../support/markup.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** The blocks of JSON on a page. */
const blocksOf = (page: string): string[] =>
  Array.from(page.matchAll(/<pre[^>]*><code>([[{].*?)<\/code>/gs), ([, block = '']) =>
    unescape(block.replaceAll(/<[^>]+>/g, '')),
  );

describe('the API reference', () => {
  let service: SharedService;
  let document: Document;
  let reply: Reply;
  let elements: Element[];
  before(async () => {
    service = shareService();
    document = (await service.client().get('/openapi.json')).body;
    reply = await service.client().get('/docs/api');
    elements = elementsOf(reply.text);
  });
  after(() => service.close());

  const operations = () => Object.values(document.paths).flatMap((path) => Object.values(path));
  const events = () =>
    Object.values(document.webhooks).map(({ post }) => ({
      ...post,
      example: JSON.stringify(post.requestBody?.content['application/json']?.examples?.['example']?.value),
    }));
  const values = (attribute: string) => elements.flatMap(({ attributes }) => attributes[attribute] ?? []);

  test('the bare address leads to the documentation', async () => {
    const response = await fetch(`${service.url}/`, { redirect: 'manual' });
    assert.equal(response.status, 302);
    assert.equal(new URL(response.headers.get('location') as string, service.url).pathname, '/docs');
  });

  test('it is served without a key, with headers that let it load only what is its own', () => {
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.deepEqual(reply.headers.get('content-security-policy')?.split('; '), POLICY);
    assert.equal(reply.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(reply.headers.get('x-robots-tag'), 'noindex');
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
  });

  test('page and description are compressed, and sent again only when they changed, with the same headers', async () => {
    const ask = (path: string, headers: Record<string, string>) => fetch(service.url + path, { headers });
    for (const [path, type] of [
      ['/docs', 'text/html; charset=utf-8'],
      ['/docs/api', 'text/html; charset=utf-8'],
      ['/docs/integrate/quick-start', 'text/html; charset=utf-8'],
      ['/openapi.json', 'application/json; charset=utf-8'],
    ] as const) {
      const whole = await ask(path, { 'accept-encoding': 'identity' });
      assert.deepEqual([whole.headers.get('content-type'), whole.headers.get('content-encoding')], [type, null]);
      const text = await whole.text();
      for (const coding of ['br', 'gzip']) {
        const packed = await ask(path, { 'accept-encoding': coding });
        assert.equal(packed.headers.get('content-encoding'), coding);
        assert.equal(await packed.text(), text);
      }
      const known = await ask(path, { 'if-none-match': whole.headers.get('etag') ?? '' });
      assert.equal(known.status, 304);
      for (const { headers } of [whole, known]) {
        assert.equal(headers.get('cache-control'), 'no-cache');
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.equal(headers.get('content-security-policy'), path.startsWith('/docs') ? POLICY.join('; ') : null);
        assert.ok(headers.has('x-request-id'));
      }
    }
  });

  test('it loads a style and a script of this service, and nothing else', async () => {
    const loaded = elements.flatMap(({ name, attributes }) =>
      name === 'link' || name === 'script' || name === 'img'
        ? [attributes['href'] ?? attributes['src'] ?? 'inline']
        : [],
    );
    const files = loaded.filter((address) => !address.startsWith('data:image/svg+xml,'));
    assert.equal(files.length, 2, files.join());
    const types: string[] = [];
    for (const address of files) {
      assert.match(address, /^\/docs\/page\.(?:css|js)\?v=[0-9a-f]{12}$/);
      const file = await service.client().get(address);
      assert.equal(file.status, 200);
      assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(file.headers.get('x-content-type-options'), 'nosniff');
      assert.doesNotMatch(file.text, /url\(|@import|https?:|\bfetch\b|\beval\b|innerHTML/);
      types.push(file.headers.get('content-type') ?? '');
    }
    assert.deepEqual(types.toSorted(), ['text/css; charset=utf-8', 'text/javascript; charset=utf-8']);
  });

  test('nothing in it runs by itself: no inline script, style or handler, no form, no frame', () => {
    const forbidden = elements.filter(
      ({ name, attributes }) =>
        ['style', 'iframe', 'object', 'embed', 'form', 'base'].includes(name) ||
        Object.keys(attributes).some((attribute) => attribute === 'style' || attribute.startsWith('on')),
    );
    assert.deepEqual(forbidden, []);
    assert.match(reply.text, /<script src="[^"]+" defer><\/script>/);
  });

  test('every link leads somewhere, and no two places have one name', async () => {
    const ids = values('id');
    assert.equal(new Set(ids).size, ids.length);
    const links = elements.flatMap(({ name, attributes }) => (name === 'a' ? [attributes['href'] ?? ''] : []));
    for (const link of new Set(links)) {
      if (link.startsWith('#')) assert.ok(ids.includes(link.slice(1)), link);
      else assert.equal((await fetch(new URL(link, service.url))).status, 200, link);
    }
  });

  test('every operation is on it: its anchor, its path, its answers', () => {
    assert.ok(operations().length >= 20);
    for (const { operationId, summary, description } of operations()) {
      assert.ok(values('id').includes(operationId), operationId);
      const text = unescape(reply.text.replaceAll(/<[^>]+>/g, ''));
      assert.ok(text.includes(summary), summary);
      assert.ok(text.includes(description.replaceAll('`', '')), operationId);
    }
    for (const path of Object.keys(document.paths)) assert.ok(reply.text.includes(`<code class="path">${path}</code>`));
  });

  test('every event is on it: its anchor, its name, when it is told, and an example', () => {
    assert.equal(events().length, 19);
    const blocks = new Set(blocksOf(reply.text).map((block) => JSON.stringify(JSON.parse(block))));
    const text = unescape(reply.text.replaceAll(/<[^>]+>/g, ''));
    for (const { operationId, summary, description, example } of events()) {
      assert.ok(values('id').includes(operationId), operationId);
      assert.ok(reply.text.includes(`<code class="path">${summary}</code>`), summary);
      assert.ok(text.includes(description), description);
      assert.ok(blocks.has(example), summary);
    }
  });

  test('every curl line holds a request of the description, ready to be pasted', () => {
    const described = operations().flatMap(({ requestBody }) =>
      Object.values(requestBody?.content['application/json']?.examples ?? {}).map(({ value }) => JSON.stringify(value)),
    );
    const commands = Array.from(reply.text.matchAll(/<code>(curl .*?)<\/code>/gs), ([, command = '']) =>
      unescape(command.replaceAll(/<[^>]+>/g, '')),
    );
    assert.ok(commands.length >= operations().length);
    const url = service.url.replace('127.0.0.1', 'localhost');
    const shown = new Set<string>();
    for (const command of commands) {
      assert.ok(command.includes(`"${url}/`), command);
      const body = / -d '(.*)'$/s.exec(command)?.[1];
      if (body !== undefined) shown.add(JSON.stringify(JSON.parse(body)));
    }
    assert.deepEqual([...shown].toSorted(), [...new Set(described)].toSorted());
  });

  test('every block of JSON parses, and is an example of the description', () => {
    const described = new Set(
      operations()
        .flatMap(({ responses }) => Object.values(responses))
        .concat(Object.values(document.components.responses))
        .flatMap((response) => ('content' in response ? Object.values(response.content ?? {}) : []))
        .flatMap((media) => [media.examples ?? {}, media['x-nexi-examples'] ?? {}])
        .flatMap((examples) => Object.values(examples).map(({ value }) => JSON.stringify(value)))
        .concat(events().map(({ example }) => example)),
    );
    const blocks = blocksOf(reply.text);
    assert.ok(blocks.length >= operations().length);
    for (const block of blocks) assert.ok(described.has(JSON.stringify(JSON.parse(block))), block);
  });

  test('where the codes are many, it leads to their table', () => {
    assert.ok(reply.text.includes('One of the <a href="#error-codes">error codes</a>.'));
    assert.doesNotMatch(reply.text, /closed list:|the schema <code>Failure/);
  });

  test('behind a proxy with a path of its own, links and addresses carry that path', async () => {
    const app = await buildBareApp('https://pay.example.test/kassa');
    const { payload } = await app.inject('/docs/api');
    await app.close();
    assert.match(payload, /href="\/kassa\/docs\/page\.css\?v=/);
    assert.match(payload, /href="\/kassa\/openapi\.json"/);
    assert.match(payload, /curl &quot;https:\/\/pay\.example\.test\/kassa\/v1\/payments&quot;/);
  });

  test('whatever the description holds is shown and never run', () => {
    const evil = `"'><script>alert(1)</script>&`;
    const texts = new Set(['title', 'description', 'summary', 'name', 'example', 'pattern', 'value']);
    const hostile = JSON.parse(JSON.stringify(document), (name, value: unknown) =>
      texts.has(name) && (name === 'value' || typeof value !== 'object') ? evil : value,
    ) as Document;
    const tags = document.tags;
    const links = { page: () => evil, root: evil, css: evil, js: evil, index: evil, openapi: evil, demo: evil };
    const page = renderPage({ ...hostile, tags }, links, { secretKey: evil });
    const scripts = elementsOf(page).filter(({ name }) => name === 'script');
    assert.equal(scripts.length, 1);
    assert.ok(page.includes('&lt;script&gt;alert(1)'));
    assert.ok(!page.includes('<script>alert'));
  });
});
