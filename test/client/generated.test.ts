// Goal: what the typed client knows of the API is what the API describes: its types, its operations, where their parts go.
// Method: the file is made anew and compared; each operation of openapi.json is called, and what is sent is looked at.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { createClient } from '../../client/client.ts';
import { GENERATED, makeClient, readDescription } from '../../scripts/client.ts';
import { typeOf } from '../../scripts/client/types.ts';

const description = await readDescription();

type Sent = { readonly method: string; readonly path: string; readonly query: string; readonly body: string };
type Calls = Readonly<Record<string, (...args: unknown[]) => unknown>>;

/** A client whose requests go nowhere, and what they were. */
function watch(): { calls: Calls; sent: Sent[] } {
  const sent: Sent[] = [];
  const answer: typeof fetch = async (input, { method, body } = {}) => {
    const { pathname: path, search: query } = new URL(input instanceof Request ? input.url : input);
    sent.push({ method: String(method), path, query, body: (body as string | undefined) ?? 'undefined' });
    return new Response(null, { status: 204 });
  };
  return { calls: createClient({ url: 'http://kassa.example/', secretKey: 'key', fetch: answer }) as never, sent };
}

describe('the typed client', () => {
  test('is as openapi.json describes it: otherwise run npm run client', () => {
    assert.equal(readFileSync(GENERATED, 'utf8'), makeClient(description), 'it is old: npm run client');
  });

  test('has every operation of the API, sent to its address with its parts in place', async () => {
    const { calls, sent } = watch();
    const known = new Set<string>();
    for (const [path, methods] of Object.entries(description.paths)) {
      if (!/^\/(?:report\/)?v1\//.test(path)) continue;
      for (const [method, operation] of Object.entries(methods)) {
        const { operationId, requestBody, parameters = [] } = operation ?? assert.fail();
        known.add(operationId);
        if (operationId === 'streamEvents') continue;
        const ids = [...path.matchAll(/\{\w+\}/g)].map((_, at) => `an id/${at}`);
        const isAsked = parameters.some((parameter) => 'in' in parameter && parameter.in === 'query');
        const given = requestBody || isAsked ? [{ some: 'thing', not: undefined }] : [];
        await calls[operationId]?.(...ids, ...given);
        const { length } = ids;
        let at = 0;
        const expected = path.replaceAll(/\{\w+\}/g, () => `an%20id%2F${at++}`);
        const { body, query, ...where } = sent.at(-1) ?? assert.fail(operationId);
        assert.deepEqual(where, { method: method.toUpperCase(), path: expected }, `${operationId} ${length}`);
        assert.equal(body, requestBody ? '{"some":"thing"}' : 'undefined', operationId);
        assert.equal(query, isAsked ? '?some=thing' : '', operationId);
      }
    }
    assert.ok(known.size > 50);
    assert.deepEqual(Object.keys(calls).toSorted(), [...known].toSorted());
  });

  test('asks for no address with a hole in it', () => {
    const { calls, sent } = watch();
    for (const id of [undefined, '', 7]) assert.throws(() => calls['getPayment']?.(id), TypeError);
    assert.deepEqual(sent, []);
  });

  test('is made of keywords that it knows, and of no other', () => {
    assert.equal(typeOf({ type: 'array', items: { enum: ['a', 1] } }), "ReadonlyArray<'a' | 1>");
    assert.throws(() => typeOf({ type: 'string', oneOf: [] } as never), /No type is known for oneOf/);
    assert.throws(() => typeOf({ type: 'null' }), /No type is known/);
  });

  test('is made for an address and a key', () => {
    assert.throws(() => createClient({ url: 'localhost:8080', secretKey: 'key' }), /url must be an address/);
    assert.throws(() => createClient({ url: 'http://localhost:8080', secretKey: '' }), /secretKey is missing/);
  });
});
