// Goal: whom the sender connects to. No address that the merchant may not use is reached, whatever DNS says and whenever
// it says it; TLS is checked; connections are kept, and one that went stale costs nothing. Method: real servers that
// count their connections, certificates of the fixtures, and a name server of the test's own that changes its mind.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { refuseAddress } from '../../src/events/addresses.ts';
import { leaveForbidden } from '../../src/outbound/exchange.ts';
import { until } from '../support/kassa.ts';
import { aBareEndpoint, anEndpoint, aPost, aSecureEndpoint, aSender } from './endpoint.ts';
import type { Certificate } from './endpoint.ts';

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../fixtures/tls', name));

// Of one authority, from 2020 to 2120: for localhost, hooks.test and 127.0.0.1; for elsewhere.test; and one that ended.
const certificate = (name: 'good' | 'elsewhere' | 'expired'): Certificate => ({
  key: fixture('server.key'),
  cert: fixture(`${name}.crt`),
});

function trustFixtures(t: TestContext): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, fixture('authority.crt').toString()]);
  t.after(() => setDefaultCACertificates(before));
}

const OK: RequestListener = (_, response) => response.end('ok');

/** Gives one answer after the other, and the last one for good. */
function changingNames(...answers: (readonly string[])[]) {
  const asked: string[] = [];
  const resolve = (name: string): Promise<readonly string[]> => {
    asked.push(name);
    return Promise.resolve(answers[Math.min(asked.length, answers.length) - 1] ?? []);
  };
  return { asked, resolve };
}

const LINK_LOCAL = 'url must not lead to a link-local address';
const METADATA = 'url must not lead to a metadata address';
const LOOPBACK = 'url must not lead to a loopback address for a live merchant';
const PRIVATE = 'url must not lead to a private address for a live merchant';

describe('an address that the merchant may not use', () => {
  test('is refused as it stands in the url', async (t) => {
    const { port, sockets } = await anEndpoint(t, OK);
    const { resolve, asked } = changingNames([]);
    const sender = aSender(t, { resolve });
    for (const [url, live, error] of [
      [`https://127.0.0.1:${port}/`, true, LOOPBACK],
      [`https://2130706433:${port}/`, true, LOOPBACK],
      [`https://[::ffff:127.0.0.1]:${port}/`, true, LOOPBACK],
      [`http://127.0.0.1:${port}/`, true, 'url must be https for a live merchant'],
      [`https://localhost:${port}/`, true, 'url must have a public host name for a live merchant'],
      [`http://0:${port}/`, false, 'url must not lead to an unspecified address'],
      [`http://[::]:${port}/`, false, 'url must not lead to an unspecified address'],
      ['http://169.254.169.254/latest/meta-data/', false, METADATA],
      ['http://[fe80::1]/', false, LINK_LOCAL],
      [`http://me:secret@127.0.0.1:${port}/`, false, 'url must not have a user name or a password'],
      ['rubbish', false, 'url must be an http or https address'],
    ] as const) {
      const sent = await sender.send(aPost(url, { live }));
      assert.deepEqual(sent, { error, ms: 0, answer: '', refused: true }, url);
    }
    assert.equal(sockets.length, 0);
    assert.deepEqual(asked, []);
  });

  test('is refused when a name leads there', async (t) => {
    const { port, sockets } = await aSecureEndpoint(t, certificate('good'), OK);
    for (const [address, live, error] of [
      ['127.0.0.1', true, LOOPBACK],
      ['::ffff:127.0.0.1', true, LOOPBACK],
      ['10.0.0.1', true, PRIVATE],
      ['fd00::1', true, PRIVATE],
      ['169.254.169.254', true, METADATA],
      ['169.254.169.254', false, METADATA],
      ['::ffff:169.254.169.254', false, METADATA],
      ['fe80::1%lo', false, LINK_LOCAL],
      ['0.0.0.0', false, 'url must not lead to an unspecified address'],
      ['127.1', false, 'url must lead to an IP address'],
      ['other.test', false, 'url must lead to an IP address'],
    ] as const) {
      const { ms: _, ...sent } = await aSender(t, { resolve: changingNames([address]).resolve }).send(
        aPost(`https://hooks.test:${port}/`, { live }),
      );
      assert.deepEqual(sent, { error, answer: '', refused: true }, address);
    }
    assert.equal(sockets.length, 0, 'nothing was connected to');
  });

  test('is refused together with good ones, wherever it stands among them', async (t) => {
    const { port, sockets } = await aSecureEndpoint(t, certificate('good'), OK);
    for (const [live, error, addresses] of [
      [true, LOOPBACK, ['127.0.0.1', '8.8.8.8']],
      [true, LOOPBACK, ['8.8.8.8', '127.0.0.1']],
      [true, LOOPBACK, ['8.8.8.8', '127.0.0.1', '2001:4860:4860::8888']],
      [false, LINK_LOCAL, ['127.0.0.1', '169.254.1.1']],
      [false, LINK_LOCAL, ['169.254.1.1', '127.0.0.1']],
      [false, LINK_LOCAL, ['127.0.0.1', '::1', 'fe80::1']],
    ] as const) {
      const { resolve } = changingNames(addresses);
      const sent = await aSender(t, { resolve }).send(aPost(`https://hooks.test:${port}/`, { live }));
      assert.deepEqual([sent.error, sent.refused], [error, true], addresses.join());
    }
    assert.equal(sockets.length, 0);
  });

  test('is never reached by a name that changes between the check and the connection', async (t) => {
    const { port, requests } = await anEndpoint(t, OK);
    const url = `http://hooks.test:${port}/`;
    const { resolve, asked } = changingNames(['127.0.0.1'], ['169.254.169.254']);
    const sender = aSender(t, { resolve });
    // What was judged is what is connected to: the name is asked for once.
    assert.equal((await sender.send(aPost(url))).status, 200);
    assert.deepEqual(asked, ['hooks.test']);
    assert.equal(requests.length, 1);
  });

  test('is not reached by a later connection, when the name has changed', async (t) => {
    const { port, requests, sockets } = await anEndpoint(t, (_, response) => {
      response.setHeader('connection', 'close').end();
    });
    const url = `http://hooks.test:${port}/`;
    const { resolve, asked } = changingNames(['127.0.0.1'], ['169.254.169.254']);
    const sender = aSender(t, { resolve });
    assert.equal((await sender.send(aPost(url))).status, 200);
    const { error, refused } = await sender.send(aPost(url));
    assert.deepEqual({ error, refused }, { error: METADATA, refused: true });
    assert.deepEqual([asked.length, requests.length, sockets.length], [2, 1, 1]);
  });

  test('is not reached by the second try of a connection that went stale', async (t) => {
    const { url: plain, sockets } = await aBareEndpoint(t, (socket) => {
      socket.on('data', () => socket.resetAndDestroy());
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    const url = plain.replace('127.0.0.1', 'hooks.test');
    const sender = aSender(t, { resolve: changingNames(['127.0.0.1'], ['169.254.169.254']).resolve });
    assert.equal((await sender.send(aPost(url))).status, 200);
    const { error, refused } = await sender.send(aPost(url));
    assert.deepEqual({ error, refused }, { error: METADATA, refused: true });
    assert.equal(sockets.length, 1);
  });

  test('is left even when a connection has come there', async (t) => {
    const { port } = await anEndpoint(t, OK);
    const [forbidden, allowed] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    t.after(() => allowed.destroy());
    leaveForbidden(forbidden, (address) => refuseAddress(address, 'live'));
    leaveForbidden(allowed, (address) => refuseAddress(address, 'home'));
    await assert.rejects(once(forbidden, 'end'), { message: LOOPBACK.slice('url '.length) });
    assert.equal(forbidden.destroyed, true);
    if (allowed.connecting) await once(allowed, 'connect');
    assert.equal(allowed.destroyed, false);
  });

  test('is not reached through a connection that a test merchant’s delivery has left', async (t) => {
    trustFixtures(t);
    const { port, requests, sockets } = await aSecureEndpoint(t, certificate('good'), OK);
    const sender = aSender(t, { resolve: changingNames(['127.0.0.1']).resolve });
    const url = `https://hooks.test:${port}/`;
    assert.equal((await sender.send(aPost(url))).status, 200);
    const { error, refused } = await sender.send(aPost(url, { live: true }));
    assert.deepEqual({ error, refused }, { error: LOOPBACK, refused: true });
    assert.deepEqual([requests.length, sockets.length], [1, 1]);
  });
});

describe('TLS', () => {
  const toward = (port: number, host = 'hooks.test') => aPost(`https://${host}:${port}/hook`);
  const { resolve } = changingNames(['127.0.0.1']);

  test('is spoken with a name, with the dot of a full name, and with an address', async (t) => {
    trustFixtures(t);
    const { port, requests } = await aSecureEndpoint(t, certificate('good'), ({ socket }, response) => {
      response.end(String((socket as TLSSocket).servername));
    });
    const sender = aSender(t, { resolve });
    for (const [host, serverName] of [
      ['hooks.test', 'hooks.test'],
      ['hooks.test.', 'hooks.test'],
      ['127.0.0.1', 'false'],
      ['HOOKS.test', 'hooks.test'],
    ] as const) {
      const { ms: _, ...sent } = await sender.send(toward(port, host));
      assert.deepEqual(sent, { status: 200, answer: serverName }, host);
    }
    assert.deepEqual(
      requests.map(({ headers }) => headers.host),
      ['hooks.test', 'hooks.test.', '127.0.0.1', 'hooks.test'].map((host) => `${host}:${port}`),
    );
  });

  for (const [name, error] of [
    ['expired', 'certificate has expired'],
    ['elsewhere', 'certificate is for another name'],
  ] as const)
    test(`is refused: ${error}`, async (t) => {
      trustFixtures(t);
      const { port, requests } = await aSecureEndpoint(t, certificate(name), OK);
      const { ms: _, ...sent } = await aSender(t, { resolve }).send(toward(port));
      assert.deepEqual(sent, { error, answer: '' });
      assert.equal(requests.length, 0);
    });

  test('is refused when nobody knows who signed', async (t) => {
    const { port, requests } = await aSecureEndpoint(t, certificate('good'), OK);
    const { error } = await aSender(t, { resolve }).send(toward(port));
    assert.equal(error, 'certificate is of an unknown authority');
    assert.equal(requests.length, 0);
  });

  test('fails in plain words where it is not spoken, and the other way round', async (t) => {
    const plain = await anEndpoint(t, OK);
    assert.equal((await aSender(t, { resolve }).send(toward(plain.port))).error, 'TLS failed');
    const secure = await aSecureEndpoint(t, certificate('good'), OK);
    const { error } = await aSender(t, { resolve }).send(aPost(`http://hooks.test:${secure.port}/`));
    assert.match(error ?? '', /^(?:answer is not HTTP|connection reset)$/);
  });
});

describe('connections', () => {
  test('are used again, and are as many as there are posts at once', async (t) => {
    const { url, sockets, requests } = await anEndpoint(t, OK);
    const sender = aSender(t);
    for (const _ of Array.from({ length: 20 })) {
      const sent = await Promise.all(Array.from({ length: 10 }, (__, index) => sender.send(aPost(`${url}/${index}`))));
      assert.ok(sent.every(({ status, error }) => status === 200 && error === undefined));
    }
    assert.equal(requests.length, 200);
    assert.ok(sockets.length <= 10, `${sockets.length} connections`);
  });

  test('that the other side has closed meanwhile are replaced, and nothing is told of it', async (t) => {
    let resets = 0;
    const { url, sockets } = await aBareEndpoint(t, (socket) => {
      // The next request on the same connection finds it closed.
      socket.on('data', () => {
        resets += 1;
        socket.resetAndDestroy();
      });
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    });
    const sender = aSender(t);
    const sendAtOnce = async (count: number): Promise<void> => {
      for (const { ms: _, ...sent } of await Promise.all(Array.from({ length: count }, () => sender.send(aPost(url)))))
        assert.deepEqual(sent, { status: 200, answer: 'ok' });
    };
    await sendAtOnce(3);
    await sendAtOnce(1);
    assert.deepEqual([sockets.length, resets], [4, 1], 'the second try is not on another one that may be stale');
    await sendAtOnce(2);
    assert.deepEqual([sockets.length, resets], [6, 3]);
  });

  test('that have gone stale are replaced with TLS as well', async (t) => {
    trustFixtures(t);
    const used = new WeakSet();
    const { port, sockets } = await aSecureEndpoint(t, certificate('good'), ({ socket }, response) => {
      if (used.has(socket)) socket.destroy();
      else response.end('ok');
      used.add(socket);
    });
    const sender = aSender(t, { resolve: changingNames(['127.0.0.1']).resolve });
    for (const _ of Array.from({ length: 3 })) {
      const { ms: __, ...sent } = await sender.send(aPost(`https://hooks.test:${port}/`));
      assert.deepEqual(sent, { status: 200, answer: 'ok' });
    }
    assert.equal(sockets.length, 3);
  });

  test('are replaced once only', async (t) => {
    const { url, sockets } = await aBareEndpoint(t, (socket, index) => {
      if (index > 0) {
        socket.resetAndDestroy();
        return;
      }
      socket.on('data', () => socket.resetAndDestroy());
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    const sender = aSender(t);
    assert.equal((await sender.send(aPost(url))).status, 200);
    assert.equal((await sender.send(aPost(url))).error, 'connection reset');
    assert.equal(sockets.length, 2);
  });

  test('on which an answer had begun are not replaced', async (t) => {
    const { url, sockets } = await aBareEndpoint(t, (socket) => {
      socket.on('data', () => socket.end('HTTP/1.1 2'));
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    const sender = aSender(t);
    assert.equal((await sender.send(aPost(url))).status, 200);
    assert.equal((await sender.send(aPost(url))).error, 'connection reset');
    assert.equal(sockets.length, 1);
  });

  test('end with the sender, and so does what is under way', async (t) => {
    const { url, sockets, requests } = await anEndpoint(t, (request, response) => {
      if (request.url === '/hook') response.end();
    });
    const sender = aSender(t);
    await sender.send(aPost(url));
    const hanging = sender.send(aPost(`${url}/never`));
    const ended = Promise.all(sockets.map((socket) => once(socket, 'close')));
    await until('the second request', () => requests.length === 2);
    sender.close();
    assert.equal((await hanging).error, 'connection reset');
    await ended;
    assert.equal((await sender.send(aPost(url))).error, 'sending has ended');
    assert.equal(sockets.length, 1);
  });
});
