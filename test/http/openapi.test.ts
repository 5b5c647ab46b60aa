// Goal: the description of the API is valid, complete and no older than the service. Method: a linter judges the served
// document, and it is held against the routes, the committed file and the published list of error codes.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { definitions } from '../../src/events/definitions.ts';
import type { Document } from '../../src/api/openapi/document.ts';
import { buildBareApp, routesOf } from '../support/bare-app.ts';
import { root } from '../../proof/program.ts';
import { documentOf } from '../../src/api/openapi/complete.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

// What the linter says and we know better.
const EXCEPTIONS: Readonly<Record<string, { because: string; at: RegExp }>> = {
  'no-server-example.com': {
    because: 'a service that one runs oneself is on localhost until it is given an address',
    at: /^#\/servers\/0\/url$/,
  },
  'no-ambiguous-paths': {
    because: 'a bulk is no id of a subscription: the service looks for the word first',
    at: /^#\/paths\/~1v1~1(?:unscheduled)?subscriptions~1/,
  },
  'operation-2xx-response': {
    because: 'clients ask for imported subscriptions, and nothing is imported here',
    at: /^#\/paths\/~1v1~1(?:unscheduled)?subscriptions\/get\/responses$/,
  },
  'operation-4xx-response': {
    because: 'these take nothing that could be wrong',
    at: /^#\/paths\/~1(?:healthz|readyz|metrics|openapi\.json|docs)\/get\/responses$/,
  },
};

// The pages of the documentation and their files are its own business.
const UNDOCUMENTED = new Set([
  'GET /',
  'GET /docs*',
  'GET /docs/api',
  'GET /docs/images/{file}',
  'GET /docs/page.css',
  'GET /docs/page.js',
  'GET /docs/search.js',
  'GET /docs/{section}/{page}',
]);

const CODES = [...Array.from({ length: 33 }, (_, index) => String(1000 + index)), '1099'];

describe('the description of the API', () => {
  let service: SharedService;
  let document: Document;
  let text: string;
  before(async () => {
    service = shareService();
    const reply = await service.client().get('/openapi.json');
    assert.equal(reply.status, 200);
    ({ text, body: document } = reply);
  });
  after(() => service.close());

  test('the linter finds nothing, neither error nor warning', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: text, config, absoluteRef: join(root, 'openapi.json') });
    const found = problems.map(({ ruleId, message, location }) => ({
      ruleId,
      message,
      pointer: location[0]?.pointer ?? '',
    }));
    const unexpected = found.filter(({ ruleId, pointer }) => !EXCEPTIONS[ruleId]?.at.test(pointer));
    assert.deepEqual(unexpected, []);
    for (const ruleId of Object.keys(EXCEPTIONS))
      assert.ok(
        found.some((problem) => problem.ruleId === ruleId),
        `${ruleId} needs no exception any more`,
      );
  });

  test('the committed openapi.json is what the routes say, and what the service serves', async () => {
    const committed = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8')) as Document;
    // As JSON, which has no undefined.
    const made = JSON.parse(JSON.stringify(documentOf('http://localhost:8080'))) as Document;
    assert.deepEqual(committed, made, 'run: npm run openapi');
    assert.deepEqual(document, { ...committed, servers: [{ url: service.url.replace('127.0.0.1', 'localhost') }] });
  });

  test('every route is described, and nothing else', async () => {
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const app = await buildBareApp('http://localhost:8080');
    const routes = routesOf(app);
    await app.close();
    assert.deepEqual(described.toSorted(), routes.filter((route) => !UNDOCUMENTED.has(route)).toSorted());
  });

  test('version, licence and every operation of the specification are there', async () => {
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    assert.equal(document.openapi, '3.1.0');
    assert.equal(document.info.title, 'Kassa');
    assert.equal(document.info.version, manifest.version);
    assert.match(text, /"identifier":"Apache-2.0"/);
    const required: readonly (readonly [string, string, readonly string[]])[] = [
      ['/v1/payments', 'post', ['201', '400', '401', '500']],
      ['/v1/payments/{paymentId}', 'get', ['200', '400', '401', '404', '500']],
      ['/v1/payments/{paymentId}/charges', 'post', ['201', '400', '401', '402', '404', '500']],
      ['/v1/charges/{chargeId}/refunds', 'post', ['201', '400', '401', '404', '500']],
      ['/v1/payments/{paymentId}/cancels', 'post', ['204', '400', '401', '405', '500']],
      ['/v1/payments/{paymentId}/referenceinformation', 'put', ['204', '400', '401', '405', '500']],
      ['/v1/payments/{paymentId}/orderitems', 'put', ['204']],
    ];
    for (const [path, method, statuses] of required) {
      const described = Object.keys(document.paths[path]?.[method]?.responses ?? {});
      assert.deepEqual(
        statuses.filter((status) => !described.includes(status)),
        [],
        path,
      );
    }
  });

  test('every event is described under its name, with its body, as webhooks', () => {
    assert.deepEqual(
      Object.keys(document.webhooks),
      definitions.map(({ name }) => name),
    );
    const ajv = new Ajv2020({ formats: { 'date-time': true }, strict: true, strictRequired: false });
    ajv.addVocabulary(['components']);
    ajv.addSchema({ $id: 'openapi.json', components: document.components });
    for (const [name, { post }] of Object.entries(document.webhooks)) {
      const media = post.requestBody?.content['application/json'] ?? assert.fail(name);
      const validate = ajv.compile({ $ref: `openapi.json${media.schema.$ref}` });
      const { value } = media.examples?.['example'] ?? assert.fail(name);
      assert.ok(validate(value), `${name}: ${ajv.errorsText(validate.errors)}`);
      assert.equal((value as { event: string }).event, name);
      assert.equal(validate({ ...(value as object), event: 'another' }), false);
      assert.deepEqual(Object.keys(post.responses), ['410', '2XX']);
    }
  });

  test('all error codes are listed, each with a line that tells what it means', () => {
    const code = document.components.schemas['Failure']?.properties?.['code'];
    assert.deepEqual(code?.enum, CODES);
    const lines = code?.description?.split('\n').slice(1) ?? [];
    assert.deepEqual(
      lines.map((line) => /^- `(\d{4})` \w+: .+\.$/.exec(line)?.[1]),
      CODES,
    );
  });

  test('every answer with a body has an example, and so has every request', () => {
    for (const operations of Object.values(document.paths))
      for (const { operationId, requestBody, responses } of Object.values(operations)) {
        const bodies = [requestBody, ...Object.values(responses)].flatMap((part) =>
          part && 'content' in part ? Object.values(part.content ?? {}) : [],
        );
        for (const { examples } of bodies) assert.notDeepEqual(examples ?? {}, {}, operationId);
      }
  });

  test('what only our validator knows is not told to others', () => {
    assert.doesNotMatch(text, /x-number-as-text|x-text-as|x-traits|"format":"(?!uri|date-time)/);
  });

  test('it is served without a key, as JSON, and is not kept by a cache', async () => {
    const { headers } = await service.client().get('/openapi.json');
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(headers.get('cache-control'), 'no-cache');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  });
});
