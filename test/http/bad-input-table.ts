// Bad requests as data: what a row is, how its bytes are made, and what every refusal must look like whatever the
// request was. The rows themselves stand in the files beside, by subject.
import assert from 'node:assert/strict';
import { aCreate, anItem } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { requestText } from '../support/raw.ts';
import type { Bytes, RawReply } from '../support/raw.ts';

export type Row = {
  readonly name: string;
  /** Method and path; {created}, {reserved}, {chargeId} and {refundId} stand for ids of payments that exist. */
  readonly line?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Bytes;
  /** The whole request as it is written to the socket, instead of the three above; {key} stands for a valid key. */
  readonly bytes?: Bytes;
  /** Closes the sending side after the last byte. */
  readonly end?: boolean;
  /** Undefined: the connection is closed without an answer. */
  readonly status: number | undefined;
  /** The fields that a 400 names, all of them. */
  readonly errors?: readonly string[];
};

/** What rows refer to: a valid key, and payments that are there to be spoilt. */
export type Ground = {
  readonly key: string;
  readonly created: string;
  readonly reserved: string;
  readonly chargeId: string;
  readonly refundId: string;
};

export async function layGround(client: Client): Promise<Ground> {
  const [created, reserved] = [await client.create(), await client.createReserved()];
  const chargeId = await client.charge(reserved, 60_000);
  const refundId = await client.refund(chargeId, 10_000);
  return { key: client.secretKey as string, created, reserved, chargeId, refundId };
}

export const CARD_NUMBER = '4925000000000004';

/** What no answer may repeat, whatever field it came in. */
export const secretsOf = ({ key }: Ground): string[] => [key, key.slice(-32), CARD_NUMBER, '4925 0000 0000 0004'];

const MOVE = { amount: 1_000, orderItems: [anItem({ grossTotalAmount: 1_000 })] };

/** Every operation that reads a body, with one that is taken. */
export const OPERATIONS = {
  create: { line: 'POST /v1/payments', body: aCreate() as object },
  charge: { line: 'POST /v1/payments/{reserved}/charges', body: MOVE },
  cancel: { line: 'POST /v1/payments/{reserved}/cancels', body: MOVE },
  refund: { line: 'POST /v1/charges/{chargeId}/refunds', body: MOVE },
  refundPayment: { line: 'POST /v1/payments/{reserved}/refunds', body: MOVE },
  cart: { line: 'PUT /v1/payments/{created}/orderitems', body: { amount: 100_000, items: [anItem()] } },
  reference: {
    line: 'PUT /v1/payments/{created}/referenceinformation',
    body: { reference: 'order-2', checkoutUrl: 'https://shop.example/checkout' },
  },
  myReference: { line: 'PUT /v1/payments/{created}/myreference', body: { myReference: 'mine' } },
  reserve: {
    line: 'POST /v1/sandbox/payments/{created}/reserve',
    body: { card: CARD_NUMBER, paymentType: 'CARD', consumer: { email: 'kari@example.test' } },
  },
  terminate: { line: 'PUT /v1/payments/{created}/terminate', body: {} },
} as const;

export type OperationKey = keyof typeof OPERATIONS;
export const OPERATION_KEYS = Object.keys(OPERATIONS) as OperationKey[];

const fillIn = (text: string, ground: Ground): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => ground[name as keyof Ground] ?? whole);

/** The bytes of a row: with a valid key and, where there is a body, as JSON, unless the row says otherwise. */
export function bytesOf({ line = '', headers, body = '', bytes }: Row, ground: Ground): Buffer {
  if (bytes !== undefined)
    return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.replaceAll('{key}', ground.key), 'latin1');
  const usual = { Authorization: ground.key, ...(body.length > 0 && { 'Content-Type': 'application/json' }) };
  return requestText(fillIn(line, ground), { ...usual, ...headers }, body);
}

const CODE = /^10(?:[0-2]\d|3[0-2])$/;
const WITHOUT_BODY = new Set([401, 404, 417]);
/** Answered by Node itself, before there is a request of ours. */
const WITHOUT_ID = 417;
const TRACES = /\bat .{1,200}:\d+:\d+|node_modules|\.ts\b|Error:|select |insert |postgres/i;

/** What holds of every answer, whatever was asked: no failure of ours, the contract's shape, and nothing leaked. */
export function expectContract(reply: RawReply, secrets: readonly string[]): void {
  const { status, headers, text, body } = reply;
  const shown = `${status} ${text.slice(0, 500)}`;
  assert.ok(status < 500, shown);
  if (status !== WITHOUT_ID) assert.match(headers['x-request-id'] ?? '', /^[\w.-]{1,64}$/, shown);
  for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} in ${shown}`);
  if (status < 400) return;
  assert.doesNotMatch(text, TRACES);
  // Of a path that there is not, something is said.
  if (WITHOUT_BODY.has(status) && !(status === 404 && text !== '')) {
    assert.equal(text, '');
    return;
  }
  assert.equal(headers['content-type'], 'application/json; charset=utf-8', shown);
  if (status !== 400) {
    assert.deepEqual(Object.keys(body), ['message', 'code', 'source'], shown);
    assert.match(body.code, CODE);
    assert.ok(body.message.length > 0 && body.source.length > 0, shown);
    return;
  }
  assert.deepEqual(Object.keys(body), ['errors'], shown);
  const fields = Object.entries(body.errors as Record<string, string[]>);
  assert.ok(fields.length > 0, 'a 400 names a field');
  for (const [field, texts] of fields) {
    assert.ok(field.length > 0 && texts.length > 0, shown);
    for (const each of texts) assert.ok(typeof each === 'string' && each.length > 0, shown);
  }
}

/** The answer that a row expects. */
export function expectRow(row: Row, replies: readonly RawReply[], secrets: readonly string[]): void {
  const reply = replies.find(({ status }) => status >= 200);
  if (row.status === undefined) {
    assert.equal(reply, undefined);
    return;
  }
  assert.ok(reply, 'an answer came');
  assert.equal(reply.status, row.status, reply.text.slice(0, 500));
  expectContract(reply, secrets);
  if (row.status === 400) assert.deepEqual(Object.keys(reply.body.errors).toSorted(), row.errors?.toSorted());
}
