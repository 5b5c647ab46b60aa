// Goal: one POST to an endpoint ends well whatever the endpoint does: it never throws, never hangs, keeps little, and
// says what happened. Method: real local servers, good and bad ones, many of them bare connections that write rubbish.
import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Sent } from '../../src/events/sender.ts';
import { until } from '../support/kassa.ts';
import { aBareEndpoint, anEndpoint, aPost, aSender } from './endpoint.ts';

// Where no answer comes, or none that ends.
const SHORT_MS = 1_000;
// Where the connection must end for another reason than its time.
const LONG_MS = 600_000;
const TIMED_OUT = 'timed out after 1 s';

const replying =
  (status: number, body: string | Buffer = '', headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };

/** All that was told, but for the time it took. */
function told({ ms, ...others }: Sent): Omit<Sent, 'ms'> {
  assert.ok(Number.isSafeInteger(ms) && ms >= 0);
  return others;
}

const closed = (socket: Socket | undefined): Promise<void> =>
  new Promise((resolve) => {
    assert.ok(socket);
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });

describe('what is sent', () => {
  test('is the method, the path, the headers and the body, as they were given', async (t) => {
    const { port, requests } = await anEndpoint(t, replying(200, 'thanks'));
    const body = '{"name":"Blåbær 🫐"}';
    const headers = { 'content-type': 'application/json', authorization: 'Abc-', 'X-Own': '1' };
    const url = `http://localhost:${port}/a%20b/c?d=e&f#part`;
    const sent = await aSender(t).send(aPost(url, { headers, body }));
    assert.deepEqual(told(sent), { status: 200, answer: 'thanks' });
    const [request] = requests;
    assert.deepEqual([request?.method, request?.path, request?.body], ['POST', '/a%20b/c?d=e&f', body]);
    assert.deepEqual(request?.headers, {
      'content-type': 'application/json',
      authorization: 'Abc-',
      'x-own': '1',
      host: `localhost:${port}`,
      connection: 'keep-alive',
      'content-length': String(Buffer.byteLength(body)),
    });
  });

  test('is framed by the sender, whatever headers were given', async (t) => {
    const { url, port, requests } = await anEndpoint(t, replying(200));
    const connection = { Connection: 'upgrade', upgrade: 'h2c', 'keep-alive': '1', 'Proxy-Authorization': 'a' };
    const framing = { 'Content-Length': '1', 'transfer-encoding': 'chunked', TE: 'trailers', Expect: '100-continue' };
    const headers = { Host: 'other.example', ...connection, ...framing };
    const sent = await aSender(t).send(aPost(url, { headers }));
    assert.equal(sent.status, 200);
    assert.deepEqual(requests[0]?.headers, {
      host: `127.0.0.1:${port}`,
      connection: 'keep-alive',
      'content-length': '7',
    });
    assert.equal(requests[0]?.body, '{"a":1}');
  });

  test('is nothing when a header cannot be sent, and the refusal does not repeat it', async (t) => {
    const { url, sockets } = await anEndpoint(t, replying(200));
    const sender = aSender(t);
    for (const [headers, error] of [
      [{ authorization: 'secret\r\nx: y' }, 'a header has a character that cannot be sent'],
      [{ authorization: 'secret-✓' }, 'a header has a character that cannot be sent'],
      [{ 'secret name': 'a' }, 'a header has a name that cannot be sent'],
    ] as const)
      assert.deepEqual(told(await sender.send(aPost(url, { headers }))), { error, answer: '' });
    assert.equal(sockets.length, 0);
  });
});

describe('a status', () => {
  for (const status of [200, 201, 204, 400, 404, 410, 429, 500, 503])
    test(`${status} is told with its answer`, async (t) => {
      const { url } = await anEndpoint(t, replying(status, status === 204 ? '' : 'words'));
      const answer = status === 204 ? '' : 'words';
      assert.deepEqual(told(await aSender(t).send(aPost(url))), { status, answer });
    });

  for (const status of [300, 301, 302, 303, 304, 307, 308])
    test(`${status} is told and not followed`, async (t) => {
      const other = await anEndpoint(t, replying(200));
      const { url, requests } = await anEndpoint(t, replying(status, '', { location: other.url }));
      assert.deepEqual(told(await aSender(t).send(aPost(url))), { status, answer: '' });
      assert.equal(requests.length, 1);
      assert.equal(other.sockets.length, 0);
    });

  test('is told when the end of the connection is the end of the answer', async (t) => {
    for (const head of ['HTTP/1.1 200 OK\r\nconnection: close', 'HTTP/1.0 200 OK', 'HTTP/1.1 200 OK']) {
      const { url } = await aBareEndpoint(t, (socket) => socket.end(`${head}\r\n\r\nwords`));
      assert.deepEqual(told(await aSender(t).send(aPost(url))), { status: 200, answer: 'words' });
    }
  });

  test('of 1xx is not the answer', async (t) => {
    const { url } = await aBareEndpoint(t, (socket) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n');
      socket.write('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 202 Accepted\r\ncontent-length: 2\r\n\r\nok');
    });
    assert.deepEqual(told(await aSender(t).send(aPost(url))), { status: 202, answer: 'ok' });
  });

  test('101 is no answer, since nobody asked for another protocol', async (t) => {
    const { url, sockets } = await aBareEndpoint(t, (socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    });
    const sent = await aSender(t, { timeoutMs: LONG_MS }).send(aPost(url));
    assert.deepEqual(told(sent), { status: 101, error: 'answer changes the protocol', answer: '' });
    await closed(sockets[0]);
  });
});

describe('of the answer', () => {
  const answered = async (t: TestContext, body: Buffer): Promise<string> => {
    const { url } = await anEndpoint(t, replying(200, body));
    const { error, answer } = await aSender(t).send(aPost(url));
    assert.equal(error, undefined);
    return answer;
  };

  test('the first 1,024 bytes are kept', async (t) => {
    assert.equal(await answered(t, Buffer.from('a'.repeat(1_024))), 'a'.repeat(1_024));
    assert.equal(await answered(t, Buffer.from(`${'a'.repeat(1_023)}bc`)), `${'a'.repeat(1_023)}b`);
    assert.equal(await answered(t, Buffer.from(`${'a'.repeat(1_022)}🫐b`)), 'a'.repeat(1_022));
    assert.equal(await answered(t, Buffer.from(`${'a'.repeat(1_020)}🫐b`)), `${'a'.repeat(1_020)}🫐`);
  });

  test('what is no text, or would do something to a terminal, is made harmless', async (t) => {
    const cases: readonly (readonly [bytes: Buffer, text: string])[] = [
      [Buffer.from('line\r\nline\n\tend'), 'line\nline\n\tend'],
      [Buffer.from('a\u0000b\u001b[31mred\u0007\u007f\u009b1m\rx'), 'a�b�[31mred���1m�x'],
      [Buffer.from('a\u202Eb\u2066c\u200Bd\u2028e\uFEFFf'), 'a�b�c�d�e�f'],
      [Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0x28, 0x62]), 'a���(b'],
      [Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62]), 'a���b'],
      [Buffer.from('<b>Blåbær</b> "日本" \\'), '<b>Blåbær</b> "日本" \\'],
    ];
    for (const [bytes, text] of cases) assert.equal(await answered(t, bytes), text);
  });

  test('a rest that is small is read, and the connection used again', async (t) => {
    const { url, sockets, requests } = await anEndpoint(t, replying(200, 'a'.repeat(60_000)));
    const sender = aSender(t);
    // What is told comes before the rest is read, and only then is the connection free.
    await until('a connection that is used again', async () => {
      assert.deepEqual(told(await sender.send(aPost(url))), { status: 200, answer: 'a'.repeat(1_024) });
      return sockets.length < requests.length;
    });
  });

  test('a rest that is large or has no end is left, with the connection', async (t) => {
    const { url, sockets } = await aBareEndpoint(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const pour = (): void => {
        while (!socket.destroyed && socket.write('a'.repeat(10_000)));
      };
      socket.on('drain', pour);
      pour();
    });
    const sent = await aSender(t, { timeoutMs: LONG_MS }).send(aPost(url));
    assert.deepEqual(told(sent), { status: 200, answer: 'a'.repeat(1_024) });
    await closed(sockets[0]);
    assert.ok((sockets[0]?.bytesWritten ?? 0) > 65_536);
  });

  test('a rest that stops is left when the time is over', async (t) => {
    const { url, sockets } = await aBareEndpoint(t, (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n${'a'.repeat(2_000)}`);
    });
    const sent = await aSender(t, { timeoutMs: SHORT_MS }).send(aPost(url));
    assert.deepEqual(told(sent), { status: 200, answer: 'a'.repeat(1_024) });
    await closed(sockets[0]);
  });
});

describe('the time is limited', () => {
  const slowly = (socket: Socket, text: string): void => {
    let index = 0;
    const timer = setInterval(() => {
      socket.write(text.charAt(index % text.length));
      index += 1;
    }, 50);
    socket.on('close', () => clearInterval(timer));
  };
  const cases: readonly (readonly [what: string, talk: (socket: Socket) => void, known: Partial<Sent>])[] = [
    ['nothing comes', () => {}, {}],
    ['a status comes byte by byte', (socket) => slowly(socket, 'HTTP/1.1 200 OK'.padEnd(500)), {}],
    ['blank lines come', (socket) => slowly(socket, '\n'), {}],
    [
      'the body never begins',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n'),
      { status: 200, answer: '' },
    ],
    [
      'the body stops',
      (socket) => socket.write('HTTP/1.1 500 Oh\r\nretry-after: 7\r\ncontent-length: 9\r\n\r\nwords'),
      { status: 500, answer: 'words', retryAfterMs: 7_000 },
    ],
  ];
  for (const [what, talk, known] of cases)
    test(`when ${what}`, async (t) => {
      const { url, sockets } = await aBareEndpoint(t, talk);
      const sent = await aSender(t, { timeoutMs: SHORT_MS }).send(aPost(url));
      assert.deepEqual(told(sent), { answer: '', ...known, error: TIMED_OUT });
      await closed(sockets[0]);
    });

  test('when the body comes a byte at a time', async (t) => {
    const { url, sockets } = await aBareEndpoint(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      slowly(socket, 'a');
    });
    const { status, error, answer } = await aSender(t, { timeoutMs: SHORT_MS }).send(aPost(url));
    assert.deepEqual([status, error], [200, TIMED_OUT]);
    assert.match(answer, /^a{0,60}$/);
    await closed(sockets[0]);
  });

  test('when the name server is silent', async (t) => {
    const sender = aSender(t, { timeoutMs: SHORT_MS, resolve: () => new Promise(() => {}) });
    assert.deepEqual(told(await sender.send(aPost('http://hooks.test/'))), { error: TIMED_OUT, answer: '' });
  });

  test('when hints have no end', async (t) => {
    const { url, sockets } = await aBareEndpoint(t, (socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const sent = await aSender(t, { timeoutMs: SHORT_MS }).send(aPost(url));
    assert.deepEqual(told(sent), { error: TIMED_OUT, answer: '' });
    await closed(sockets[0]);
  });

  test('and whoever is in time does not wait for those who are not', async (t) => {
    const hanging = await aBareEndpoint(t, () => {});
    const good = await anEndpoint(t, replying(200));
    const sender = aSender(t);
    const order: string[] = [];
    const watch = (name: string, url: string): Promise<unknown> => sender.send(aPost(url)).then(() => order.push(name));
    const hung = Array.from({ length: 50 }, () => watch('hanging', hanging.url));
    await Promise.all(Array.from({ length: 50 }, () => watch('good', good.url)));
    assert.deepEqual(new Set(order), new Set(['good']));
    for (const socket of hanging.sockets) socket.destroy();
    await Promise.all(hung);
  });
});

describe('what breaks is told in a few words', () => {
  const cases: readonly (readonly [what: string, talk: (socket: Socket) => void, expected: Partial<Sent>])[] = [
    ['a reset', (socket) => socket.resetAndDestroy(), { error: 'connection reset' }],
    ['an end without an answer', (socket) => socket.end(), { error: 'connection reset' }],
    ['a reset in the status', (socket) => socket.end('HTTP/1.1 20'), { error: 'connection reset' }],
    [
      'an end in the body',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nwords'),
      { status: 200, error: 'answer broke off', answer: 'words' },
    ],
    [
      'an end in a chunk',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nwords'),
      { status: 200, error: 'answer broke off', answer: 'words' },
    ],
    ['another protocol', (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'), { error: 'answer is not HTTP' }],
    ['HTTP/0.9', (socket) => socket.end('<html>thanks</html>'), { error: 'answer is not HTTP' }],
    ['zeroes', (socket) => socket.end(Buffer.alloc(500)), { error: 'answer is not HTTP' }],
    ['a status of letters', (socket) => socket.end('HTTP/1.1 abc OK\r\n\r\n'), { error: 'answer is not HTTP' }],
    [
      'a length below zero',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'),
      { error: 'answer is not HTTP' },
    ],
    [
      'a length and chunks',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
      { error: 'answer is not HTTP' },
    ],
    [
      'a header without end',
      (socket) => socket.end(`HTTP/1.1 200 OK\r\na: ${'b'.repeat(100_000)}`),
      { error: 'headers of the answer are too large' },
    ],
    [
      'many headers',
      (socket) => socket.end(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}\r\n`),
      { error: 'headers of the answer are too large' },
    ],
  ];
  for (const [what, talk, expected] of cases)
    test(what, async (t) => {
      const { url, sockets } = await aBareEndpoint(t, talk);
      assert.deepEqual(told(await aSender(t, { timeoutMs: LONG_MS }).send(aPost(url))), { answer: '', ...expected });
      assert.equal(sockets.length, 1, 'a new connection that fails is not tried again');
      await closed(sockets[0]);
    });

  test('an answer that comes before the body was read counts', async (t) => {
    const { url, sockets } = await aBareEndpoint(t, (socket) => {
      socket.pause();
      socket.write('HTTP/1.1 413 Content Too Large\r\ncontent-length: 5\r\n\r\nlarge');
    });
    const sent = await aSender(t, { timeoutMs: LONG_MS }).send(aPost(url, { body: 'a'.repeat(20_000_000) }));
    assert.deepEqual(told(sent), { status: 413, answer: 'large' });
    sockets[0]?.resume();
    await closed(sockets[0]);
    assert.ok((sockets[0]?.bytesRead ?? 0) < 20_000_000);
  });

  test('nobody there', async (t) => {
    const endpoint = await aBareEndpoint(t, () => {});
    await endpoint.stop();
    assert.deepEqual(told(await aSender(t).send(aPost(endpoint.url))), { error: 'connection refused', answer: '' });
  });

  test('no such name', async (t) => {
    const nobody = aSender(t, { resolve: () => Promise.resolve([]) });
    assert.deepEqual(told(await nobody.send(aPost('http://a.test/'))), { error: 'name not found', answer: '' });
    for (const [code, error] of [
      ['ENOTFOUND', 'name not found'],
      ['ENODATA', 'name not found'],
      ['EAI_AGAIN', 'name server does not answer'],
      ['ETIMEOUT', 'name server does not answer'],
      ['ESERVFAIL', 'name server failed'],
      ['EODD', 'connection failed (EODD)'],
      ['secret of the error', 'connection failed'],
    ]) {
      const failure = Object.assign(new Error('secret'), { code });
      const sender = aSender(t, { resolve: () => Promise.reject(failure) });
      assert.deepEqual(told(await sender.send(aPost('http://a.test/'))), { error, answer: '' });
    }
  });
});

describe('Retry-After', () => {
  const asked = async (t: TestContext, text: string): Promise<number | undefined> => {
    const { url } = await anEndpoint(t, replying(503, '', { 'retry-after': text }));
    return (await aSender(t).send(aPost(url))).retryAfterMs;
  };

  test('is seconds', async (t) => {
    assert.equal(await asked(t, '0'), 0);
    assert.equal(await asked(t, '120'), 120_000);
    assert.equal(await asked(t, '9'.repeat(400)), Number.MAX_SAFE_INTEGER);
  });

  test('or a date', async (t) => {
    const inAnHour = (await asked(t, new Date(Date.now() + 3_600_000).toUTCString())) ?? 0;
    assert.ok(inAnHour > 3_000_000 && inAnHour <= 3_600_000);
    assert.equal(await asked(t, 'Sun, 06 Nov 1994 08:49:37 GMT'), 0);
    assert.equal(await asked(t, 'Sunday, 06-Nov-94 08:49:37 GMT'), 0);
  });

  test('and otherwise nothing', async (t) => {
    for (const text of ['', '-1', '1.5', '1e9', 'soon', '2099-01-01', 'Sun, 99 Nov 2099 08:49:37 GMT', '1, 2'])
      assert.equal(await asked(t, text), undefined, text);
  });
});
