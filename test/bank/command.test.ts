// Goal: whoever starts a bank sees what to do with it, and what is wrong when it does not start. Method: the command as
// people type it, with folders of its own.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { Client } from '../support/client.ts';
import { runCommand } from '../support/commands.ts';
import { launchKassa, until } from '../support/kassa.ts';
import type { Launched } from '../support/kassa.ts';
import { typeIntoShell } from '../support/shell.ts';
import { anOperation } from './an-operation.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kassa-bank-command-'));
});
after(() => rm(folder, { recursive: true, force: true }));

type Open = Pick<Launched, 'child' | 'ended'> & {
  readonly out: () => string;
  readonly err: () => string;
  readonly url: string;
  readonly key: string;
  readonly client: Client;
};

async function open(t: TestContext, ...args: string[]): Promise<Open> {
  const launched = launchKassa(['bank', '--port', '0', ...args], { env: { KASSA_DATA_DIR: join(folder, 'kassa') } });
  t.after(async () => {
    launched.child.kill('SIGKILL');
    await launched.ended;
  });
  const banner = await until('the banner', () => launched.out().endsWith('\n\n') && launched.out());
  const [url = '', keyFile] = [/Address +(\S+)/, /Key +in (\S+)/].map((pattern) => pattern.exec(banner)?.[1]);
  const key = keyFile === undefined ? '' : readFileSync(keyFile, 'utf8').trim();
  const { child, ended } = launched;
  return { child, ended, out: () => launched.out(), err: () => launched.err(), url, key, client: new Client(url, key) };
}

describe('kassa bank', () => {
  test('says where it is and what to type, which does what it says, and warns of nothing', async (t) => {
    const { url, key, out, err, client } = await open(t);
    assert.match(url, /^http:\/\/localhost:\d+$/);
    assert.match(key, /^bank-key-[0-9a-f]{32}$/);
    assert.match(out(), /Book +\S+kassa\/bank\/book\.sqlite, 0 lines\n {2}Faults +none\n/);
    const keyFile = join(folder, 'kassa', 'bank', 'key');
    assert.ok(out().includes(`npx kassa acquirer add bank --url ${url} --key "$(cat '${keyFile}')"\n`), out());
    assert.equal(out().includes(key), false, 'a log keeps no key');
    const lines = out().match(/^curl .*$/gm) ?? [];
    assert.equal(lines.length, 2);
    const { stdout } = await typeIntoShell(lines.join('\necho\n'));
    assert.equal((await client.get('/faults')).body.loseAfter, 0.33);
    assert.ok(stdout.trim().endsWith('{"lines":[]}'), stdout);
    assert.equal(err(), '');
  });

  test('tells every operation in a line on standard error, without its source, and who is refused, and why', async (t) => {
    const { url, client, err } = await open(t, '--data', join(folder, 'news'));
    const good = anOperation();
    await client.must(200, 'POST', '/operations', good);
    await client.must(200, 'POST', '/operations', good);
    const bad = anOperation({ source: 'sim_expired_card', currency: 'JPY' });
    await client.must(200, 'POST', '/operations', bad);
    await client.must(200, 'PUT', '/faults', { errorBefore: 1 });
    const failed = anOperation();
    await client.must(500, 'POST', '/operations', failed);
    const linesOf = (count: number): Promise<string[]> =>
      until(`${count} lines`, () => err().trim().split('\n').length === count && err().trim().split('\n'));
    const lines = await linesOf(4);
    const [time, ...rest] = (lines[0] ?? '').split(/ {2,}/);
    assert.match(time ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.deepEqual(rest, ['reservation', '100.00 SEK', 'approved', good.id]);
    assert.deepEqual((lines[1] ?? '').split(/ {2,}/).slice(3), ['approved', good.id, 'asked again']);
    assert.deepEqual((lines[2] ?? '').split(/ {2,}/).slice(2), ['10000 JPY', 'declined', bad.id]);
    assert.deepEqual((lines[3] ?? '').split(/ {2,}/).slice(3), ['not done', failed.id, 'answered 500']);
    assert.equal(err().includes('sim_'), false);

    // Before anything is looked at: a wrong key, no key, too many.
    await new Client(url, 'another-key').get('/book');
    await new Client(url).post('/operations', anOperation());
    await client.must(200, 'PUT', '/faults', { ratePerSecond: 1 });
    for (const id of ['one', 'two']) await client.get(`/operations/${id}`);
    assert.deepEqual(
      (await linesOf(7)).slice(4).map((line) => line.split(/ {2,}/).slice(1)),
      [
        ['refused', 'GET /book', '401, wrong key'],
        ['refused', 'POST /operations', '401, no key'],
        ['refused', 'GET /operations/two', '429, too many requests a second'],
      ],
    );
  });

  test('one folder has one bank: a second one is told where the first is, and may have it afterwards', async (t) => {
    const data = join(folder, 'shared');
    const first = await open(t, '--data', data);
    const second = await runCommand(['bank', '--port', '0', '--data', data]);
    assert.deepEqual([second.code, second.out], [1, '']);
    assert.equal(
      second.err,
      `kassa: Another bank at ${first.url} uses the folder ${data}: stop it, or choose another one with --data.\n`,
    );
    first.child.kill('SIGKILL');
    await first.ended;
    assert.equal((await (await open(t, '--data', data)).client.get('/book')).status, 200);
  });

  test('has the same key and the same book at the next start, and another key where one is given', async (t) => {
    const data = join(folder, 'again');
    const first = await open(t, '--data', data);
    const operation = anOperation();
    await first.client.must(200, 'POST', '/operations', operation);
    first.child.kill('SIGTERM');
    const { code, err } = await first.ended;
    assert.deepEqual([code, err.endsWith('The bank has stopped.\n')], [0, true]);
    const second = await open(t, '--data', data);
    assert.equal(second.key, first.key);
    assert.match(second.out(), /1 line\n/);
    assert.equal((await second.client.get(`/operations/${operation.id}`)).status, 200);
    second.child.kill('SIGTERM');
    await second.ended;
    const third = await open(t, '--data', data, '--key', 'a-key-of-my-own');
    assert.match(third.out(), /^ {2}Key +as given$/m);
    assert.equal(third.out().includes('a-key-of-my-own'), false);
    assert.equal((await new Client(third.url, 'a-key-of-my-own').get('/book')).status, 200);
    for (const file of ['key', 'book.sqlite', 'book.sqlite-wal', ''])
      assert.equal((await stat(join(data, file))).mode & 0o077, 0, file);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    test(`begins with the faults that it is given; ${signal} ends it cleanly, also while requests hang`, async (t) => {
      const faults = '{"latency": {"kind": "fixed", "ms": 5}, "hangAfter": 1, "die": 0}';
      const { client, child, out, ended } = await open(t, '--faults', faults);
      assert.match(out(), /Faults +\{"latency":\{"kind":"fixed","ms":5\},"hangAfter":1\}\n/);
      assert.equal((await client.get('/faults')).body.hangAfter, 1);
      const already = (await client.get('/book')).body.lines.length;
      const hanging = assert.rejects(client.post('/operations', anOperation()));
      await until('it to act', async () => (await client.get('/book')).body.lines.length > already);
      child.kill(signal);
      const { code, err } = await ended;
      assert.deepEqual([code, err.endsWith('The bank has stopped.\n')], [0, true]);
      await hanging;
    });
});

test('kassa bank book prints the book of a bank that runs, and of one that does not', async (t) => {
  const data = join(folder, 'printed');
  const { client, child, ended } = await open(t, '--data', data);
  const read = async (): Promise<unknown> => {
    const { code, out, err } = await runCommand(['bank', 'book', '--data', data]);
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    return JSON.parse(out);
  };
  assert.deepEqual(await read(), []);
  for (let times = 0; times < 3; times += 1) await client.must(200, 'POST', '/operations', anOperation());
  const { lines } = (await client.get('/book')).body;
  assert.equal(lines.length, 3);
  assert.deepEqual(await read(), lines);
  child.kill('SIGTERM');
  await ended;
  assert.deepEqual(await read(), lines);
});

describe('what cannot be is one sentence', () => {
  const refuse = async (args: readonly string[], sentence: RegExp): Promise<void> => {
    const { code, out, err } = await runCommand(['bank', ...args]);
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, sentence);
    assert.equal(err.split('\n').length, 2, err);
  };

  test('in its options', async () => {
    const data = ['--data', join(folder, 'refused')];
    await refuse(['--port', '70000', ...data], /^kassa: --port is 70000; it must be a number from 0 to 65535\.$/m);
    await refuse(
      ['--faults', 'x', ...data],
      /^kassa: --faults must be JSON, such as --faults '\{"loseAfter": 0\.1\}'\.$/m,
    );
    await refuse(['--faults', '{"hang":2}', ...data], /^kassa: --faults: hang must be a probability from 0 to 1\.$/m);
    await refuse(['--faults', '[]', ...data], /^kassa: --faults must be a JSON object\.$/m);
    await refuse(
      ['--faults', '{"latency":5}', ...data],
      /^kassa: --faults: latency\.kind must be one of none, .+, such as \{"kind":"fixed","ms":200\}\.$/m,
    );
    await refuse(['--key', 'short', ...data], /^kassa: --key must have 8 to 256 visible ASCII characters/m);
    await refuse(
      ['--host', 'no.such.host.example', ...data],
      /^kassa: --host no\.such\.host\.example is not an address/m,
    );
  });

  test('in its folder', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    await refuse(['--data', file], /^kassa: The folder \S+a-file cannot be used: it is a file\. /m);
    await refuse(['--data', join(file, 'below')], /^kassa: The folder \S+below cannot be used: it is a file\. /m);
    await refuse(['--data', '/proc/x', '--port', '0'], /^kassa: The folder \/proc\/x cannot be used: ENOENT/m);
    await refuse(['book', '--data', join(folder, 'none')], /^kassa: There is no book in \S+none\. Set the folder/m);
    const odd = await mkdtemp(join(folder, 'odd-'));
    await writeFile(
      join(odd, 'book.sqlite'),
      'no database at all, but long enough to be looked at by SQLite'.repeat(20),
    );
    await refuse(['--data', odd], /^kassa: The folder \S+ cannot be used: file is not a database\. /m);
    await refuse(['book', '--data', odd], /^kassa: The folder \S+ cannot be used: file is not a database\. /m);
    const keyless = await mkdtemp(join(folder, 'keyless-'));
    await writeFile(join(keyless, 'key'), '\n');
    await refuse(
      ['--data', keyless, '--port', '0'],
      /^kassa: The folder \S+ cannot be used: the file key in it is empty; /m,
    );
  });

  test('at its port', async (t) => {
    const server = createServer().listen(0, '127.0.0.1');
    t.after(() => server.close());
    await until('the port', () => server.listening);
    const { port } = server.address() as AddressInfo;
    await refuse(
      ['--port', String(port), '--data', join(folder, 'port')],
      /^kassa: Port \d+ on 127\.0\.0\.1 is in use: stop the program that uses it, or choose another one with --port\.$/m,
    );
    await assert.rejects(stat(join(folder, 'port')), { code: 'ENOENT' }, 'nothing was made for it');
  });
});
