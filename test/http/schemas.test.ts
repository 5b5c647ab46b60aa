// The schemas of what is sent to routes. They are compiled when they are first needed, and without a look at whether they
// are schemas at all: so that is looked at here.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { COMPILERS, openAjv } from '../../src/server/compile-checks.ts';
import { buildBareApp, routeOthers } from '../support/bare-app.ts';

type Part = { readonly method: string; readonly url: string; readonly httpPart: string; readonly schema: object };

async function collectParts(): Promise<Part[]> {
  const parts: Part[] = [];
  const collect = (part: Part) => {
    parts.push(part);
    return () => true;
  };
  const mocked = mock.method(COMPILERS, 'buildValidator', () => collect as never);
  try {
    await (await buildBareApp('http://localhost', routeOthers)).close();
  } finally {
    mocked.mock.restore();
  }
  return parts;
}

test('every schema of a body, a query or a path is one, and compiles', async () => {
  const parts = await collectParts();
  for (const place of ['POST /v1/payments body', 'GET /v1/payments querystring', 'POST /api/v1/pay body'])
    assert.ok(
      parts.some(({ method, url, httpPart }) => `${method} ${url} ${httpPart}` === place),
      place,
    );
  const ajv = openAjv({ meta: true, validateSchema: true, strictTypes: true });
  for (const { method, url, httpPart, schema } of parts)
    assert.doesNotThrow(() => ajv.compile(schema), `${method} ${url} ${httpPart}`);
});

test('a check tells all that is wrong, and forgets it when the next is right', () => {
  const check = (
    COMPILERS.buildValidator as () => (part: object) => ((data: unknown) => boolean) & { errors?: unknown[] }
  )()({ schema: { type: 'object', required: ['a', 'b'], properties: { a: { type: 'string', format: 'currency' } } } });
  assert.equal(check({ a: 'nothing' }), false);
  assert.equal(check.errors?.length, 2);
  assert.equal(check({ a: 'EUR', b: 1 }), true);
  assert.equal(check.errors, null);
});
