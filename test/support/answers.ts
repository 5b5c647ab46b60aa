// Exact answers: what a refusal or an empty answer is to the last field and header, so that no test asks for less.
import assert from 'node:assert/strict';
import type { Reply } from './client.ts';

export const DIALECTS = ['spec', 'nexi'] as const;

const JSON_TYPE = 'application/json; charset=utf-8';

function expectText(found: string, expected: string | RegExp): void {
  if (typeof expected === 'string') assert.equal(found, expected);
  else assert.match(found, expected);
}

/** {message, code, source} and nothing else. Only a wrong method names the methods that are allowed. */
export function expectFailure(
  reply: Reply,
  expected: { status: number; code: string; message: string | RegExp; source?: string; allow?: string },
): void {
  const { status, code, message, source = 'internal', allow = null } = expected;
  assert.equal(reply.status, status, reply.text);
  assert.deepEqual(reply.body, { message: reply.body?.message, code, source });
  expectText(reply.body.message, message);
  assert.equal(reply.headers.get('content-type'), JSON_TYPE);
  assert.equal(reply.headers.get('allow'), allow);
}

/** 400 {errors: {field: [text, …]}} with these fields and no others. */
export function expectErrors(reply: Reply, errors: Readonly<Record<string, readonly (string | RegExp)[]>>): void {
  assert.equal(reply.status, 400, reply.text);
  assert.deepEqual(Object.keys(reply.body), ['errors']);
  assert.deepEqual(Object.keys(reply.body.errors), Object.keys(errors), reply.text);
  for (const [field, texts] of Object.entries(errors)) {
    assert.equal(reply.body.errors[field].length, texts.length, reply.text);
    texts.forEach((text, index) => expectText(reply.body.errors[field][index], text));
  }
  assert.equal(reply.headers.get('content-type'), JSON_TYPE);
}

/** A status without a body. */
export function expectNoBody(reply: Reply, status: number): void {
  assert.equal(reply.status, status, reply.text);
  assert.equal(reply.text, '');
  assert.equal(reply.headers.get('content-type'), null);
  assert.equal(reply.headers.get('allow'), null);
}

/** The summary of a payment as a dialect shows it: `nexi` leaves out what is 0. */
export function summaryIn(
  dialect: (typeof DIALECTS)[number],
  amounts: { reserved?: number; charged?: number; refunded?: number; cancelled?: number },
): object {
  const { reserved = 0, charged = 0, refunded = 0, cancelled = 0 } = amounts;
  const all = {
    reservedAmount: reserved,
    chargedAmount: charged,
    refundedAmount: refunded,
    cancelledAmount: cancelled,
  };
  return dialect === 'spec' ? all : Object.fromEntries(Object.entries(all).filter(([, amount]) => amount !== 0));
}
