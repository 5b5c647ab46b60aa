// The service's own description, as a judge of its answers: whatever it answers must be described, status, headers and
// body, and the body must hold nothing that is not.
import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Document, Operation, Response } from '../../src/api/openapi/document.ts';
import { resolve } from '../../src/api/openapi/document.ts';
import type { Reply } from './client.ts';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const formats = { 'date-time': TIMESTAMP, uri: (text: string) => URL.canParse(text) };

/** The same with every object closed, so that a field which nobody described is an error. */
function closed(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(closed);
  const copy = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]));
  const isOpenObject = copy['type'] === 'object' && copy['properties'] && copy['additionalProperties'] === undefined;
  return isOpenObject ? { ...copy, additionalProperties: false } : copy;
}

export class Description {
  readonly document: Document;
  /** What was seen so far: `operationId status`. */
  readonly seen = new Set<string>();
  readonly #operations = new Map<string, Operation>();
  readonly #ajv = new Ajv2020({ formats, allErrors: true, strict: true, strictRequired: false });

  constructor(document: Document) {
    this.document = document;
    this.#ajv.addVocabulary(['components']);
    this.#ajv.addSchema({ $id: 'openapi.json', components: closed(document.components) });
    for (const operations of Object.values(document.paths))
      for (const operation of Object.values(operations)) this.#operations.set(operation.operationId, operation);
  }

  operations(): readonly Operation[] {
    return [...this.#operations.values()];
  }

  /** The body of a documented request. */
  request(operationId: string, index = 0): unknown {
    const { requestBody } = this.#find(operationId);
    const examples = Object.values(requestBody?.content['application/json']?.examples ?? {});
    return examples[index]?.value ?? assert.fail(`${operationId} has no example ${index}`);
  }

  /** Throws unless the reply is described for the operation; its body as well, unless a dialect has one of its own. */
  expect(operationId: string, status: number, reply: Reply, hasOwnBody = false): void {
    const told = `${operationId} ${reply.status}`;
    assert.equal(reply.status, status, `${told}: ${reply.text}`);
    const found = this.#find(operationId).responses[status] ?? assert.fail(`${told} is not described`);
    this.seen.add(told);
    const response = resolve<Response>(this.document, found);
    for (const name of ['Retry-After', 'Idempotent-Replayed', 'X-Request-Id'])
      if (reply.headers.has(name)) assert.ok(response.headers?.[name], `${told}: ${name} is not described`);
    assert.ok(reply.headers.has('x-request-id'), told);
    if (!hasOwnBody) this.#expectBody(told, response, reply);
  }

  #expectBody(told: string, response: Response, reply: Reply): void {
    if (response.content === undefined) {
      assert.equal(reply.text, '', `${told}: a body that is not described`);
      return;
    }
    const type = reply.headers.get('content-type')?.split(';')[0] ?? '';
    const media = response.content[type] ?? assert.fail(`${told}: ${type} is not described`);
    const schema = JSON.parse(JSON.stringify(closed(media.schema)).replaceAll('"#/', '"openapi.json#/')) as object;
    const validate = this.#ajv.compile(schema);
    const body: unknown = type === 'application/json' ? reply.body : reply.text;
    assert.ok(validate(body), `${told}: ${this.#ajv.errorsText(validate.errors)}\n${reply.text}`);
  }

  #find(operationId: string): Operation {
    return this.#operations.get(operationId) ?? assert.fail(`${operationId} is not described`);
  }
}
