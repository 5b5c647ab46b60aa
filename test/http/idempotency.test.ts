// Goal: a request that comes again with its Idempotency-Key is done once and answered the same; with another body it
// is refused. Method: every operation that takes a key, in both dialects, over real HTTP; effects are read back.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectErrors, expectFailure } from '../support/answers.ts';
import type { Client } from '../support/client.ts';
import { expectDoneOnce, isReplayed, keyed, keyedOperations, readEffects } from '../support/keyed-operations.ts';
import { exchange, requestText } from '../support/raw.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

let service: SharedService;
before(async () => {
  service = shareService();
});
after(() => service.close());

/** The same JSON, written by another hand: other white space, other order of fields, other spellings of numbers. */
function rewrite(value: unknown): string {
  if (Array.isArray(value)) return `[ ${value.map(rewrite).join(' ,\n')} ]`;
  if (typeof value === 'number') return Number.isInteger(value) ? `${value}.0` : String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).toReversed();
  return `{\t${fields.map(([name, field]) => `${JSON.stringify(name)} : ${rewrite(field)}`).join(',\r\n ')}}`;
}

for (const dialect of DIALECTS) {
  for (const operation of keyedOperations) {
    const { name, prepare, body, otherBody, status, codeOfOtherBody } = operation;
    describe(`Idempotency-Key on ${name} in the dialect ${dialect}`, () => {
      const open = async (): Promise<{ client: Client; path: string; paymentId?: string }> => {
        const { client } = await service.openShop({ dialect });
        return { client, ...(await prepare(client)) };
      };

      // decision: repeating-an-idempotency-key
      test('the same body: the first answer again with Idempotent-Replayed, and one effect', async () => {
        const { client, path, paymentId } = await open();
        const first = await client.post(path, body, keyed('key-1'));
        assert.equal(first.status, status);
        assert.equal(first.headers.get('idempotent-replayed'), null);
        const effects = await readEffects(client, paymentId);
        for (const _ of [1, 2]) {
          const again = await client.post(path, body, keyed('key-1'));
          assert.deepEqual([again.status, again.text], [status, first.text]);
          assert.equal(again.headers.get('content-type'), first.headers.get('content-type'));
          assert.equal(again.headers.get('idempotent-replayed'), 'true');
        }
        assert.deepEqual(await readEffects(client, paymentId), effects);
        await expectDoneOnce(client, operation, paymentId);
      });

      // decision: repeating-an-idempotency-key
      test('the same JSON written otherwise is the same body', async () => {
        const { client, path } = await open();
        const first = await client.post(path, JSON.stringify(body), keyed('key-1'));
        const rewritten = rewrite(body);
        assert.notEqual(rewritten, JSON.stringify(body));
        const again = await client.post(path, rewritten, keyed('key-1'));
        assert.deepEqual([again.status, again.text, isReplayed(again)], [status, first.text, true]);
      });

      // decision: repeating-an-idempotency-key, body-of-a-refusal
      test('another body: 422, and nothing is done; the key goes on answering the first', async () => {
        const { client, path, paymentId } = await open();
        const first = await client.post(path, body, keyed('key-1'));
        const effects = await readEffects(client, paymentId);
        const message = 'This Idempotency-Key was used with another body; a new request needs a new key.';
        const other = await client.post(path, otherBody, keyed('key-1'));
        expectFailure(other, { status: 422, code: codeOfOtherBody, message });
        assert.equal(isReplayed(other), false);
        assert.deepEqual(await readEffects(client, paymentId), effects);
        assert.equal((await client.post(path, body, keyed('key-1'))).text, first.text);
      });

      test('another key, or none, is another request', async () => {
        const { client, path } = await open();
        const replies = [
          await client.post(path, body, keyed('key-1')),
          await client.post(path, body, keyed('KEY-1')),
          await client.post(path, body),
          await client.post(path, body),
        ];
        assert.ok(replies.every((reply) => !isReplayed(reply)));
        const done = replies.filter((reply) => reply.status === status);
        assert.ok(done.length >= 2);
        if (status === 201) assert.equal(new Set(done.map(({ text }) => text)).size, done.length);
      });

      test('at once: many requests with one key are one', async () => {
        const { client, path, paymentId } = await open();
        const replies = await Promise.all(Array.from({ length: 8 }, () => client.post(path, body, keyed('key-1'))));
        assert.deepEqual(new Set(replies.map((reply) => reply.status)), new Set([status]));
        assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
        assert.equal(replies.filter((reply) => !isReplayed(reply)).length, 1);
        await expectDoneOnce(client, operation, paymentId);
      });

      // decision: idempotency-keys
      test('400 errors.Idempotency-Key: empty, 65 characters, a space, a tab, not ASCII, two of them', async () => {
        const { client, path, paymentId } = await open();
        const effects = await readEffects(client, paymentId);
        const errors = { 'Idempotency-Key': ['must have 1 to 64 visible ASCII characters'] };
        for (const key of ['', 'k'.repeat(65), 'a b', 'a\tb', 'å', '\u00a0a'])
          expectErrors(await client.post(path, body, keyed(key)), errors);
        const headers = { authorization: client.secretKey as string, 'idempotency-key': ['a', 'b'] };
        const [reply] = await exchange(client.url, requestText(`POST ${path}`, headers, JSON.stringify(body)));
        assert.deepEqual([reply?.status, reply?.body], [400, { errors }]);
        assert.deepEqual(await readEffects(client, paymentId), effects);
      });

      // decision: idempotency-keys
      test('keys of 1 and of 64 characters, of any visible ASCII', async () => {
        for (const key of ['k', 'k'.repeat(64), String.raw`!"#$%&'()*+,-./:;<=>?@[\]^_{|}~`]) {
          const { client, path } = await open();
          const first = await client.post(path, body, keyed(key));
          const again = await client.post(path, body, keyed(key));
          assert.deepEqual([first.status, again.status, isReplayed(again)], [status, status, true]);
        }
      });
    });
  }
}
