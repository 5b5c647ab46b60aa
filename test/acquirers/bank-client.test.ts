// Goal: the client never throws, never guesses and never gives its key away, whatever comes back. Method: servers that
// answer anything but what the bank would, and a bank on good and bad days.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { bankAcquirer } from '../../src/acquirers/bank-client.ts';
import type { RemoteAcquirer } from '../../src/acquirers/acquirer.ts';
import { startBank } from '../support/bank.ts';
import { aReservation } from './conformance.ts';

const KEY = 'bank-key-of-the-test';
// Where an answer comes, and where none does.
const TIMEOUT_MS = 60_000;
const SHORT_MS = 1_000;
const UNKNOWN = { result: 'unknown' };

function expectUnknown({ result, ...rest }: { readonly result: string; readonly why?: string }, why: RegExp): void {
  assert.equal(result, 'unknown');
  assert.match(rest.why ?? '', why);
}

type Fake = { readonly acquirer: RemoteAcquirer; readonly url: string };

/** An acquirer whose bank answers as the listener does. */
async function pretend(t: TestContext, listener: RequestListener, timeoutMs = TIMEOUT_MS): Promise<Fake> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { acquirer: bankAcquirer({ name: 'fake', url, key: KEY, timeoutMs }), url };
}

const replying =
  (status: number, body: unknown): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

const request = aReservation();
const { movementId: id } = request;

describe('an answer that is not the bank’s word is unknown', () => {
  const NOT_A_BANK = ', but not as a bank';
  const answers: readonly (readonly [what: string, status: number, body: unknown, why: string])[] = [
    ['of another operation', 200, { id: 'other', state: 'approved', at: 1 }, `it answers 200${NOT_A_BANK}`],
    ['with a state of its own', 200, { id, state: 'perhaps', at: 1 }, `it answers 200${NOT_A_BANK}`],
    ['without a body', 200, '', `it answers 200${NOT_A_BANK}`],
    ['that is a page', 200, '<html>approved</html>', `it answers 200${NOT_A_BANK}`],
    ['that is cut in the middle', 200, `{"id":"${id}","state":"approved"`, `it answers 200${NOT_A_BANK}`],
    ['that is null', 200, 'null', `it answers 200${NOT_A_BANK}`],
    ['that is a list', 200, [{ id, state: 'approved' }], `it answers 200${NOT_A_BANK}`],
    ['that is too long', 200, { id, state: 'approved', padding: 'x'.repeat(65_536) }, 'the answer is too long'],
    ['of a proxy that knows no such page', 404, '<html>not found</html>', `it answers 404${NOT_A_BANK}`],
    ['of a server that knows no such path', 404, { message: 'not found' }, `it answers 404${NOT_A_BANK}`],
    ['about another id', 404, { id: 'other', state: 'not_found' }, `it answers 404${NOT_A_BANK}`],
    ['with a status that says otherwise', 202, { id, state: 'approved' }, 'it answers 202'],
    ['on a wrong key', 401, { message: 'no' }, 'it refuses this key (401)'],
    ['on a key that may not', 403, { message: 'no' }, 'it refuses this key (403)'],
    ['on a body that is not understood', 400, { message: 'no' }, 'it answers 400'],
    ['on an id that is taken', 409, { id, state: 'approved' }, 'it answers 409'],
    ['on coming late', 410, { id }, 'it answers 410'],
    ['on a failure', 500, { id, state: 'approved' }, 'it answers 500'],
    ['on a bad gateway', 502, '<html>', 'it answers 502'],
  ];
  for (const [what, status, body, why] of answers)
    test(`one ${what}: ${status}`, async (t) => {
      const { acquirer } = await pretend(t, replying(status, body));
      assert.deepEqual(await acquirer.find(id), { ...UNKNOWN, why });
      assert.deepEqual(await acquirer.send(request), { ...UNKNOWN, why });
      assert.deepEqual(await acquirer.forbid(id), { ...UNKNOWN, why });
    });

  test('on too many requests it says when to come again: a second at least', async (t) => {
    for (const [retryAfter, againAfterMs] of [
      [undefined, 1_000],
      ['0', 1_000],
      ['7', 7_000],
      ['-7', 1_000],
      ['Wed, 21 Oct 2026 07:28:00 GMT', 1_000],
    ] as const) {
      const { acquirer } = await pretend(t, (_request, response) => {
        response.writeHead(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end();
      });
      const said = { ...UNKNOWN, why: 'it answers 429', againAfterMs };
      assert.deepEqual([await acquirer.find(id), await acquirer.send(request)], [said, said]);
    }
  });

  test('a 404 in the words of the bank is its word when it is asked, and not when it is told to act', async (t) => {
    const { acquirer } = await pretend(t, replying(404, { id, state: 'not_found' }));
    assert.deepEqual(await acquirer.find(id), { result: 'not_found' });
    assert.deepEqual(await acquirer.send(request), { ...UNKNOWN, why: `it answers 404${NOT_A_BANK}` });
  });

  test('only the word of the bank says that something is forbidden, and only when it was to be forbidden', async (t) => {
    const { acquirer } = await pretend(t, replying(200, { id, state: 'forbidden' }));
    assert.deepEqual(await acquirer.forbid(id), { result: 'not_found' });
    const why = `it answers 200${NOT_A_BANK}`;
    for (const said of [await acquirer.find(id), await acquirer.send(request)])
      assert.deepEqual(said, { ...UNKNOWN, why });
    for (const [status, body] of [
      [200, { id: 'other', state: 'forbidden' }],
      [201, { id, state: 'forbidden' }],
      [404, { id, state: 'not_found' }],
    ] as const) {
      const other = await pretend(t, replying(status, body));
      assert.equal((await other.acquirer.forbid(id)).result, 'unknown');
    }
  });

  test('a reason is a text that can be stored and shown, whatever was sent', async (t) => {
    for (const [reason, expected] of [
      ['insufficient funds', 'insufficient funds'],
      ['a\u0000b', 'a b'],
      [' line\r\n\tline ', 'line line'],
      ['half a \uD83D', 'half a \uFFFD'],
      ['right\u202Eleft', 'right left'],
      ['\u{1F4B3}'.repeat(300), '\u{1F4B3}'.repeat(200)],
      ['\u0000', 'declined'],
      ['', 'declined'],
    ] as const) {
      const { acquirer } = await pretend(t, replying(200, { id, state: 'declined', reason }));
      assert.deepEqual(await acquirer.find(id), { result: 'declined', reason: expected });
    }
  });

  test('a decline without a reason has one all the same', async (t) => {
    const { acquirer } = await pretend(t, replying(200, { id, state: 'declined', reason: 7, retryable: 'yes' }));
    assert.deepEqual(await acquirer.find(id), { result: 'declined', reason: 'declined' });
  });
});

describe('silence is unknown, and takes no longer than the limit', () => {
  const LATE = /^it does not answer in time$/;
  const silences: readonly (readonly [what: string, listener: RequestListener, why: RegExp])[] = [
    ['without an answer', () => {}, LATE],
    ['in the middle of one', (_request, response) => void response.writeHead(200).write('{"id":'), LATE],
    ['drop by drop', (_request, response) => drip(response), LATE],
    ['as the connection is cut', ({ socket }) => void socket.destroy(), /^it cannot be reached, other side closed$/],
  ];

  function drip(response: ServerResponse): void {
    const timer = setInterval(() => response.write(' '), 50);
    response.once('close', () => clearInterval(timer));
  }

  for (const [what, listener, why] of silences)
    test(what, async (t) => {
      const { acquirer } = await pretend(t, listener, SHORT_MS);
      const startedAt = performance.now();
      for (const said of [await acquirer.send(request), await acquirer.find(id)]) expectUnknown(said, why);
      assert.ok(performance.now() - startedAt < TIMEOUT_MS);
    });

  // decision: acquirer-that-cannot-be-connected-to
  test('where there was no connection, nothing was sent; where there was one, nobody knows', async (t) => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    for (const url of [`http://127.0.0.1:${port}`, `http://localhost:${port}`, 'http://no.such.host.invalid']) {
      const acquirer = bankAcquirer({ name: 'away', url, key: KEY, timeoutMs: TIMEOUT_MS });
      assert.partialDeepStrictEqual(await acquirer.send(request), { ...UNKNOWN, notSent: true });
    }
    for (const [, listener] of silences) {
      const { acquirer } = await pretend(t, listener, SHORT_MS);
      assert.equal('notSent' in (await acquirer.send(request)), false);
    }
  });

  test('nobody there, no such host, no address at all', async () => {
    for (const url of [
      'http://127.0.0.1:1',
      'http://no.such.host.invalid',
      'nonsense',
      'http://user:pass@127.0.0.1:1',
    ]) {
      const acquirer = bankAcquirer({ name: 'away', url, key: KEY, timeoutMs: TIMEOUT_MS });
      for (const said of [await acquirer.send(request), await acquirer.find(id)])
        expectUnknown(said, /^it cannot be reached, .+/);
      await assert.rejects(acquirer.book({}), ({ message }: Error) => {
        assert.match(message, /^The book of the acquirer away cannot be read: .+\.$/);
        return !message.includes(KEY);
      });
    }
  });
});

test('each call is one request, with the key in its header and nowhere else', async (t) => {
  const seen: string[] = [];
  const { acquirer } = await pretend(t, (incoming: IncomingMessage, response) => {
    let text = '';
    incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
    incoming.on('end', () => {
      assert.equal(incoming.headers.authorization, KEY);
      assert.equal(`${incoming.url}${text}`.includes(KEY), false);
      seen.push(`${incoming.method} ${incoming.url} ${text}`);
      response.writeHead(500).end();
    });
  });
  await acquirer.send(request);
  await acquirer.find('a/b?');
  const { movementId, ...rest } = request;
  await acquirer.forbid('a/b?');
  assert.deepEqual(seen, [
    `POST /operations ${JSON.stringify({ id: movementId, ...rest })}`,
    'GET /operations/a%2Fb%3F ',
    'POST /operations/a%2Fb%3F/forbid {}',
  ]);
});

test('it follows no redirection, to wherever', async (t) => {
  let reached = 0;
  const { url } = await pretend(t, (_request, response) => {
    reached += 1;
    response.end(JSON.stringify({ id, state: 'approved' }));
  });
  const { acquirer } = await pretend(t, (_request, response) => {
    response.writeHead(307, { location: `${url}/operations` }).end();
  });
  for (const said of [await acquirer.send(request), await acquirer.find(id)])
    expectUnknown(said, /^it cannot be reached, unexpected redirect$/);
  assert.equal(reached, 0);
});

test('an address with a path and with a slash at its end is kept', async (t) => {
  const paths: (string | undefined)[] = [];
  const { url } = await pretend(t, (incoming, response) => {
    paths.push(incoming.url);
    response.writeHead(500).end();
  });
  await bankAcquirer({ name: 'deep', url: `${url}/banks/1/`, key: KEY, timeoutMs: TIMEOUT_MS }).find(id);
  assert.deepEqual(paths, [`/banks/1/operations/${id}`]);
});

describe('the book', () => {
  test('is refused when it is not one, and says so without the key', async (t) => {
    const line = { id, kind: 'charge', state: 'approved', amount: 1, currency: 'SEK', at: 1 };
    for (const [status, body] of [
      [401, {}],
      [200, 'nonsense'],
      [200, { lines: 'none' }],
      [200, { lines: [null] }],
      [200, { lines: [{ ...line, amount: '1' }] }],
      [200, { lines: [{ ...line, kind: 'gift' }] }],
      [200, { lines: [{ ...line, state: 'pending' }] }],
    ] as const) {
      const { acquirer } = await pretend(t, replying(status, body));
      await assert.rejects(acquirer.book({}), /^Error: The book of the acquirer fake cannot be read: .+\.$/);
    }
    const { acquirer } = await pretend(t, replying(200, { lines: [line] }));
    const { id: movementId, ...rest } = line;
    assert.deepEqual(await acquirer.book({}), { lines: [{ movementId, ...rest }] });
  });
});

test('a bank with another key, away, and back again', async (t) => {
  const bank = await startBank();
  t.after(() => bank.stop());
  const acquirer = bank.acquirer();
  assert.deepEqual(await acquirer.send(request), { result: 'approved' });
  expectUnknown(await bank.acquirer({ key: KEY }).find(id), /^it refuses this key \(401\)$/);
  await assert.rejects(bank.acquirer({ key: KEY }).book({}), /it refuses this key \(401\)/);
  await bank.kill();
  expectUnknown(await acquirer.find(id), /^it cannot be reached, .*ECONNREFUSED/);
  await bank.restart();
  assert.deepEqual(await acquirer.find(id), { result: 'approved' });
});
