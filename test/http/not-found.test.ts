// Goal: a person who comes to an address where nothing is reads so, and a program is told so. Method: both
// ask a real service.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('an address where nothing is', () => {
  let service: Service;
  before(async () => {
    service = await startService({ env: { KASSA_PUBLIC_URL: 'https://pay.example.com/kassa' } });
  });
  after(() => service.stop());

  const ask = (path: string, accept: string, method = 'GET'): Promise<Response> =>
    fetch(service.url + path, { method, headers: { accept } });

  for (const path of ['/nowhere', '/nowhere/at/all', '/v1/nowhere?a=%3Cscript%3E'])
    test(`${path} is a page for a person`, async () => {
      const reply = await ask(path, BROWSER);
      assert.equal(reply.status, 404);
      assert.equal(reply.headers.get('content-type'), 'text/html; charset=utf-8');
      const page = await reply.text();
      assert.match(page, /<h1>Nothing is here<\/h1>/);
      assert.match(page, /<a href="\/kassa\/docs">/);
      assert.equal(page.includes('script'), false, 'nothing of the address is repeated');
      const [, style = ''] = /<style>(.*)<\/style>/s.exec(page) ?? [];
      const hash = createHash('sha256').update(style).digest('base64');
      const policy = reply.headers.get('content-security-policy') ?? '';
      assert.ok(policy.includes(`style-src 'sha256-${hash}'`), 'its style is allowed');
      assert.ok(policy.includes("default-src 'none'"));
    });

  test('is a 404 that says so for a program, and for whoever sends something there', async () => {
    for (const [accept, method] of [
      ['*/*', 'GET'],
      ['application/json', 'GET'],
      [BROWSER, 'POST'],
    ] as const) {
      const reply = await ask('/nowhere', accept, method);
      const message = 'Nothing is at this address. /docs describes the API.';
      assert.deepEqual([reply.status, await reply.json()], [404, { message, code: '1000', source: 'internal' }]);
    }
  });

  test('a known path with another method stays 405, and a page that is there is shown', async () => {
    assert.equal((await ask('/docs', BROWSER, 'DELETE')).status, 405);
    assert.equal((await ask('/docs', BROWSER)).status, 200);
  });
});
