// Goal: an endpoint and an acquirer are found and called though others hold all threads of the process, as dead names
// once did. Method: as many files are opened as there are threads, each a pipe that nobody writes to.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, open, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { bankAcquirer } from '../../src/acquirers/bank-client.ts';
import { aPost, aSender } from '../events/endpoint.ts';

// As many as Node has, unless it is told otherwise.
const THREADS = 4;
const TIMEOUT_MS = 30_000;

type Held = { readonly freed: Promise<unknown>; readonly isAnyFree: () => boolean; free(): void };

async function holdThreads(t: TestContext): Promise<Held> {
  const folder = await mkdtemp(join(tmpdir(), 'kassa-threads-'));
  t.after(() => rm(folder, { recursive: true }));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  let freed = 0;
  const opening = Array.from(
    { length: THREADS },
    () =>
      new Promise<void>((resolve) => {
        open(pipe, 'r', (_error, file) => {
          freed += 1;
          closeSync(file);
          resolve();
        });
      }),
  );
  const free = (): void => closeSync(openSync(pipe, 'r+'));
  return { freed: Promise.all(opening), isAnyFree: () => freed > 0, free };
}

test(
  'an endpoint and an acquirer are found by name while all threads are held',
  { skip: process.platform === 'win32' },
  async (t) => {
    const server = createServer((request, response) => {
      request.resume();
      response.end(JSON.stringify({ id: 'm', state: 'not_found' }));
      response.statusCode = 404;
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const url = `http://localhost:${(server.address() as AddressInfo).port}`;
    const held = await holdThreads(t);
    try {
      const sender = aSender(t, { timeoutMs: TIMEOUT_MS });
      const acquirer = bankAcquirer({ name: 'bank', url, key: 'key-of-the-test', timeoutMs: TIMEOUT_MS });
      const [sent, found] = await Promise.all([sender.send(aPost(url)), acquirer.find('m')]);
      assert.equal(sent.status, 200);
      assert.equal(found.result, 'unknown');
      assert.equal(held.isAnyFree(), false, 'all are held still');
    } finally {
      held.free();
      await held.freed;
    }
  },
);
