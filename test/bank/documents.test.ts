// Goal: the lines that the page for shops gives to type do what it says, and its bad days are ones the bank knows.
// Method: they are typed as they stand into a plain bash; only the ports are other ones.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFaults } from '../../src/bank/faults.ts';
import { readOperation } from '../../src/bank/operation.ts';
import { Workshop } from '../database/workshop.ts';
import { readDocument, scriptOf } from '../start/documents.ts';
import { isRelease } from '../support/depth.ts';
import { runKassa } from '../support/kassa.ts';
import { root } from '../../proof/program.ts';
import { typeIntoShell } from '../support/shell.ts';

const page = readDocument('docs/integrate/bank.md');

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

// A service and half a dozen commands: what they do is tried one by one elsewhere.
if (isRelease)
  test('bank.md: a service, a bank, a merchant of it, a bad day, and nothing left running', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    shop.bringDatabase();
    const env = { PORT: await freePort(), KASSA_DATA_DIR: shop.dataDir };
    const bankPort = await freePort();
    const script = scriptOf(page)
      .replaceAll('localhost:8080', `localhost:${env.PORT}`)
      .replaceAll('localhost:8090', `localhost:${bankPort}`)
      .replaceAll('kassa.js bank --key', `kassa.js bank --port ${bankPort} --key`)
      .replaceAll('bin/kassa.js', join(root, 'bin/kassa.js'));
    const { stdout, stderr } = await typeIntoShell(script, { cwd: shop.root, env });
    assert.equal(stderr, '');
    assert.match(stdout, /"loseAfter":0\.33,/);
    assert.match(stdout, /^\{"chargeId":"[0-9a-f]{32}"/m);
    assert.match(stdout, /"clockOffsetMs":0\}\n\{"lines":\[\{.*"kind":"reservation".*"kind":"charge".*\]\}\n/);
    assert.match(stdout, /^matched +2$[^]*\n\nThe books agree\.\n$/m);
    const listed = JSON.parse((await runKassa(['merchant', 'list', '--json'], { env })).out) as Record<
      string,
      string
    >[];
    assert.deepEqual(
      listed.map(({ name, acquirer }) => [name, acquirer]),
      [
        ['Sandbox', 'simulator'],
        ['Bad days', 'bank'],
      ],
    );
  });

test('bank.md: every bad day, every latency and the operation can be sent as they stand', () => {
  const days = Array.from(page.text.matchAll(/^\| \w+ \| `(\{.*\})` \|/gm), ([, faults = '']) => faults);
  const latencies = Array.from(page.text.matchAll(/^(\{ "kind": .*\})$/gm), ([, latency = '']) => latency);
  assert.deepEqual([days.length, latencies.length], [5, 4]);
  for (const faults of days) readFaults(JSON.parse(faults));
  for (const latency of latencies) readFaults({ latency: JSON.parse(latency) as unknown });
  const [, operation = ''] = /^`(\{"id": .*\})`\.$/m.exec(page.text) ?? [];
  assert.equal(readOperation(JSON.parse(operation)).kind, 'reservation');
});
